import { isObject } from '../domain/json-shape.ts'

/** The members of an answer in JSON; none of anything else. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}
