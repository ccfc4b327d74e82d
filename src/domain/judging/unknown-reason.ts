import type { CheckResultValue } from './analysis.ts'
import { type ErrorTypeSymbol, errorTypeById, errorTypes, resultOfFailure } from './error-types.ts'

/** Why nothing new is known about a monitored service (answers §8). */

/** Faults in a service's configuration, known before any check. */
export const definitionFaults = ['no_sensor', 'no_capable_sensor'] as const
export type DefinitionFault = (typeof definitionFaults)[number]

/** A fault in the service's configuration, or the symbol of a sensor's own fault. */
export type UnknownReason = DefinitionFault | ErrorTypeSymbol

export const unknownReasons: readonly UnknownReason[] = [
  ...definitionFaults,
  ...errorTypes.map(({ symbol }) => symbol).filter((symbol) => resultOfFailure(symbol) === 'unknown'),
]

/** These last until somebody changes the service, its group or the station; another try gives the same result. */
const lasting: ReadonlySet<string> = new Set<UnknownReason>([
  ...definitionFaults,
  ...([
    'sensor_not_permitted',
    'sensor_cannot_ping',
    'browser_missing',
    'browser_not_isolated',
    'sensor_clock_off',
  ] as const),
  ...(['type_not_supported', 'setting_invalid', 'sensor_address_refused', 'sensor_redirect_refused'] as const),
])

/** In the catalogue's order. */
export const lastingReasons: readonly UnknownReason[] = unknownReasons.filter(isLasting)

/** True if the reason lasts until somebody acts, so the account receives a mail about it. */
function isLasting(reason: string): boolean {
  return lasting.has(reason)
}

/** True if a round without a verdict is repeated before the interval is over. Null: there was a verdict. */
export function isTriedAgain(reason: string | null): boolean {
  return reason !== null && !isLasting(reason)
}

function ownFaultOf(errorTypeId: number | null): UnknownReason {
  const symbol = errorTypeId === null ? undefined : errorTypeById(errorTypeId)?.symbol
  return symbol !== undefined && resultOfFailure(symbol) === 'unknown' ? symbol : 'sensor_fault'
}

interface Answer {
  readonly result: CheckResultValue
  readonly errorTypeId: number | null
}

/**
 * Why a round has no verdict: the most frequent answer of the sensors that could not try; on a tie, the first. Passing
 * reasons come before lasting ones, because another try may then give a verdict.
 */
export function unknownReason(answers: readonly Answer[]): UnknownReason {
  const counts = new Map<UnknownReason, number>()
  for (const { result, errorTypeId } of answers) {
    if (result !== 'unknown') continue
    const symbol = ownFaultOf(errorTypeId)
    counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  }
  const rank = ([reason, count]: readonly [UnknownReason, number]) => (isLasting(reason) ? 0 : answers.length) + count
  const [first] = [...counts].toSorted((one, other) => rank(other) - rank(one))
  return first?.[0] ?? 'sensor_fault'
}
