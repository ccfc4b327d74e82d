import { Failure } from '../../outgoing/failure.ts'

/** Ranges of statuses, both ends included. */
export type AcceptedStatuses = readonly (readonly [number, number])[]

const remembered = new Map<string, AcceptedStatuses>()
const mostRemembered = 1000

/** `200-299, 301`: single statuses and ranges. */
export function parseStatuses(text: string): AcceptedStatuses {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const parsed = text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part): readonly [number, number] => {
      const match = /^\s*(\d{3})\s*(?:-\s*(\d{3})\s*)?$/.exec(part)
      if (match === null) throw new Failure('setting_invalid', `setting accepted_statuses: ${JSON.stringify(part)}`)
      return [Number(match[1]), Number(match[2] ?? match[1])]
    })
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(text, parsed)
  return parsed
}

export function isAccepted(statuses: AcceptedStatuses, status: number): boolean {
  return statuses.some(([from, to]) => status >= from && status <= to)
}
