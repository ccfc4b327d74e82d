import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesMet } from '../../../test/support/cases-met.ts'
import type { State } from '../judging/status-change.ts'
import type { LevelChange } from '../service-level/service-level.ts'
import { isPageHost, slugPattern } from './status-page.ts'
import {
  pageIndicator,
  publicDegraded,
  publicState,
  type ShownIncident,
  statusAt,
  statusOfServices,
  statusWithIncidents,
} from './status-page-state.ts'

const changesOfState = casesMet('seconds in which the public state changes')

const delay = 180_000

/** Touching periods of these seconds; the last is open. */
function history(...periods: readonly (readonly [State, number])[]): LevelChange[] {
  let at = 0
  return periods.map(([status, seconds], index) => {
    const startedAt = at
    at += seconds * 1000
    return { status, startedAt, endedAt: index === periods.length - 1 ? null : at }
  })
}

describe('a state becomes public', () => {
  test.each([
    ['a success at once', history(['ok', 10]), 0, 'ok', 0],
    ['a failure not before its delay', history(['ok', 100], ['failure', 0]), 279, 'ok', 0],
    ['a failure with its delay', history(['ok', 100], ['failure', 0]), 280, 'failure', 280],
    ['a short failure never', history(['ok', 100], ['failure', 179], ['ok', 0]), 5000, 'ok', 0],
    ['a recovery not before its delay', history(['failure', 400], ['ok', 0]), 579, 'failure', 180],
    ['a recovery with its delay', history(['failure', 400], ['ok', 0]), 580, 'ok', 580],
    ['a short recovery never', history(['failure', 400], ['ok', 60], ['failure', 0]), 900, 'failure', 180],
    ['a pause at once', history(['failure', 400], ['paused', 0]), 400, 'paused', 400],
    ['nothing of a first short failure', history(['failure', 60]), 60, null, null],
  ] as const)('%s', (_name, changes, second, state, since) => {
    const shown = publicState(changes, { delayMs: delay, now: second * 1000 })
    expect([shown.state, shown.since]).toEqual([state, since === null ? null : since * 1000])
  })

  test.each([
    ['a failure when a person confirms it', history(['ok', 100], ['failure', 0]), 120, 120, 'failure', 120],
    ['a failure not before', history(['ok', 100], ['failure', 0]), 120, 119, 'ok', 0],
    ['one that is confirmed late with its delay', history(['ok', 100], ['failure', 0]), 900, 950, 'failure', 280],
    ['no failure that was over by then', history(['ok', 100], ['failure', 50], ['ok', 0]), 150, 160, 'ok', 0],
    ['no failure of later', history(['ok', 100], ['failure', 0]), 99, 160, 'ok', 0],
    ['a recovery with its delay all the same', history(['failure', 60], ['ok', 0]), 20, 239, 'failure', 20],
  ] as const)('%s', (_name, changes, confirmed, second, state, since) => {
    const facts = { delayMs: delay, now: second * 1000, confirmedAt: confirmed * 1000 }
    const shown = publicState(changes, facts)
    expect([shown.state, shown.since]).toEqual([state, since * 1000])
  })

  test('and stays for the delay at least, unless somebody pauses', () => {
    const lengths = fc.array(fc.tuple(fc.constantFrom<State>('ok', 'failure'), fc.integer({ min: 1, max: 600 })), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(lengths, (periods) => {
        const changes = history(...periods)
        const end = periods.reduce((sum, [, seconds]) => sum + seconds, 0)
        let [last, changedAt] = [publicState(changes, { delayMs: delay, now: 0 }).state, Number.NEGATIVE_INFINITY]
        for (let second = 0; second <= end; second++) {
          const { state } = publicState(changes, { delayMs: delay, now: second * 1000 })
          if (!changesOfState(state !== last)) continue
          if (last === 'failure' || state === 'failure') expect(second - changedAt).toBeGreaterThan(1)
          if (last !== null && changedAt > 0) expect(second - changedAt).toBeGreaterThanOrEqual(delay / 1000)
          ;[last, changedAt] = [state, second]
        }
      }),
      { numRuns: 60 },
    )
  })
})

test.each([
  ['no period', [], 0, false],
  ['a period not before its delay', [[100, null]], 279, false],
  ['a period with its delay', [[100, null]], 280, true],
  ['a short period never', [[100, 279]], 5000, false],
  [
    'a short end never',
    [
      [0, 400],
      [500, null],
    ],
    579,
    true,
  ],
  ['an end not before its delay', [[0, 400]], 579, true],
  ['an end with its delay', [[0, 400]], 580, false],
  [
    'short periods after a long one',
    [
      [0, 400],
      [450, 500],
      [600, 650],
    ],
    829,
    true,
  ],
] as const)('the public sees of degraded services %s', (_name, periods, second, isDegraded) => {
  const given = periods.map(([from, to]) => ({ startedAt: from * 1000, endedAt: to === null ? null : to * 1000 }))
  expect(publicDegraded(given, { delayMs: delay, now: second * 1000 }).isDegraded).toBe(isDegraded)
})

