import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { stopMonitoring } from '../../src/service-state/stops.ts'
import { changesOf, intentsOf, type MonitoringWorld, monitoringWorld, planOf, statusOf } from '../support/monitoring.ts'

let world: MonitoringWorld
let monitoring: Monitoring

beforeAll(async () => {
  world = await monitoringWorld()
  monitoring = await world.start()
})
afterEach(() => world.clear())
afterAll(async () => {
  await monitoring.stop()
  await world.drop()
})

async function conditionsTold(id: number): Promise<string[]> {
  return (await intentsOf(world.database, id)).map((row) => row.notification_condition_id)
}

test('a failure of many rounds is told once, and so is its recovery', async () => {
  const id = await world.addService()
  await monitoring.drain()
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 600)
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 600)
  expect(await conditionsTold(id)).toEqual(['failure', 'recovery'])
  const changes = await changesOf(world.database, id)
  expect(changes.map(({ status }) => status)).toEqual(['ok', 'failure', 'ok'])
  expect(changes.map(({ end_time }) => end_time)).toEqual([changes[1]?.start_time, changes[2]?.start_time, null])
})

test('a notice carries everything that its message needs', async () => {
  const id = await world.addService()
  await monitoring.drain()
  const startedAt = world.clock.now()
  world.stations.answer = ({ sensorId }) => (sensorId === world.sensorIds[0] ? 'ok' : 'error')
  await world.pass(monitoring, 60)
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 60)
  const [failure, recovery] = await intentsOf(world.database, id)
  const [, failed, works] = await changesOf(world.database, id)
  expect(failure).toMatchObject({ event_id: expect.stringMatching(/^failure:\d+$/), address: 'alice@shop.example' })
  expect(failure?.facts).toEqual({
    condition: 'failure',
    service: { id, name: 'Shop', address: 'shop.example', type_id: 'http', tags: [] },
    group: { id: world.groupId, name: 'Home' },
    decidedAt: failed?.start_time,
    sinceAt: failed?.start_time,
    change: { id: expect.stringMatching(/^\d{15}$/), startedAt: failed?.start_time, endedAt: null },
    previous: { status: 'ok', startedAt },
    durationSeconds: null,
    analysis_id: expect.stringMatching(/^\d{15}$/),
    checks: [
      {
        sensor_id: world.sensorIds[0],
        sensor_name: 'Warsaw',
        city: 'Warszawa',
        country: 'PL',
        result: 'ok',
        response_time: 12,
        error_type_id: null,
        error_message: null,
      },
      {
        sensor_id: world.sensorIds[1],
        sensor_name: 'Cracow',
        city: 'Kraków',
        country: 'PL',
        result: 'error',
        response_time: null,
        error_type_id: 2001,
        error_message: 'The connection was refused.',
      },
      {
        sensor_id: world.sensorIds[2],
        sensor_name: 'Gdansk',
        city: 'Gdańsk',
        country: 'PL',
        result: 'error',
        response_time: null,
        error_type_id: 2001,
        error_message: 'The connection was refused.',
      },
    ],
    pauseReason: null,
  })
  expect(recovery?.facts).toMatchObject({
    condition: 'recovery',
    previous: { status: 'failure', startedAt: failed?.start_time },
    sinceAt: works?.start_time,
    // The failure that ended, not the state that began.
    change: { startedAt: failed?.start_time, endedAt: works?.start_time },
    durationSeconds: 60,
  })
})

test('only the chosen conditions are told, to the addresses of the chosen channels', async () => {
  const conditionIds = ['failure', 'failure_continuation', 'recovery']
  const both = await world.addService({ channelIds: ['email', 'sms'], conditionIds })
  const none = await world.addService({ channelIds: [], conditionIds })
  const recoveries = await world.addService({ conditionIds: ['recovery'] })
  world.stations.answer = () => 'error'
  await monitoring.drain()
  await world.pass(monitoring, 600)
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 60)
  const told = await intentsOf(world.database, both)
  expect(told.filter(({ address }) => address === '+48500100200').map((row) => row.notification_condition_id)).toEqual([
    'failure',
    ...new Array(5).fill('failure_continuation'),
    'recovery',
  ])
  expect(told).toHaveLength(14)
  expect(new Set(told.map(({ event_id, address }) => event_id + address)).size).toBe(14)
  expect(await conditionsTold(none)).toEqual([])
  expect(await conditionsTold(recoveries)).toEqual([])
})

test('an acknowledged failure is not told again; the next one is, though nobody took that back', async () => {
  const id = await world.addService({ conditionIds: ['failure', 'failure_continuation', 'recovery'] })
  await monitoring.drain()
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 60)
  await world.database.execute(sql`
    update service_statuses set acknowledged_change_id = state_change_id where service_id = ${id}`)
  await world.pass(monitoring, 600)
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 60)
  expect(await conditionsTold(id)).toEqual(['failure', 'recovery'])
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 120)
  expect((await conditionsTold(id)).slice(2)).toEqual(['failure', 'failure_continuation'])
})

