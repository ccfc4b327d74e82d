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

/** What the ancestors of a service mean for the notification of its failure. */
export interface Dependence {
  /** The ancestor whose failure holds the notifications; null: none. */
  readonly heldBy: number | null
  /** Ancestors that have not been analysed since the failure began. */
  readonly unheardIds: readonly number[]
  /** An ancestor has recovered since the analysis began, so the analysis says nothing about the time after it. */
  readonly isOutrun: boolean
}

export const independent: Dependence = { heldBy: null, unheardIds: [], isOutrun: false }

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
function isUnheard({ isMonitored, isUntried, isNotified, lastDueAt }: Ancestor, failedAt: number): boolean {
  return isMonitored && !isUntried && isNotified && (lastDueAt === null || lastDueAt < failedAt)
}

/** The highest failed ancestor is the cause; of two on one level that with the lower id. */
function causeAmong(failed: readonly Ancestor[]): number | null {
  const [cause] = failed.toSorted((one, other) => other.level - one.level || one.serviceId - other.serviceId)
  return cause?.serviceId ?? null
}

/** @param child the failure's first moment, and the moment at which the analysis was due. Unix milliseconds */
export function dependenceOf(
  child: { readonly failedAt: number; readonly dueAt: number },
  ancestors: readonly Ancestor[],
): Dependence {
  return {
    heldBy: causeAmong(ancestors.filter(holds)),
    unheardIds: ancestors.filter((ancestor) => isUnheard(ancestor, child.failedAt)).map(({ serviceId }) => serviceId),
    isOutrun: ancestors.some(({ state, sinceAt, isMonitored }) => {
      return isMonitored && state === 'ok' && sinceAt !== null && sinceAt > child.dueAt
    }),
  }
}

/**
 * When to look at a failure again that is not notified for the sake of its ancestors; null: it is notified now. The
 * wait for verdicts is bounded, and its pauses double.
 * @param tellAt when the failure would be notified without ancestors. Unix milliseconds
 */
export function waitsUntil({ heldBy, unheardIds, isOutrun }: Dependence, tellAt: number, now: number): number | null {
  if (heldBy !== null) return now + heldPause
  if (isOutrun) return now + shortestWait
  const lastAt = tellAt + longestWait
  if (unheardIds.length === 0 || now >= lastAt) return null
  return Math.min(lastAt, now + Math.max(shortestWait, now - tellAt))
}
