import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { keepGoodScreenshot, pruneGoodScreenshots } from '../../src/history/good-screenshots.ts'
import type { CheckEvidence, CheckJob } from '../../src/sensor/protocol.ts'
import { removeServices, sweepRemovedServices } from '../../src/service-state/services.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

let world: MonitoringWorld

beforeAll(async () => {
  world = await monitoringWorld()
})
afterEach(async () => {
  world.endProcesses()
  await world.clear()
  await world.database.execute(sql`truncate good_screenshots`)
  world.stations.jobs.length = 0
})
afterAll(() => world.drop())

const dayMs = 86_400_000
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])

const evidence: CheckEvidence = {
  ...{ base_url: '', ip_address: null, status_code: null, response_headers: null, content_type: null },
  ...{ file_name: null, facts: {} },
  artifacts: [{ typeId: 'screenshot', contentType: 'image/jpeg', bytes: jpeg }],
}

/** Good pages; whoever is asked for a picture brings it. */
const goodPages = (job: CheckJob) =>
  job.wantsScreenshot === true ? ({ ...goodResult, evidence } as const) : ({ ...goodResult, evidence: null } as const)
const goodResult = { result: 'ok', errorTypeId: null, errorMessage: null, responseTime: 12 } as const

const asked = () => world.stations.jobs.filter(({ wantsScreenshot }) => wantsScreenshot === true)
const kept = () =>
  world.database.query<{ service_id: number; day: string; sensor_id: number; picture: Buffer }>(
    sql`select service_id, day::text as day, sensor_id, picture from good_screenshots order by day`,
  )

const pictureOf = (serviceId: number, takenAt: number) => ({
  ...{ serviceId, typeId: 'fullpage', analysisId: takenAt * 100, sensorId: world.sensorIds[0], takenAt },
  picture: jpeg,
})

test('a good page leaves one picture a day: one station takes it, and none is taken again', async () => {
  world.stations.answer = goodPages
  const id = await world.addService({ typeId: 'fullpage', interval: 60 })
  const [one, other] = [await world.start(), await world.start()]
  for (let minute = 0; minute < 5; minute += 1) {
    await Promise.all([one.drain(), other.drain()])
    await world.pass(one, 60)
  }
  // The process that did not see the picture asks the database before it asks a station.
  expect(asked()).toHaveLength(1)
  expect(world.stations.jobs.length).toBeGreaterThan(9)
  const [picture, ...others] = await kept()
  expect(others).toEqual([])
  expect(picture).toMatchObject({ service_id: id, sensor_id: asked()[0]?.sensorId })
  expect(picture?.picture.equals(jpeg)).toBe(true)
  // The round that was missed meanwhile is not caught up: the next one brings the picture of the new day.
  world.clock.advance(dayMs)
  await world.pass(other, 120)
  expect(await kept()).toHaveLength(2)
})

test('a picture is asked for until a good round brings one, of each station in its turn', async () => {
  const [failing = 0] = world.sensorIds
  world.stations.answer = (job) => (job.sensorId === failing ? 'error' : goodPages(job))
  await world.addService({ typeId: 'fullpage', interval: 60 })
  const monitoring = await world.start()
  await monitoring.drain()
  await world.pass(monitoring, 300)
  expect(await kept()).toHaveLength(1)
  expect((await kept())[0]?.sensor_id).not.toBe(failing)
})

test('other types and failed rounds leave none', async () => {
  world.stations.answer = () => ({ ...goodResult, evidence })
  await world.addService({ typeId: 'http', interval: 60 })
  const monitoring = await world.start()
  await monitoring.drain()
  expect([asked().length, await kept()]).toEqual([0, []])
  world.stations.answer = (job) => (job.sensorId === world.sensorIds[2] ? { ...goodResult, evidence } : 'error')
  await world.addService({ typeId: 'fullpage', interval: 60 })
  await monitoring.drain()
  await world.pass(monitoring, 300)
  expect(asked().length).toBeGreaterThan(0)
  expect(await kept()).toEqual([])
})

test('of pictures that come at the same moment one is kept', async () => {
  const id = await world.addService({ typeId: 'fullpage' })
  const now = world.clock.now()
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_none, index) =>
      keepGoodScreenshot(world.database, {
        ...pictureOf(id, now),
        picture: Buffer.concat([jpeg, Buffer.from([index])]),
      }),
    ),
  )
  expect(outcomes.filter(Boolean)).toHaveLength(1)
  expect(await kept()).toHaveLength(1)
  expect(await keepGoodScreenshot(world.database, pictureOf(id + 1000, now))).toBe(false)
})

test('a picture stays for its days, and longer while the failure after it has evidence', async () => {
  const id = await world.addService({ typeId: 'fullpage' })
  const now = world.clock.now()
  const ago = (days: number) => now - days * dayMs
  const fail = (from: number, to: number | null) =>
    world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, start_time, end_time)
      values (${id}, ${from * 100}, 'failure', ${new Date(from)}, ${to === null ? null : new Date(to)})`)
  for (const days of [60, 50, 40, 30, 20, 3]) await keepGoodScreenshot(world.database, pictureOf(id, ago(days)))
  // After the picture of 50 days ago; its evidence is gone. After that of 30 days ago; its evidence is there.
  await fail(ago(49), ago(48))
  await fail(ago(29), ago(28))
  const prune = (endedBefore: number) => pruneGoodScreenshots(world.database, { takenBefore: ago(7), endedBefore })
  expect(await prune(ago(45))).toBe(4)
  const left = async () => (await kept()).map(({ day }) => day)
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  expect(await left()).toEqual([dayOf(ago(30)), dayOf(ago(3))])
  expect(await prune(ago(20))).toBe(1)
  expect(await left()).toEqual([dayOf(ago(3))])
})

test('a failure that goes on keeps its picture', async () => {
  const id = await world.addService({ typeId: 'fullpage' })
  const at = world.clock.now() - 100 * dayMs
  await keepGoodScreenshot(world.database, pictureOf(id, at))
  await world.database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time)
    values (${id}, ${at * 100 + 1}, 'failure', ${new Date(at + 1000)})`)
  const now = world.clock.now()
  expect(await pruneGoodScreenshots(world.database, { takenBefore: now, endedBefore: now })).toBe(0)
})

test('the pictures of a removed service go with its history', async () => {
  const id = await world.addService({ typeId: 'fullpage' })
  await keepGoodScreenshot(world.database, pictureOf(id, world.clock.now()))
  await world.database.transaction((transaction) => removeServices(transaction, [id]))
  await sweepRemovedServices(world.database)
  expect(await kept()).toEqual([])
})
