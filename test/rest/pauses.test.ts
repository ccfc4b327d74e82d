import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { idOf } from '../support/replies.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

const hour = 3_600_000

async function addService(values: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const service = { type_id: 'http', address: 'shop.example', name: 'Shop', ...values }
  return idOf(await world.call('alice', 'POST', '/services', service))
}

interface Shown {
  readonly monitoring_status: string
  readonly notifications_status: string
  readonly summary: string
}

async function statusOf(id: number): Promise<Shown> {
  return (await world.call('alice', 'GET', `/service_statuses/${id}`)).body as Shown
}

async function pauseReasonOf(id: number): Promise<unknown> {
  const { body } = await world.call('alice', 'GET', `/services/${id}/history/status_changes`)
  const list = body as { readonly status: string; readonly pause_reason: string | null }[]
  return list.find(({ status }) => status === 'paused')?.pause_reason
}

function around(): { start_time: string; end_time: string } {
  const now = world.clock.now()
  return { start_time: formatMoment(now - hour), end_time: formatMoment(now + hour) }
}

/** The world's clock stands at 10:00 in Warsaw on a Saturday. */
const saturday = 6
const thisHour = {
  start_minute: { day_of_week: saturday, hour: 10, minute: 0 },
  end_minute: { day_of_week: saturday, hour: 11, minute: 0 },
}

test.each(['suspensions', 'scheduled_suspensions'])('%s stop monitoring while they last', async (resource) => {
  const id = await addService()
  const { start_time, end_time } = around()
  const period = resource === 'suspensions' ? { start_time, end_time } : { start: start_time, end: end_time }
  const suspensionId = idOf(await world.call('alice', 'POST', `/${resource}`, { service_id: id, ...period }))
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'suspended', summary: 'suspended' })
  expect(await pauseReasonOf(id)).toBe('suspension')
  const later = resource === 'suspensions' ? { start_time: end_time, end_time: '2030-01-01T00:00:00Z' } : undefined
  if (later !== undefined) {
    await world.call('alice', 'PUT', `/${resource}/${suspensionId}`, later)
    expect(await statusOf(id)).toMatchObject({ monitoring_status: 'on' })
    await world.call('alice', 'PUT', `/${resource}/${suspensionId}`, { start_time })
    expect(await statusOf(id)).toMatchObject({ monitoring_status: 'suspended' })
  }
  await world.call('alice', 'DELETE', `/${resource}/${suspensionId}`)
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'on', notifications_status: 'on' })
})

test('a suspension of many services stops each', async () => {
  const ids = [await addService(), await addService()]
  const made = await world.call('alice', 'POST', '/suspensions/bulk_create', { service_ids: ids, ...around() })
  for (const id of ids) expect(await statusOf(id)).toMatchObject({ monitoring_status: 'suspended' })
  const suspensionIds = made.answer.map(({ id }) => id)
  await world.call('alice', 'POST', '/suspensions/bulk_delete', { ids: suspensionIds })
  for (const id of ids) expect(await statusOf(id)).toMatchObject({ monitoring_status: 'on' })
})

test('quiet hours silence the notices, monitoring goes on', async () => {
  const id = await addService()
  const quiet = { service_id: id, only_notifications: true }
  const once = idOf(await world.call('alice', 'POST', '/suspensions', { ...quiet, ...around() }))
  const weekly = idOf(await world.call('alice', 'POST', '/weekly_suspensions', { ...quiet, ...thisHour }))
  const silent = { monitoring_status: 'on', notifications_status: 'silent' }
  expect(await statusOf(id)).toMatchObject(silent)
  await world.call('alice', 'DELETE', `/suspensions/${once}`)
  expect(await statusOf(id)).toMatchObject(silent)
  await world.call('alice', 'DELETE', `/weekly_suspensions/${weekly}`)
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'on', notifications_status: 'on' })
})

test('the older strings of hours hold at once, also for a new service', async () => {
  const suspended = {
    suspension_hours: `${'0'.repeat((saturday - 1) * 24)}${'1'.repeat(24)}${'0'.repeat((7 - saturday) * 24)}`,
  }
  const [old, fresh] = [await addService(), await addService({ ...suspended, silent_hours: '1'.repeat(24) })]
  await world.call('alice', 'PUT', `/services/${old}`, suspended)
  expect(await statusOf(old)).toMatchObject({ monitoring_status: 'suspended', notifications_status: 'on' })
  expect(await statusOf(fresh)).toMatchObject({ monitoring_status: 'suspended', notifications_status: 'silent' })
  expect(await pauseReasonOf(fresh)).toBe('suspension_hours')
  await world.call('alice', 'PUT', `/services/${old}`, { suspension_hours: '0'.repeat(168) })
  expect(await statusOf(old)).toMatchObject({ monitoring_status: 'on' })
})

test('another zone of the account moves its weekly windows at once', async () => {
  const id = await addService()
  await world.call('alice', 'POST', '/weekly_suspensions', { service_id: id, ...thisHour })
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'suspended' })
  await world.call('alice', 'PUT', '/accounts/my_account', { time_zone_id: 'utc' })
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'on' })
  await world.call('alice', 'PUT', '/accounts/my_account', { time_zone_id: 'europe_warsaw' })
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'suspended' })
})

