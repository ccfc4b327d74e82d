import sql from 'sql-template-tag'
import { readLevelHistories } from '../../database/reports/report-data.ts'
import { readDegradedPeriods } from '../../database/services/degraded-periods.ts'
import { timeZoneName } from '../../domain/calendars/time-zones.ts'
import { type Problem, unknownParameter } from '../../domain/input/problem.ts'
import { all, oneOf } from '../../domain/queries/condition.ts'
import { type CalendarDay, type DayBar, dayBars, lastDays } from '../../domain/service-level/history-bars.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { integer, list, object, text } from '../../rest/fields.ts'
import { refuseAny, refuseTooMany } from '../../rest/problems.ts'
import { maximumInteger, schemaOf } from '../../rest/schemas.ts'
import { readPage } from '../../rest/select.ts'
import { readCount } from './query-count.ts'
import { seconds } from './service-level.ts'
import { lastWholeSecond } from './time-range.ts'

const maximumIds = 200
const maximumDays = 400
const defaultDays = 30
/** This many services count as a request of their own, like the elements of bulk operations. */
const servicesARequest = 10

const bar = object(
  {
    date: text({ required: true, about: "A day of the calendar of the service's owner.", example: '2026-11-22' }),
    ok: seconds,
    failure: seconds,
    paused: seconds,
    degraded: integer({
      required: true,
      minimum: 0,
      about: 'Seconds of `ok` in which the service was degraded.',
    }),
    failures: integer({ required: true, minimum: 0, about: 'Failures that touch the day.' }),
  },
  {},
)
const example = {
  service_id: 1,
  days: [{ date: '2026-11-22', ok: 86_340, failure: 60, paused: 0, degraded: 0, failures: 1 }],
}
const answer = object(
  { service_id: integer({ required: true, example: 1 }), days: list(bar, { required: true }) },
  { example },
)

/** The identifiers in the order given, each once. */
function readIds({ query }: Call, problems: Problem[]): readonly number[] {
  const written = query.getAll('id')
  if (written.length > maximumIds) {
    problems.push({ error: 'value_too_long', field: 'query.id', facts: { maximum: maximumIds } })
    return []
  }
  const isNumber = (id: string) => /^\d{1,15}$/.test(id)
  if (!written.every(isNumber)) {
    problems.push({ error: 'incorrect_type', field: 'query.id', facts: { expected: 'integer' } })
  }
  // No service has a larger one.
  return [...new Set(written.map(Number))].filter((id) => id <= maximumInteger)
}

function refuseOthers({ query }: Call, problems: Problem[]): void {
  for (const name of new Set(query.keys())) {
    if (name === 'id' || name === 'days') continue
    const facts = unknownParameter(name, ['id', 'days'])
    problems.push({ error: 'incorrect_value', field: `query.${name}`, facts })
    refuseTooMany(problems)
  }
}

/** The time zone of the owner of each of the services that the caller may read. */
async function readableIn(call: Call, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { page } = await readPage(call.registry.get('services'), call, {
    where: all(oneOf('id', ids)),
    sort: [],
    limit: maximumIds + 1,
    offset: 0,
    columns: ['id', 'owner_id'],
    flags: [],
  })
  const [idAt, ownerAt] = [page.column('id'), page.column('owner_id')]
  const owners = new Map(Array.from({ length: page.length }, (_, at) => [Number(idAt(at)), Number(ownerAt(at))]))
  const accounts = await call.database.query<{ id: number; time_zone_id: string }>(
    sql`select id, time_zone_id from accounts where id = any(${[...new Set(owners.values())]}::int[])`,
    'owners-time-zones',
  )
  const zones = new Map(accounts.map(({ id, time_zone_id: zone }) => [id, timeZoneName(zone) ?? 'UTC']))
  return new Map([...owners].map(([id, owner]) => [id, zones.get(owner) ?? 'UTC']))
}

const shown = ({ date, ok, failure, paused, degraded, failures }: DayBar) => ({
  date,
  ok,
  failure,
  paused,
  degraded,
  failures,
})

async function barsOf(call: Call, ids: readonly number[], count: number) {
  const zones = await readableIn(call, ids)
  if (zones.size === 0) return []
  const now = lastWholeSecond(call.nowAt)
  const daysIn = new Map<string, readonly CalendarDay[]>()
  for (const zone of new Set(zones.values())) daysIn.set(zone, lastDays(now, count, zone))
  const fromAt = Math.min(...[...daysIn.values()].map(([first]) => first?.fromAt ?? now))
  const histories = await readLevelHistories(call.database, [...zones.keys()], { fromAt, toAt: now })
  const degraded = await readDegradedPeriods(call.database, [...zones.keys()], { fromAt, toAt: now })
  return ids.flatMap((id) => {
    const [history, days] = [histories.get(id), daysIn.get(zones.get(id) ?? '')]
    if (history === undefined || days === undefined) return []
    return [
      {
        service_id: id,
        days: dayBars({ ...history, now, degraded: degraded.get(id) ?? [] }, days).map(shown),
      },
    ]
  })
}

/** `GET /services/history_bars` */
export const historyBars: Operation = {
  id: 'services.history_bars',
  method: 'GET',
  path: '/services/history_bars',
  tag: 'history',
  summary: 'Seconds in each state on each of the last days, of many services',
  about:
    "Days are those of the time zone of each service's owner, today the last one. The seconds are the service level of the day, " +
    'corrections included. A failure over midnight counts in `failures` of both days. In the order of the identifiers; a service that ' +
    `the caller may not read is left out. ${servicesARequest} services count as a request.`,
  access: 'customer',
  parameters: [
    {
      name: 'id',
      in: 'query',
      about: 'Services, each in a parameter of its own.',
      schema: { type: 'array', items: { type: 'integer', format: 'int64', minimum: 0 }, maxItems: maximumIds },
      example: [1],
    },
    {
      name: 'days',
      in: 'query',
      about: 'How many days, with today.',
      schema: { type: 'integer', minimum: 1, maximum: maximumDays, default: defaultDays },
    },
  ],
  answers: { 200: { about: 'An element for each service.', schema: schemaOf(list(answer, {})) } },
  async handle(call) {
    const problems: Problem[] = []
    const ids = readIds(call, problems)
    const count = readCount(call, problems, { name: 'days', maximum: maximumDays, fallback: defaultDays })
    refuseOthers(call, problems)
    refuseAny(problems)
    if (ids.length === 0) return { status: 200, body: [] }
    const further = Math.ceil(ids.length / servicesARequest) - 1
    if (further > 0) await call.charge(further)
    return { status: 200, body: await barsOf(call, ids, count) }
  },
}
