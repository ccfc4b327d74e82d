import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { type FarCore, farCore, jobsOf, type RawStation, readyStation } from '../support/far-core.ts'
import { analysesOf, type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

/** Rounds whose stations are all far away. */
let world: MonitoringWorld
let core: FarCore
let monitoring: Monitoring
const peers = new Map<number, RawStation>()

beforeAll(async () => {
  world = await monitoringWorld()
  core = await farCore({ clock: world.clock })
  monitoring = await world.start({ stations: core.stations })
})
afterEach(async () => {
  for (const { socket } of peers.values()) socket.terminate()
  for (const id of peers.keys()) await core.connected(id, false)
  peers.clear()
  await world.clear()
})
afterAll(async () => {
  await monitoring.stop()
  await core.stop()
  await world.drop()
})

async function connect(...sensorIds: readonly number[]): Promise<void> {
  for (const id of sensorIds) peers.set(id, await readyStation(core, id))
}

function peer(sensorId: number): RawStation {
  const found = peers.get(sensorId)
  if (found === undefined) throw new Error(`sensor ${sensorId} is not connected`)
  return found
}

/** Gives the answer of a sensor to its next job; returns it. */
async function answer(sensorId: number, more: object = { result: 'ok', response_time: 10 }) {
  const [job] = await jobsOf(peer(sensorId))
  const result = { id: job.id, started_at: job.start_at, ...more }
  peer(sensorId).send({ kind: 'results', results: [result] })
  return result
}

test('a station that is lost in the middle of a check is replaced in the same round', async () => {
  const [first, second, third] = world.sensorIds
  await connect(first, second, third, world.spareSensorId)
  const serviceId = await world.addService()
  const round = monitoring.drain()
  await Promise.all([answer(first), answer(second)])
  await jobsOf(peer(third))
  peer(third).socket.terminate()
  await answer(world.spareSensorId)
  await round
  const sensorIds = [first, second, world.spareSensorId]
  expect(await analysesOf(world.database, serviceId)).toMatchObject([
    { verdict: 'ok', sensor_ids: sensorIds, results: ['o', 'o', 'o'] },
  ])
})

test('without a replacement its vote is unknown at once, and the others judge', async () => {
  const [first, second, third] = world.sensorIds
  await connect(first, second, third)
  const serviceId = await world.addService()
  const round = monitoring.drain()
  const failure = { result: 'error', error_type_id: 2001, error_message: 'refused' }
  await Promise.all([answer(first, failure), answer(second, failure)])
  await jobsOf(peer(third))
  peer(third).socket.terminate()
  await round
  expect(await analysesOf(world.database, serviceId)).toMatchObject([{ verdict: 'failure', results: ['e', 'e', 'u'] }])
})

test('what a station hands over after its round was judged changes nothing', async () => {
  const [first, second, third] = world.sensorIds
  await connect(first, second, third, world.spareSensorId)
  const serviceId = await world.addService()
  const round = monitoring.drain()
  await Promise.all([answer(first), answer(second)])
  const [job] = await jobsOf(peer(third))
  peer(third).socket.terminate()
  await answer(world.spareSensorId)
  await round
  const judged = await analysesOf(world.database, serviceId)
  await core.connected(third, false)
  await connect(third)
  const late = { id: job.id, started_at: job.start_at, result: 'error', error_type_id: 2001, error_message: 'refused' }
  peer(third).send({ kind: 'results', results: [late, late] })
  expect(await peer(third).next('acknowledge')).toMatchObject({ ids: [job.id, job.id] })
  await monitoring.drain()
  expect(await analysesOf(world.database, serviceId)).toEqual(judged)
})
