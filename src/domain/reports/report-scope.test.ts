import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  pointsOf,
  type ReachedService,
  type ReportAccess,
  type ReportPoint,
  type RequestedScope,
  reportSummaries,
  scopeProblems,
  servicesOf,
  wholeScope,
} from './report-scope.ts'

const accounts = [
  { id: 1, name: 'Alicja' },
  { id: 2, name: 'Bogdan' },
]
const groups = [
  { id: 10, name: 'Sklepy', owner_id: 1 },
  { id: 11, name: 'Łódź', owner_id: 1 },
  { id: 12, name: 'Obce', owner_id: 2 },
]
const services: ReachedService[] = [
  { id: 100, name: 'www', group_id: 10, owner_id: 1 },
  { id: 101, name: 'API', group_id: 10, owner_id: 1 },
  { id: 102, name: 'poczta', group_id: 11, owner_id: 1 },
  { id: 103, name: 'żółw', group_id: 12, owner_id: 2 },
]
const reach: ReportAccess = { accounts, groups, services }

function idOf(point: ReportPoint): string {
  switch (point.type) {
    case 'summary':
      return point.type
    case 'account':
      return `account ${point.account.id}`
    case 'group':
      return `group ${point.group.id}`
    case 'service':
      return `service ${point.service.id}`
  }
}
const shown = (scope: Parameters<typeof wholeScope>[0], summary: (typeof reportSummaries)[number] = 'disabled') =>
  pointsOf(wholeScope(scope), reach, summary).map(idOf)

describe('the rules of the scope', () => {
  test('1: all services are those that the owner of the template can access', () => {
    expect(shown({ services: { all: true } })).toEqual(['service 101', 'service 102', 'service 100', 'service 103'])
  })
  test('2: a service selected several ways is there once', () => {
    const ways = { all: true, by_id: [100, 100], by_group_id: [10], by_owner_id: [1] }
    expect(shown({ services: ways }).filter((id) => id === 'service 100')).toEqual(['service 100'])
  })
  test('3: a group is one point that sums up the whole group, though no service is selected', () => {
    const [point] = pointsOf(wholeScope({ groups: { by_id: [10] } }), reach, 'disabled')
    expect([point?.type, point?.services.map(({ id }) => id)]).toEqual(['group', [100, 101]])
  })
  test('4: an account is one point that sums up all its services', () => {
    const [point] = pointsOf(wholeScope({ accounts: { by_id: [1] } }), reach, 'disabled')
    expect([point?.type, point?.services.map(({ id }) => id)]).toEqual(['account', [100, 101, 102]])
  })
  test('5: a group and its services are one point for the group and one for each service', () => {
    const both = { groups: { by_id: [10] }, services: { by_group_id: [10] } }
    expect(shown(both)).toEqual(['group 10', 'service 101', 'service 100'])
  })
  test('6: by id and by group is the same while the membership is unchanged', () => {
    expect(shown({ services: { by_id: [100, 101] } })).toEqual(shown({ services: { by_group_id: [10] } }))
  })
  test('the summary stands first, alone, or not at all', () => {
    const scope = { groups: { by_owner_id: [2] } }
    expect(shown(scope, 'enabled')).toEqual(['summary', 'group 12'])
    expect(shown(scope, 'only')).toEqual(['summary'])
    expect(shown(scope, 'disabled')).toEqual(['group 12'])
  })
  test('names stand in the order of the Polish alphabet', () => {
    expect(shown({ groups: { all: true } })).toEqual(['group 11', 'group 12', 'group 10'])
  })
})

const someOf = (ids: readonly number[]) => fc.array(fc.constantFrom(...ids, 999), { maxLength: 3 })
const scope: fc.Arbitrary<RequestedScope> = fc
  .record({
    services: fc.record({
      all: fc.boolean(),
      by_owner_id: someOf([1, 2]),
      by_group_id: someOf([10, 11, 12]),
      by_id: someOf([100, 101, 102, 103]),
    }),
    groups: fc.record({ all: fc.boolean(), by_owner_id: someOf([1, 2]), by_id: someOf([10, 11, 12]) }),
    accounts: fc.record({ all: fc.boolean(), by_id: someOf([1, 2]) }),
  })
  .map(wholeScope)
const summaries = fc.constantFrom(...reportSummaries)

test('no point comes twice, and every point is about services that can be accessed', () => {
  fc.assert(
    fc.property(scope, summaries, (wanted, summary) => {
      const points = pointsOf(wanted, reach, summary)
      expect(new Set(points.map(idOf)).size).toBe(points.length)
      for (const service of servicesOf(points)) expect(services).toContain(service)
    }),
  )
})

test('selections add up: two scopes together have the points of both', () => {
  const both = <T>(one: readonly T[], other: readonly T[]) => [...one, ...other]
  fc.assert(
    fc.property(scope, scope, (one, other) => {
      const together = wholeScope({
        services: {
          all: one.services.all || other.services.all,
          by_owner_id: both(one.services.by_owner_id, other.services.by_owner_id),
          by_group_id: both(one.services.by_group_id, other.services.by_group_id),
          by_id: both(one.services.by_id, other.services.by_id),
        },
        groups: {
          all: one.groups.all || other.groups.all,
          by_owner_id: both(one.groups.by_owner_id, other.groups.by_owner_id),
          by_id: both(one.groups.by_id, other.groups.by_id),
        },
        accounts: {
          all: one.accounts.all || other.accounts.all,
          by_id: both(one.accounts.by_id, other.accounts.by_id),
        },
      })
      const idsOf = (wanted: RequestedScope) => pointsOf(wanted, reach, 'disabled').map(idOf)
      expect(new Set(idsOf(together))).toEqual(new Set([...idsOf(one), ...idsOf(other)]))
    }),
  )
})

test('the summary is of every service that any other point is about, once', () => {
  fc.assert(
    fc.property(scope, (wanted) => {
      const [summary, ...others] = pointsOf(wanted, reach, 'enabled')
      const ids = summary?.services.map(({ id }) => id) ?? []
      expect(new Set(ids).size).toBe(ids.length)
      expect(new Set(ids)).toEqual(new Set(others.flatMap((point) => point.services.map(({ id }) => id))))
    }),
  )
})

test('exactly the ids that cannot be accessed are refused, except those of before', () => {
  fc.assert(
    fc.property(scope, (wanted) => {
      const strange = JSON.stringify(wanted).split('999').length - 1
      expect(scopeProblems(wanted, reach, null)).toHaveLength(strange)
      expect(scopeProblems(wanted, reach, wanted)).toEqual([])
    }),
  )
  const wanted = wholeScope({ services: { by_id: [100, 999] } })
  expect(scopeProblems(wanted, reach, null)).toEqual([
    {
      error: 'incorrect_value',
      field: 'data.requested_scope.services.by_id[1]',
      facts: { detail: 'report_scope' },
    },
  ])
})