const watched = (state: State | null, more = {}) => ({
  ...{ state, since: 0, failureAt: null, isSuspended: false, isStale: false, isDegraded: false },
  ...more,
})

test.each([
  [[watched('failure')], 'major_outage'],
  [[watched('failure'), watched('ok')], 'partial_outage'],
  [[watched('failure'), watched('paused')], 'major_outage'],
  [[watched('ok'), watched('paused')], 'operational'],
  [[watched('ok', { isDegraded: true }), watched('ok')], 'degraded_performance'],
  [[watched('ok', { isDegraded: true }), watched('failure')], 'partial_outage'],
  [[watched('ok', { isDegraded: true, isStale: true })], 'unknown'],
  [[watched('paused', { isDegraded: true })], 'unknown'],
  [[watched('ok', { isStale: true })], 'unknown'],
  [[watched('paused')], 'unknown'],
  [[watched('paused', { isSuspended: true })], 'under_maintenance'],
  [[], 'unknown'],
] as const)('services %j are %s', (services, status) => {
  expect(statusOfServices(services)).toBe(status)
})

const incident = (more: Partial<ShownIncident>): ShownIncident => ({
  ...{ status: 'investigating', impact: 'none', isMaintenance: false, componentIds: [1], updates: [] },
  ...more,
})
const says = (status: 'operational' | 'partial_outage') => ({ affected_components: [{ component_id: 1, status }] })

test('people say worse than the checks and never better, and maintenance covers everything', () => {
  expect(statusWithIncidents(1, 'operational', [incident({ updates: [says('partial_outage')] })])).toBe(
    'partial_outage',
  )
  expect(statusWithIncidents(1, 'major_outage', [incident({ updates: [says('operational')] })])).toBe('major_outage')
  expect(
    statusWithIncidents(1, 'operational', [incident({ updates: [says('partial_outage'), says('operational')] })]),
  ).toBe('operational')
  expect(statusWithIncidents(2, 'operational', [incident({ updates: [says('partial_outage')] })])).toBe('operational')
  const works = incident({ isMaintenance: true, status: 'in_progress' })
  expect(statusWithIncidents(1, 'major_outage', [works])).toBe('under_maintenance')
  expect(statusWithIncidents(1, 'operational', [{ ...works, status: 'scheduled' }])).toBe('operational')
})

test.each([
  [['operational', 'unknown'], 'none'],
  [['operational', 'under_maintenance'], 'maintenance'],
  [['operational', 'degraded_performance'], 'minor'],
  [['operational', 'major_outage'], 'major'],
  [['major_outage', 'unknown'], 'critical'],
  [[], 'none'],
] as const)('components %j are %s', (statuses, indicator) => {
  expect(pageIndicator(statuses, [])).toBe(indicator)
})

test('an incident is as bad as its impact', () => {
  expect(pageIndicator(['operational'], [incident({ impact: 'critical' })])).toBe('critical')
})

test.each([
  ['scheduled', [], 'none'],
  ['in_progress', [], 'maintenance'],
  ['verifying', [], 'maintenance'],
  ['in_progress', [incident({ impact: 'minor' })], 'minor'],
] as const)('maintenance that is %s beside the incidents %j makes the page %s', (status, incidents, indicator) => {
  const works = incident({ isMaintenance: true, status, impact: 'none', componentIds: [] })
  for (const told of [
    [works, ...incidents],
    [...incidents, works],
  ])
    expect(pageIndicator(['operational'], told)).toBe(indicator)
})

test.each([
  ['scheduled', 9, 'scheduled'],
  ['scheduled', 10, 'in_progress'],
  ['scheduled', 20, 'completed'],
  ['in_progress', 20, 'completed'],
  ['verifying', 25, 'verifying'],
] as const)('maintenance that is %s is at %d %s', (status, now, then) => {
  expect(statusAt({ status, scheduled_for: 10, scheduled_until: 20 }, now).status).toBe(then)
})

test.each([
  ['status.example.com', true],
  ['localhost', false],
  ['192.0.2.1', false],
  ['status.example.com:80', false],
  ['-a.example.com', false],
  ['xn--a.pages.example.com', false],
  ['xn--w-uga1v8h.example.com', true],
  ['a.0x1', false],
  ['0x7f.0x1', false],
])('%s is a host of a page: %s', (host, is) => {
  expect(isPageHost(host)).toBe(is)
})

test.each([
  ['shop', true],
  ['-shop', false],
  ['a', true],
  ['Shop', false],
  ['a'.repeat(61), false],
])('%s is a slug: %s', (slug, is) => {
  expect(slugPattern.test(slug)).toBe(is)
})