test('a stop by hand wins, and a suspension outlasts the hand that starts again', async () => {
  const id = await addService()
  await world.call('alice', 'PUT', `/services/${id}`, { is_active: false })
  const suspension = idOf(await world.call('alice', 'POST', '/suspensions', { service_id: id, ...around() }))
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'off', summary: 'paused' })
  expect(await pauseReasonOf(id)).toBe('user')
  await world.call('alice', 'PUT', `/services/${id}`, { is_active: true })
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'suspended' })
  await world.call('alice', 'PUT', `/services/${id}`, { is_active: false })
  await world.call('alice', 'DELETE', `/suspensions/${suspension}`)
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'off' })
})

test('archiving in a suspension is off for good, and restoring leaves it off', async () => {
  const id = await addService()
  await world.call('alice', 'POST', '/suspensions', { service_id: id, ...around() })
  await world.call('alice', 'POST', `/services/${id}/archive`)
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'off' })
  await world.call('alice', 'POST', `/services/${id}/restore`)
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'off' })
  await world.call('alice', 'PUT', `/services/${id}`, { is_active: true })
  expect(await statusOf(id)).toMatchObject({ monitoring_status: 'suspended' })
})

interface ShownChange {
  readonly status: string
  readonly pause_reason: string | null
  readonly start_time: string
}

async function pauseOf(id: number): Promise<ShownChange | undefined> {
  const { body } = await world.call('alice', 'GET', `/services/${id}/history/status_changes`)
  return (body as ShownChange[]).find(({ status }) => status === 'paused')
}

/** From 11:00 to 12:00 in Warsaw on this Saturday. */
const nextHour = {
  start_minute: { day_of_week: saturday, hour: 11, minute: 0 },
  end_minute: { day_of_week: saturday, hour: 12, minute: 0 },
}
const nextHourOnly = `${'0'.repeat((saturday - 1) * 24 + 11)}1${'0'.repeat(168 - (saturday - 1) * 24 - 12)}`

/** Each plans the next hour and hands back the way to change that. */
const planned: Readonly<Record<string, (id: number) => Promise<() => Promise<unknown>>>> = {
  suspension: async (id) => {
    const [start_time, end_time] = [world.clock.now() + hour, world.clock.now() + 2 * hour].map(formatMoment)
    const plan = idOf(await world.call('alice', 'POST', '/suspensions', { service_id: id, start_time, end_time }))
    return () => world.call('alice', 'DELETE', `/suspensions/${plan}`)
  },
  weekly_suspension: async (id) => {
    const plan = idOf(await world.call('alice', 'POST', '/weekly_suspensions', { service_id: id, ...nextHour }))
    return () => world.call('alice', 'PUT', `/weekly_suspensions/${plan}`, { only_notifications: true })
  },
  suspension_hours: async (id) => {
    await world.call('alice', 'PUT', `/services/${id}`, { suspension_hours: nextHourOnly })
    return () => world.call('alice', 'PUT', `/services/${id}`, { suspension_hours: '0'.repeat(168) })
  },
  zone: async (id) => {
    await world.call('alice', 'POST', '/weekly_suspensions', { service_id: id, ...nextHour })
    return () => world.call('alice', 'PUT', '/accounts/my_account', { time_zone_id: 'utc' })
  },
  'zone by an administrator': async (id) => {
    await world.call('alice', 'POST', '/weekly_suspensions', { service_id: id, ...nextHour })
    return () => world.call('dora', 'PUT', `/admin/accounts/${world.people.ids.alice}`, { time_zone_id: 'utc' })
  },
}

test.each(Object.keys(planned))(
  'what a calendar said while nobody monitored stays said after its %s changes',
  async (what) => {
    await world.call('alice', 'PUT', '/accounts/my_account', { time_zone_id: 'europe_warsaw' })
    world.clock.step(Date.UTC(2026, 10, 21, 9) - world.clock.now())
    const id = await addService()
    const change = await planned[what]?.(id)
    world.clock.step(1.5 * hour)
    await change?.()
    expect(await pauseOf(id)).toMatchObject({ start_time: '2026-11-21T10:00:00Z' })
    expect(await statusOf(id)).toMatchObject({ monitoring_status: 'on' })
  },
)

test('a plan made while nobody monitored holds from then on, not from an earlier end of quiet hours', async () => {
  world.clock.step(Date.UTC(2026, 10, 21, 9) - world.clock.now())
  const id = await addService()
  const [now, ago] = [world.clock.now(), formatMoment(world.clock.now() - hour)]
  const quiet = { service_id: id, only_notifications: true, start_time: ago, end_time: formatMoment(now + hour) }
  await world.call('alice', 'POST', '/suspensions', quiet)
  world.clock.step(2 * hour)
  const later = { service_id: id, start_time: ago, end_time: formatMoment(now + 3 * hour) }
  await world.call('alice', 'POST', '/suspensions', later)
  expect(await pauseOf(id)).toMatchObject({ start_time: formatMoment(now + 2 * hour), pause_reason: 'suspension' })
})
