import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../program/launch.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { storyFromEnvironment } from './chance.ts'
import { doubledRounds, missedRounds, wrongNotices, wrongPeriods, wrongSums } from './ledger.ts'
import { wrongMails } from './mails.ts'
import { expireDeliveries, makeScene, type Scene } from './scene.ts'
import { catchUp, type Surroundings, startSurroundings } from './story.ts'
import { type Victim, victim } from './victim.ts'

const { seed } = storyFromEnvironment(1)
const data = temporaryDirectory()
let surroundings: Surroundings
let world: TestDatabase
let [first, second, third]: Victim[] = []
let scene: Scene

async function startOne(): Promise<Victim> {
  const one = victim({ DATABASE_URL: world.url, DATA_DIR: data.path, SMTP_URL: surroundings.mailbox.url })
  await one.start()
  return one
}

beforeAll(async () => {
  world = await testDatabase()
  surroundings = await startSurroundings(seed)
  first = await startOne()
  scene = await makeScene(first, surroundings.targets, 80)
  second = await startOne()
  third = await startOne()
}, 60_000)

afterAll(async () => {
  first?.thaw()
  await Promise.all([first, second, third].map((one) => one?.stop()))
  await surroundings.targets.close()
  await surroundings.mailbox.stop()
  await world.drop()
  data.remove()
}, 30_000)

/** Milliseconds. A round is recorded soon after its moment, and what a dead process held is free after its lease. */
const recordingTime = 1500
const leaseTime = 10_000 + 1500
/** One moment of the grid in so many may be missed on a machine that is too busy. */
const busyShare = 50

test('three processes share the rounds; one stops, one freezes, one is killed: each round and each notice once', async () => {
  process.stdout.write(`CRASH_SEED=${seed}\n`)
  await delay(2000)
  const from = Date.now()
  await delay(4000)
  expect(await third?.stop()).toBe(0)
  await delay(4000)
  const frozenAt = Date.now()
  first?.freeze()
  await delay(13_000)
  first?.thaw()
  await delay(4000)
  const killedAt = Date.now()
  await second?.kill()
  await expireDeliveries(world.database, killedAt)
  surroundings.targets.freeze()
  await catchUp(world.database, scene, surroundings.targets)
  const to = Date.now() - recordingTime

  const missed = await missedRounds(world.database, scene.fleet, { from, to })
  const around = (at: number) => (due: number) => due > at - recordingTime && due < at + leaseTime
  const unexplained = missed.filter((due) => !around(frozenAt)(due) && !around(killedAt)(due))
  const all = scene.fleet.length * ((to - from) / 6000)
  expect.soft(unexplained.length).toBeLessThan(all / busyShare)
  expect.soft(await doubledRounds(world.database, scene.fleet)).toEqual([])
  expect.soft(await wrongPeriods(world.database, scene.fleet)).toEqual([])
  expect.soft(await wrongNotices(world.database, scene.fleet)).toEqual([])
  expect.soft(await wrongMails(world.database, surroundings.mailbox.mails)).toEqual([])
  expect.soft(await wrongSums(world.database, scene.fleetGroupId)).toEqual([])
  process.stdout.write(
    `DEBUG ${JSON.stringify({ from, to, frozenAt, killedAt, missed: missed.map((m) => m - from), unexplained, all })} ${JSON.stringify([first, second, third].map((one) => one?.complaints()))}\n`,
  )
}, 90_000)
