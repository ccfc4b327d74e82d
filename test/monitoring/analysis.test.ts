import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { errorType } from '../../src/domain/judging/error-types.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import {
  analysesOf,
  changesOf,
  type MonitoringWorld,
  monitoringWorld,
  planOf,
  statusOf,
} from '../support/monitoring.ts'

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

test('a new service is checked at once by its three sensors at the same moment, and its status is known', async () => {
  const id = await world.addService({ interval: 300 })
  await monitoring.drain()
  expect(world.stations.jobs.map(({ sensorId }) => sensorId)).toEqual(world.sensorIds)
  expect(new Set(world.stations.jobs.map(({ startAt }) => startAt))).toEqual(new Set([world.clock.now()]))
  expect(world.stations.jobs[0]).toMatchObject({
    serviceId: id,
    typeId: 'http',
    address: 'shop.example',
    settings: { timeout: 7000, http_method: 'GET' },
    deadlineAt: world.clock.now() + 9000,
  })
  const [analysis] = await analysesOf(world.database, id)
  expect(analysis).toMatchObject({
    verdict: 'ok',
    sensor_ids: world.sensorIds,
    results: ['o', 'o', 'o'],
    failures: null,
  })
  expect(await statusOf(world.database, id)).toMatchObject({
    check_status: 'ok',
    state: 'ok',
    last_analysis_id: analysis?.analysis_id,
    valid_until: world.clock.now() + 660_000,
  })
  expect(await changesOf(world.database, id)).toEqual([
    { status: 'ok', pause_reason: null, start_time: world.clock.now(), end_time: null },
  ])
})

test('the status keeps how long the good checks of the last analysis with any took', async () => {
  const id = await world.addService()
  world.stations.answer = ({ sensorId }) => ({
    result: sensorId === world.sensorIds[0] ? 'error' : 'ok',
    responseTime: { [world.sensorIds[0]]: 5000, [world.sensorIds[1]]: 40, [world.sensorIds[2]]: 81 }[sensorId] ?? null,
  })
  await monitoring.drain()
  expect(await statusOf(world.database, id)).toMatchObject({ last_response_time: 61 })
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 60)
  expect(await statusOf(world.database, id)).toMatchObject({ state: 'failure', last_response_time: 61 })
})

test('the error of a minority stays below the tolerance, that of a majority is a failure', async () => {
  const id = await world.addService()
  world.stations.answer = ({ sensorId }) => (sensorId === world.sensorIds[0] ? 'error' : 'ok')
  await monitoring.drain()
  expect(await statusOf(world.database, id)).toMatchObject({ state: 'ok' })
  world.stations.answer = ({ sensorId }) => (sensorId === world.sensorIds[2] ? 'ok' : 'error')
  await world.pass(monitoring, 60)
  expect(await statusOf(world.database, id)).toMatchObject({ state: 'failure', check_status: 'failure' })
  expect((await analysesOf(world.database, id)).at(-1)?.failures).toMatchObject({
    [world.sensorIds[0]]: { error_type_id: 2001, error_message: 'The connection was refused.', artifacts: [] },
  })
})

test('with a lost majority there is no verdict: the analysis is kept, status and history stay, and the verdict grows old', async () => {
  const id = await world.addService({ settings: { sensors_failover: false } })
  await monitoring.drain()
  const before = await statusOf(world.database, id)
  world.stations.disconnect(world.sensorIds[0], world.sensorIds[1])
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 300)
  expect((await analysesOf(world.database, id)).slice(1)).toHaveLength(5)
  expect((await analysesOf(world.database, id)).at(-1)).toMatchObject({ verdict: 'none', results: ['u', 'u', 'e'] })
  const unknown = { unknown_reason: 'sensor_lost', unknown_since: expect.any(Number) }
  expect(await statusOf(world.database, id)).toEqual({ ...before, ...unknown })
  expect(before?.valid_until).toBeLessThan(world.clock.now())
  expect(await changesOf(world.database, id)).toHaveLength(1)
})

test('another sensor checks in the place of a lost one, under its own id', async () => {
  const id = await world.addService()
  world.stations.disconnect(world.sensorIds[1])
  await monitoring.drain()
  const [first, , third] = world.sensorIds
  expect((await analysesOf(world.database, id))[0]?.sensor_ids).toEqual([first, world.spareSensorId, third])
})

test('a sensor that gets lost in the middle of a round is replaced in the same round', async () => {
  const id = await world.addService()
  const [first, second, third] = world.sensorIds
  world.stations.answer = ({ sensorId }) =>
    sensorId === second ? { result: 'unknown', errorTypeId: errorType('sensor_lost').id } : 'error'
  await monitoring.drain()
  const [analysis] = await analysesOf(world.database, id)
  expect(analysis).toMatchObject({ verdict: 'failure', sensor_ids: [first, world.spareSensorId, third] })
  expect(analysis?.results).toEqual(['e', 'e', 'e'])
  expect(world.stations.jobs.map(({ sensorId }) => sensorId)).toEqual([first, second, third, world.spareSensorId])
})

test('without sensors_failover or without a free sensor a lost one stays lost', async () => {
  const lost = { result: 'unknown', errorTypeId: errorType('sensor_lost').id } as const
  const [first, second, third] = world.sensorIds
  world.stations.answer = ({ sensorId }) => (sensorId === first ? 'ok' : lost)
  const id = await world.addService({ settings: { sensors_failover: false } })
  const everyone = await world.addService({ sensorIds: [first, second, third, world.spareSensorId] })
  const replaced = await world.addService()
  await monitoring.drain()
  expect((await analysesOf(world.database, id))[0]).toMatchObject({ verdict: 'none', results: ['o', 'u', 'u'] })
  expect((await analysesOf(world.database, everyone))[0]).toMatchObject({ results: ['o', 'u', 'u', 'u'] })
  expect((await analysesOf(world.database, replaced))[0]).toMatchObject({ results: ['o', 'u', 'u'] })
  expect(world.stations.jobs).toHaveLength(3 + 4 + 4)
})

