/** Failures of services that open incidents on status pages. Moments in Unix milliseconds. */

/** A failure behind a component. */
export interface PageFailure {
  readonly pageId: number
  readonly componentId: number
  readonly serviceId: number
  readonly changeId: number
  /** When it began. */
  readonly failedAt: number
}

export interface FailedChange {
  readonly serviceId: number
  readonly changeId: number
}

/** Failures of one page that become one incident. */
export interface OpenedIncident {
  readonly componentIds: readonly number[]
  readonly failures: readonly FailedChange[]
  readonly startedAt: number
}

export function failuresByPage(failures: readonly PageFailure[]): ReadonlyMap<number, readonly PageFailure[]> {
  const byPage = new Map<number, PageFailure[]>()
  for (const failure of failures) {
    const own = byPage.get(failure.pageId)
    if (own === undefined) byPage.set(failure.pageId, [failure])
    else own.push(failure)
  }
  return byPage
}

const keyOf = ({ serviceId, changeId }: FailedChange) => `${serviceId} ${changeId}`

/** Each failure once, however many components show it. */
export function failedChanges(failures: readonly PageFailure[]): readonly FailedChange[] {
  return [...new Map(failures.map((one) => [keyOf(one), one])).values()].map(({ serviceId, changeId }) => ({
    serviceId,
    changeId,
  }))
}

/** The failures of a page that become public in one look have one cause more often than not: they are one incident. */
export function openedIncident(failures: readonly PageFailure[]): OpenedIncident {
  return {
    componentIds: [...new Set(failures.map(({ componentId }) => componentId))],
    failures: failedChanges(failures),
    startedAt: failures.reduce((first, { failedAt }) => Math.min(first, failedAt), Number.POSITIVE_INFINITY),
  }
}

/** A published incident that a person made, and that is not over. */
export interface ManualIncident {
  readonly createdAt: number
  /** With the parts of groups that it names. */
  readonly componentIds: readonly number[]
  /** Components that it said to be down last. */
  readonly downIds: readonly number[]
}

/**
 * The failures of a page of which the public knows already: an incident says that their component is down, or names it
 * and is not older than they are by more than the delay of the page. People may be faster than checks.
 */
export function knownFailures(
  failures: readonly PageFailure[],
  incidents: readonly ManualIncident[],
  delayMs: number,
): readonly PageFailure[] {
  const told = failures.filter(({ componentId, failedAt }) =>
    incidents.some(
      ({ createdAt, componentIds, downIds }) =>
        downIds.includes(componentId) || (componentIds.includes(componentId) && createdAt + delayMs >= failedAt),
    ),
  )
  const keys = new Set(told.map(keyOf))
  return failures.filter((one) => keys.has(keyOf(one)))
}
