import { isObject } from '../domain/input/json.ts'

/** The members of a JSON answer; none for any other text. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}
