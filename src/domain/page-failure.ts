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

/** Failures of one page that become one incident. */
export interface OpenedIncident {
  readonly pageId: number
  readonly componentIds: readonly number[]
  readonly failures: readonly { readonly serviceId: number; readonly changeId: number }[]
  readonly startedAt: number
}

/** The failures of a page that become public in one look have one cause more often than not: they are one incident. */
export function openedIncidents(failures: readonly PageFailure[]): readonly OpenedIncident[] {
  const byPage = new Map<number, PageFailure[]>()
  for (const failure of failures) {
    const own = byPage.get(failure.pageId)
    if (own === undefined) byPage.set(failure.pageId, [failure])
    else own.push(failure)
  }
  return [...byPage].map(([pageId, own]) => {
    const changes = new Map(own.map(({ serviceId, changeId }) => [`${serviceId} ${changeId}`, { serviceId, changeId }]))
    return {
      pageId,
      componentIds: [...new Set(own.map(({ componentId }) => componentId))],
      failures: [...changes.values()],
      startedAt: own.reduce((first, { failedAt }) => Math.min(first, failedAt), Number.POSITIVE_INFINITY),
    }
  })
}
