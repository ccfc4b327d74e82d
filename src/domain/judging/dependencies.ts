/** Dependencies: while a service has failed, the failures of the services that depend on it are not notified. */
import type { State } from './status-change.ts'

/** A parent of a service, or a parent of a parent. Moments in Unix milliseconds. */
export interface Ancestor {
  readonly serviceId: number
  /** 1 for a parent, 2 for its parent. */
  readonly level: number
  readonly state: State | null
  readonly sinceAt: number | null
  readonly isMonitored: boolean
  /** The last analysis had a verdict, and that verdict is still valid. */
  readonly isKnown: boolean
  /** Nothing can be tried now, so there is no point in waiting for a verdict. */
  readonly isUntried: boolean
  /** Its mode of notification is not `off`. */
  readonly isNotified: boolean
  /** When the last analysis with a verdict was due; it started no earlier. */
  readonly lastDueAt: number | null
}

/** The influence of ancestors on the notification of a service's failure. */
export interface Dependence {
  /** The ancestor whose failure holds the notifications; null: none. */
  readonly heldBy: number | null
  /** Ancestors that have to be analysed before the failure can be blamed on the service itself. */
  readonly unheardIds: readonly number[]
  /** The last recovery of an ancestor since the failure began. Unix milliseconds. */
  readonly recoveredAt: number | null
}

export const independent: Dependence = { heldBy: null, unheardIds: [], recoveredAt: null }

/** Levels of ancestors that count. */
export const dependencyLevels = 10

/** The longest wait for the verdicts of ancestors, from the moment when the failure is to be notified. Milliseconds. */
export const longestWait = 60_000
const shortestWait = 5000

/** The pause between two looks at a held failure, if nothing wakes it earlier. Milliseconds. */
const heldPause = 60_000

/** True if the failure of the service holds the notifications of others. */
function holds({ state, isMonitored, isKnown, isNotified }: Ancestor): boolean {
  return isMonitored && isKnown && isNotified && state === 'failure'
}

/** True if a verdict of the service may still come that explains the failure. */
function isUnheard({ isMonitored, isUntried, isNotified, lastDueAt }: Ancestor, since: number): boolean {
  return isMonitored && !isUntried && isNotified && (lastDueAt === null || lastDueAt < since)
}

/** The highest failed ancestor is the cause; of two on one level that with the lower id. */
function causeAmong(failed: readonly Ancestor[]): number | null {
  const [cause] = failed.toSorted((one, other) => other.level - one.level || one.serviceId - other.serviceId)
  return cause?.serviceId ?? null
}

/** The failure of a service, as its newest analysis finds it. Unix milliseconds. */
export interface ChildFailure {
  readonly failedAt: number
  /** The verdict before the newest one; null: there was none. */
  readonly previousAt: number | null
}

/**
 * The moment since which ancestors must have been analysed: the failure's first verdict. After an ancestor has
 * recovered it is the first verdict that still finds a failure, since an ancestor may fail, recover and fail again.
 */
function heardSince({ failedAt, previousAt }: ChildFailure, recoveredAt: number | null): number {
  if (recoveredAt === null) return failedAt
  return previousAt !== null && previousAt > recoveredAt ? previousAt : Number.POSITIVE_INFINITY
}

export function dependenceOf(child: ChildFailure, ancestors: readonly Ancestor[]): Dependence {
  const recoveries = ancestors.flatMap(({ isMonitored, state, sinceAt }) => {
    return isMonitored && state === 'ok' && sinceAt !== null && sinceAt > child.failedAt ? [sinceAt] : []
  })
  const recoveredAt = recoveries.length === 0 ? null : Math.max(...recoveries)
  const since = heardSince(child, recoveredAt)
  return {
    heldBy: causeAmong(ancestors.filter(holds)),
    unheardIds: ancestors.filter((ancestor) => isUnheard(ancestor, since)).map(({ serviceId }) => serviceId),
    recoveredAt,
  }
}

/**
 * When to look at a failure again that is not notified for the sake of its ancestors; null: it is notified now. The
 * wait for verdicts is bounded, and its pauses double.
 * @param tellAt when the failure would be notified without ancestors. Unix milliseconds
 */
export function waitsUntil(
  { heldBy, unheardIds, recoveredAt }: Dependence,
  tellAt: number,
  now: number,
): number | null {
  if (heldBy !== null) return now + heldPause
  const from = Math.max(tellAt, recoveredAt ?? tellAt)
  if (unheardIds.length === 0 || now >= from + longestWait) return null
  return Math.min(from + longestWait, now + Math.max(shortestWait, now - from))
}
