import type { Problem } from '../input/problem.ts'

/**
 * The subject of a report: its services, groups and accounts, and its summary (specification: Report template, Scope
 * rules).
 */

/** The scope that a template asks for. A service that is reached in several ways counts once. */
export interface RequestedScope {
  readonly services: {
    readonly all: boolean
    readonly by_owner_id: readonly number[]
    readonly by_group_id: readonly number[]
    readonly by_id: readonly number[]
  }
  readonly groups: { readonly all: boolean; readonly by_owner_id: readonly number[]; readonly by_id: readonly number[] }
  readonly accounts: { readonly all: boolean; readonly by_id: readonly number[] }
}

/** The scope as a client writes it; absent parts select nothing. */
export type GivenScope = { readonly [Part in keyof RequestedScope]?: Partial<RequestedScope[Part]> }

export const reportSummaries = ['enabled', 'disabled', 'only'] as const
export type ReportSummary = (typeof reportSummaries)[number]

const nothing: RequestedScope = {
  services: { all: false, by_owner_id: [], by_group_id: [], by_id: [] },
  groups: { all: false, by_owner_id: [], by_id: [] },
  accounts: { all: false, by_id: [] },
}

function whole<Part extends object>(base: Part, given: Partial<Part> | undefined): Part {
  const entries = Object.entries({ ...base, ...given })
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)] : value]),
  ) as Part
}

/** The scope with every part present and no id twice. */
export function wholeScope(given: GivenScope): RequestedScope {
  return {
    services: whole(nothing.services, given.services),
    groups: whole(nothing.groups, given.groups),
    accounts: whole(nothing.accounts, given.accounts),
  }
}

/** The facts about an account that points need. */
export interface ReachedAccount {
  readonly id: number
  readonly name: string
}

export interface ReachedGroup extends ReachedAccount {
  readonly owner_id: number
}

export interface ReachedService extends ReachedGroup {
  readonly group_id: number
}

/**
 * Everything that the owner of a template can access. It holds the group of every service and the owner of every group.
 */
export interface ReportAccess {
  readonly services: readonly ReachedService[]
  readonly groups: readonly ReachedGroup[]
  readonly accounts: readonly ReachedAccount[]
}

/** One point of a report: its subject, and the services whose data it sums up. */
export type ReportPoint = { readonly services: readonly ReachedService[] } & (
  | { readonly type: 'summary' }
  | { readonly type: 'account'; readonly account: ReachedAccount }
  | { readonly type: 'group'; readonly group: ReachedGroup }
  | { readonly type: 'service'; readonly service: ReachedService }
)

const alphabet = new Intl.Collator('pl', { numeric: true })

function byName(one: ReachedAccount, other: ReachedAccount): number {
  return alphabet.compare(one.name, other.name) || one.id - other.id
}

function groupedBy<Item>(items: readonly Item[], key: (item: Item) => number): ReadonlyMap<number, Item[]> {
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const known = groups.get(key(item))
    if (known === undefined) groups.set(key(item), [item])
    else known.push(item)
  }
  return groups
}

function selected(scope: RequestedScope, { services, groups, accounts }: ReportAccess) {
  const of = (ids: readonly number[]) => {
    const known = new Set(ids)
    return (id: number) => known.has(id)
  }
  const wanted = {
    owner: of(scope.services.by_owner_id),
    group: of(scope.services.by_group_id),
    service: of(scope.services.by_id),
    groupOwner: of(scope.groups.by_owner_id),
    ownGroup: of(scope.groups.by_id),
    account: of(scope.accounts.by_id),
  }
  return {
    services: services
      .filter(
        ({ id, group_id, owner_id }) =>
          scope.services.all || wanted.owner(owner_id) || wanted.group(group_id) || wanted.service(id),
      )
      .toSorted(byName),
    groups: groups
      .filter(({ id, owner_id }) => scope.groups.all || wanted.groupOwner(owner_id) || wanted.ownGroup(id))
      .toSorted(byName),
    accounts: accounts.filter(({ id }) => scope.accounts.all || wanted.account(id)).toSorted(byName),
  }
}

/**
 * The points in order: the summary, accounts, groups, services, each kind by name. An object selected several times
 * appears once; an inaccessible one does not appear. The summary covers everything that other points are about; with
 * `only` it stands alone.
 */
export function pointsOf(scope: RequestedScope, reach: ReportAccess, summary: ReportSummary): readonly ReportPoint[] {
  const { services, groups, accounts } = selected(scope, reach)
  const ofGroup = groupedBy(reach.services, ({ group_id }) => group_id)
  const ofAccount = groupedBy(reach.services, ({ owner_id }) => owner_id)
  const points: ReportPoint[] = [
    ...accounts.map((account) => ({ type: 'account', account, services: ofAccount.get(account.id) ?? [] }) as const),
    ...groups.map((group) => ({ type: 'group', group, services: ofGroup.get(group.id) ?? [] }) as const),
    ...services.map((service) => ({ type: 'service', service, services: [service] }) as const),
  ]
  if (summary === 'disabled') return points
  const whole = { type: 'summary', services: servicesOf(points) } as const
  return summary === 'only' ? [whole] : [whole, ...points]
}

/** Each service of any of the points, once. */
export function servicesOf(points: readonly ReportPoint[]): readonly ReachedService[] {
  const known = new Map(points.flatMap(({ services }) => services).map((service) => [service.id, service]))
  return [...known.values()]
}

/**
 * Checks that the template's owner may ask for this scope. Ids that were there `before` may stay, even if they are
 * inaccessible now. Problems: incorrect_value at each id that cannot be accessed.
 */
export function scopeProblems(
  scope: RequestedScope,
  reach: ReportAccess,
  before: RequestedScope | null,
): readonly Problem[] {
  const [services, groups, accounts] = [reach.services, reach.groups, reach.accounts].map(
    (known) => new Set(known.map(({ id }) => id)),
  )
  const lists = [
    ['services.by_owner_id', accounts, scope.services.by_owner_id, before?.services.by_owner_id],
    ['services.by_group_id', groups, scope.services.by_group_id, before?.services.by_group_id],
    ['services.by_id', services, scope.services.by_id, before?.services.by_id],
    ['groups.by_owner_id', accounts, scope.groups.by_owner_id, before?.groups.by_owner_id],
    ['groups.by_id', groups, scope.groups.by_id, before?.groups.by_id],
    ['accounts.by_id', accounts, scope.accounts.by_id, before?.accounts.by_id],
  ] as const
  return lists.flatMap(([name, known, ids, kept = []]) =>
    ids.flatMap((id, index) =>
      known?.has(id) || kept.includes(id)
        ? []
        : [
            {
              error: 'incorrect_value',
              field: `data.requested_scope.${name}[${index}]`,
              facts: { detail: 'report_scope' },
            },
          ],
    ),
  )
}
