import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { idOf } from '../support/replies.ts'

let world: ApiWorld
let serviceId: number
/** The service is an hour old: it worked for the first half, with a fraction of a second, and fails since. */
let createdAt: number
let failureAt: number

const hour = 3_600_000

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

beforeEach(async () => {
  const body = { type_id: 'http', address: 'shop.example', name: 'Shop', group_id: world.people.sharedGroupId }
  serviceId = idOf(await world.call('alice', 'POST', '/services', body))
  createdAt = world.clock.now() - hour
  failureAt = createdAt + hour / 2 + 300
  await world.database.execute(sql`update services set created_at = ${new Date(createdAt)} where id = ${serviceId}`)
  await world.database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time) values
      (${serviceId}, ${createdAt * 100}, 'ok', ${new Date(createdAt)}, ${new Date(failureAt)}),
      (${serviceId}, ${failureAt * 100}, 'failure', ${new Date(failureAt)}, null)`)
})

interface Times {
  readonly fromAt: number
  readonly toAt: number
}

function correct({ fromAt, toAt }: Times, status: 'ok' | 'failure' | 'paused') {
  return world.call('alice', 'POST', '/corrections', {
    service_id: serviceId,
    start_time: formatMoment(fromAt),
    end_time: formatMoment(toAt),
    status,
  })
}

async function level(): Promise<unknown> {
  return (await world.call('alice', 'GET', `/services/${serviceId}/history/service_level`)).body
}

async function stats(): Promise<unknown[]> {
  const path = `/services/${serviceId}/history/status_changes?embed=corrections_stats&fields=status&sort=start_time`
  return ((await world.call('alice', 'GET', path)).body as { corrections_stats: unknown }[]).map(
    (change) => change.corrections_stats,
  )
}

test('a correction changes the service level at once, and nothing of the history', async () => {
  expect(await level()).toEqual({ ok: 1800, failure: 1800, paused: 0 })
  const id = idOf(await correct({ fromAt: failureAt + 100_000, toAt: failureAt + 200_000 }, 'paused'))
  expect(await level()).toEqual({ ok: 1800, failure: 1700, paused: 100 })
  const changes = await world.call(
    'alice',
    'GET',
    `/services/${serviceId}/history/status_changes?fields=status&sort=start_time`,
  )
  expect(changes.body).toEqual([{ status: 'ok' }, { status: 'failure' }])
  await world.call('alice', 'PUT', `/corrections/${id}`, { status: 'ok' })
  expect(await level()).toEqual({ ok: 1900, failure: 1700, paused: 0 })
  await world.call('alice', 'DELETE', `/corrections/${id}`)
  expect(await level()).toEqual({ ok: 1800, failure: 1800, paused: 0 })
})

test('of several corrections over one moment the later one wins', async () => {
  const times = { fromAt: createdAt, toAt: createdAt + 600_000 }
  await correct(times, 'failure')
  await correct({ ...times, fromAt: createdAt + 300_000 }, 'paused')
  expect(await level()).toEqual({ ok: 1200, failure: 2100, paused: 300 })
})

test('a correction outside the life of the service counts for nothing', async () => {
  await correct({ fromAt: createdAt - hour, toAt: createdAt }, 'failure')
  await correct({ fromAt: world.clock.now(), toAt: world.clock.now() + hour }, 'ok')
  expect(await level()).toEqual({ ok: 1800, failure: 1800, paused: 0 })
  expect(await stats()).toEqual([
    { count: 0, seconds: 0 },
    { count: 0, seconds: 0 },
  ])
})

test('a correction tells who made it and when', async () => {
  const reply = await world.call('bob', 'POST', '/corrections', {
    service_id: serviceId,
    start_time: formatMoment(createdAt),
    end_time: formatMoment(failureAt),
    status: 'failure',
    description: 'The shop sold nothing',
  })
  expect((await world.call('alice', 'GET', `/corrections/${idOf(reply)}`)).body).toEqual({
    id: idOf(reply),
    service_id: serviceId,
    start_time: formatMoment(createdAt),
    end_time: formatMoment(failureAt),
    status: 'failure',
    description: 'The shop sold nothing',
    created_at: formatMoment(world.clock.now()),
    created_by_account_id: world.people.ids.bob,
  })
})

test('an archived service may still be corrected', async () => {
  await world.call('alice', 'POST', `/services/${serviceId}/archive`)
  expect((await correct({ fromAt: createdAt, toAt: failureAt }, 'ok')).status).toBe(201)
})

test('corrections are made, modified and deleted together', async () => {
  const times = { start_time: formatMoment(createdAt), end_time: formatMoment(createdAt + 60_000) }
  const made = await world.call('bob', 'POST', '/corrections/bulk_create', {
    service_ids: [serviceId, serviceId],
    ...times,
    status: 'paused',
  })
  const ids = made.answer.map(({ id }) => id)
  expect(made.body).toEqual(ids.map((id) => ({ service_id: serviceId, id, ok: true, problems: [] })))
  const { body: updated } = await world.call('bob', 'POST', '/corrections/bulk_update', {
    ids,
    end_time: times.start_time,
  })
  expect(updated).toMatchObject(ids.map((id) => ({ id, ok: false, problems: [{ field: 'data.end_time' }] })))
  await world.call('bob', 'POST', '/corrections/bulk_update', { ids, status: 'failure', description: 'Agreed' })
  const listed = await world.call('alice', 'GET', `/corrections?service_id=${serviceId}&fields=status,description`)
  expect(listed.body).toEqual(ids.map(() => ({ status: 'failure', description: 'Agreed' })))
  const deleted = await world.call('bob', 'POST', '/corrections/bulk_delete', { ids })
  expect(deleted.body).toEqual(ids.map((id) => ({ id, ok: true, problems: [] })))
})

test('corrections_stats count the corrections of a change and its covered seconds once', async () => {
  const second = fc.integer({ min: -600, max: 4200 })
  const correction = fc.tuple(second, second).filter(([from, to]) => from < to)
  await fc.assert(
    fc.asyncProperty(fc.array(correction, { maxLength: 4 }), async (spans) => {
      await world.database.execute(sql`delete from corrections where service_id = ${serviceId}`)
      for (const [from, to] of spans)
        await correct({ fromAt: createdAt + from * 1000, toAt: createdAt + to * 1000 }, 'paused')
      // Second by second: the second change has the one in which it began.
      const covered = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => from + index).filter((at) =>
          spans.some(([start, end]) => start <= at && at < end),
        ).length
      const touching = (from: number, to: number) => spans.filter(([start, end]) => start < to && end > from).length
      expect(await stats()).toEqual([
        { count: touching(0, 1800), seconds: covered(0, 1800) },
        { count: touching(1800, 3600), seconds: covered(1800, 3600) },
      ])
      const { paused } = (await level()) as { paused: number }
      expect(paused).toBe(covered(0, 3600))
    }),
    { numRuns: 25 },
  )
})