test("a service's own sensors are replaced like a group's", async () => {
  const id = await world.addService({ sensorIds: [world.spareSensorId] })
  world.stations.disconnect(world.spareSensorId)
  await monitoring.drain()
  expect((await analysesOf(world.database, id))[0]?.sensor_ids).toEqual([world.sensorIds[0]])
})

test('what a station says of its own identity is not believed', async () => {
  const id = await world.addService()
  world.stations.answer = () => ({ result: 'ok', serviceId: 4711, sensorId: 4711 })
  await monitoring.drain()
  expect((await analysesOf(world.database, id))[0]?.sensor_ids).toEqual(world.sensorIds)
})

test("a service's own sensors override its group's", async () => {
  const id = await world.addService({ sensorIds: [world.spareSensorId] })
  await monitoring.drain()
  expect((await analysesOf(world.database, id))[0]?.sensor_ids).toEqual([world.spareSensorId])
})

test('a service without sensors in its category is not analysed but stays planned', async () => {
  const id = await world.addService({ typeId: 'http_ipv6' })
  await world.pass(monitoring, 120)
  expect(world.stations.jobs).toEqual([])
  expect(await analysesOf(world.database, id)).toEqual([])
  expect(await statusOf(world.database, id)).toMatchObject({ state: null, valid_until: null })
  expect((await planOf(world.database, id)).due_at).toBeGreaterThan(world.clock.now())
})

test('a station that does not answer in time is unknown, and its late answer changes nothing', async () => {
  const id = await world.addService()
  world.stations.answer = ({ sensorId }) => (sensorId === world.sensorIds[0] ? 'silent' : 'ok')
  const draining = monitoring.drain()
  await world.stations.asked(3)
  world.clock.advance(8999)
  expect(await analysesOf(world.database, id)).toEqual([])
  world.clock.advance(1)
  await draining
  expect((await analysesOf(world.database, id))[0]).toMatchObject({
    verdict: 'ok',
    results: ['u', 'o', 'o'],
    failures: { [world.sensorIds[0]]: { error_type_id: 9002 } },
  })
})

test('what a target sends is kept even when the database could not keep it as it is', async () => {
  const id = await world.addService()
  world.stations.answer = () => ({ result: 'error', errorMessage: 'said \0 and \ud800' })
  await monitoring.drain()
  expect((await analysesOf(world.database, id))[0]?.failures?.[world.sensorIds[0]]).toMatchObject({
    error_message: 'said \ufffd and \ufffd',
  })
})

test('files of failed checks are handed over and found by their key; a full disk spoils no analysis', async () => {
  const kept: string[] = []
  const keeper = await world.start({
    async keepArtifact(bytes) {
      const text = new TextDecoder().decode(bytes)
      if (text === `Oops ${world.sensorIds[1]}`) throw new Error('disk full')
      kept.push(text)
      return `key of ${text}`
    },
  })
  const id = await world.addService()
  const evidence = {
    base_url: 'http://shop.example/',
    ip_address: '192.0.2.1',
    status_code: 500,
    response_headers: 'A: b',
  }
  world.stations.answer = ({ sensorId }) => ({
    result: sensorId === world.sensorIds[2] ? 'ok' : 'error',
    evidence: {
      ...{ ...evidence, content_type: 'text/plain', file_name: 'index.txt', facts: { 'a\0': 'b\0' } },
      artifacts: [
        { typeId: 'content', contentType: 'text/plain', bytes: new TextEncoder().encode(`Oops ${sensorId}`) },
      ],
    },
  })
  await keeper.drain()
  await keeper.stop()
  const page = `Oops ${world.sensorIds[0]}`
  expect(kept).toEqual([page])
  const failures = (await analysesOf(world.database, id))[0]?.failures
  expect(failures?.[world.sensorIds[0]]).toMatchObject({
    ...evidence,
    artifacts: [{ id: 'content', key: `key of ${page}`, content_type: 'text/plain', size: page.length }],
  })
  expect(failures?.[world.sensorIds[1]]).toMatchObject({ artifacts: [] })
})

test('a round that cannot be recorded does not hold up the others', async () => {
  const [good, bad] = [await world.addService(), await world.addService({ settings: { sensors_failover: false } })]
  await world.database.execute(
    sql`update groups set assigned_sensor_ids = jsonb_set(assigned_sensor_ids, '{ipv6}', '[3000000000]')`,
  )
  await world.database.execute(sql`update services set type_id = 'http_ipv6' where id = ${bad}`)
  await monitoring.drain()
  await world.database.execute(
    sql`update groups set assigned_sensor_ids = jsonb_set(assigned_sensor_ids, '{ipv6}', '[]')`,
  )
  expect(await analysesOf(world.database, good)).toHaveLength(1)
  expect(await analysesOf(world.database, bad)).toEqual([])
  expect((await planOf(world.database, bad)).due_at).toBeGreaterThan(world.clock.now())
})

test('sensors that are connected here report in', async () => {
  world.stations.disconnect(world.sensorIds[0])
  await world.database.execute(sql`update sensors set last_seen_at = null`)
  await monitoring.drain()
  const seen = await world.database.query(
    sql`select id from sensors where last_seen_at = ${new Date(world.clock.now())} order by id`,
  )
  expect(seen).toEqual([world.sensorIds[1], world.sensorIds[2], world.spareSensorId].map((id) => ({ id })))
})