test('while a failure lasts a service is checked every minute, unless it does not want that', async () => {
  const [quick, slow] = [
    await world.addService({ interval: 600 }),
    await world.addService({ interval: 600, settings: { disable_breakdown_checks: true } }),
  ]
  world.stations.answer = () => 'error'
  await monitoring.drain()
  expect((await planOf(world.database, quick)).due_at - world.clock.now()).toBeLessThanOrEqual(60_000)
  world.stations.jobs.length = 0
  await world.pass(monitoring, 1200)
  expect(world.stations.jobs.filter(({ serviceId }) => serviceId === quick)).toHaveLength(20 * 3)
  expect(world.stations.jobs.filter(({ serviceId }) => serviceId === slow)).toHaveLength(2 * 3)
})

test('a delayed failure is confirmed at the exact delay and told only then', async () => {
  const id = await world.addService({
    interval: 86_400,
    modeId: 'after_30_seconds_failure',
    settings: { disable_breakdown_checks: true },
  })
  world.stations.answer = () => 'error'
  await monitoring.drain()
  const failedAt = world.clock.now()
  expect(await planOf(world.database, id)).toEqual({ due_at: failedAt + 30_000, reason: 'confirmation' })
  await world.pass(monitoring, 29)
  expect(await conditionsTold(id)).toEqual([])
  await world.pass(monitoring, 1)
  expect(await conditionsTold(id)).toEqual(['failure'])
  expect((await intentsOf(world.database, id))[0]?.facts).toMatchObject({
    decidedAt: failedAt + 30_000,
    sinceAt: failedAt,
  })
})

test('a failure that ends before its delay is never told, nor is its recovery', async () => {
  const id = await world.addService({ modeId: 'after_5_minutes_failure' })
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 240)
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 600)
  expect(await conditionsTold(id)).toEqual([])
  expect((await changesOf(world.database, id)).map(({ status }) => status)).toEqual(['failure', 'ok'])
})

test('a delayed recovery is told when the service still works after the delay', async () => {
  const id = await world.addService({ interval: 3600, recoveryModeId: 'after_5_minutes' })
  world.stations.answer = () => 'error'
  await monitoring.drain()
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 60)
  const [, works] = await changesOf(world.database, id)
  await world.pass(monitoring, 300)
  const [, recovery] = await intentsOf(world.database, id)
  expect(recovery?.facts).toMatchObject({ condition: 'recovery', decidedAt: (works?.start_time ?? 0) + 300_000 })
  expect(recovery?.facts.durationSeconds).toBeLessThanOrEqual(60)
})

test('quiet hours tell nothing, monitoring goes on', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await world.database.execute(sql`update service_statuses set notifications_status = 'silent'`)
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 120)
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 120)
  expect(await conditionsTold(id)).toEqual([])
  expect(await changesOf(world.database, id)).toHaveLength(3)
})

test('a stop by the user is told when it was chosen, a suspension never', async () => {
  const conditionIds = ['failure', 'pause']
  const [stopped, suspended] = [await world.addService({ conditionIds }), await world.addService({ conditionIds })]
  const silent = await world.addService({ conditionIds: ['failure'] })
  await monitoring.drain()
  await world.database.transaction(async (transaction) => {
    await stopMonitoring(transaction, stopped, 'user', world.clock.now())
    await stopMonitoring(transaction, stopped, 'user', world.clock.now())
    await stopMonitoring(transaction, suspended, 'suspension', world.clock.now())
    await stopMonitoring(transaction, silent, 'user', world.clock.now())
  })
  expect((await intentsOf(world.database, stopped)).map(({ facts }) => facts)).toMatchObject([
    { condition: 'pause', pauseReason: 'user', previous: { status: 'ok' }, analysis_id: null, checks: [] },
  ])
  expect(await conditionsTold(suspended)).toEqual([])
  expect(await conditionsTold(silent)).toEqual([])
  expect(await statusOf(world.database, stopped)).toMatchObject({
    monitoring_status: 'off',
    state: 'paused',
    valid_until: null,
  })
  expect(await statusOf(world.database, suspended)).toMatchObject({ monitoring_status: 'suspended', state: 'paused' })
})

test('intents wake the notifier when they are committed, and only then', async () => {
  let woken = 0
  let notice = () => {}
  const heard = new Promise<void>((resolve) => {
    notice = resolve
  })
  const stop = await world.database.listen('notifications', () => {
    woken++
    notice()
  })
  await world.addService()
  await monitoring.drain()
  expect(woken).toBe(0)
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 60)
  await heard
  await stop()
})
