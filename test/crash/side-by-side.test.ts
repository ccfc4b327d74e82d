import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { testDatabase } from '../support/database.ts'
import { chanceOf, storyFromEnvironment } from './chance.ts'
import { longestSilence, missedRounds } from './ledger.ts'
import { expireDeliveries, longestInterval, makeScene } from './scene.ts'
import { catchUp, faultsOf, startSurroundings } from './story.ts'
import { type Victim, victim } from './victim.ts'
import { type Door, startWriters } from './writers.ts'

const { seed } = storyFromEnvironment(1)

async function setting() {
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const { database, url, drop } = await testDatabase()
  onTestFinished(drop)
  const { mailbox, targets } = await startSurroundings(seed)
  async function startOne(): Promise<Victim> {
    const one = victim({ DATABASE_URL: url, DATA_DIR: data.path, SMTP_URL: mailbox.url })
    onTestFinished(async () => {
      one.thaw()
      await one.stop()
    })
    await one.start()
    return one
  }
  const first = await startOne()
  const [second, third, scene] = await Promise.all([startOne(), startOne(), makeScene(first, targets, 80)])
  return { database, mailbox, targets, scene, processes: [first, second, third] as const }
}

/**
 * Milliseconds. A round is recorded soon after its moment. The work of a frozen process is free after its lease; that
 * of a dead one as soon as others notice.
 */
const recordingTime = 1500
const leaseTime = 10_000 + 1500
const noticingTime = 1000 + 1500
const longerThanALease = 12_000
const patience = 3000
/** Programs that want to run, for each core: with more, rounds come too late and are skipped, as they should be. */
const crowd = 4
/** One moment of the grid in so many may be missed on a machine that is too busy. */
const busyShare = 20

/** Moments of the services' grids that nobody analysed, although no process lay frozen or dead with them. */
async function unexplainedGaps(
  database: Database,
  serviceIds: readonly number[],
  from: number,
  deaths: readonly { readonly at: number; readonly freeAfter: number }[],
): Promise<number[]> {
  const missed = await missedRounds(database, serviceIds, { from, to: Date.now() - recordingTime })
  return missed.filter((due) => !deaths.some(({ at, freeAfter }) => due > at - recordingTime && due < at + freeAfter))
}

test('three processes share the rounds; one stops, one freezes, one is killed: each round and each notice once', async () => {
  process.stdout.write(`CRASH_SEED=${seed}\n`)
  const { database, mailbox, targets, scene, processes } = await setting()
  const [first, second, third] = processes
  /** Writers come through the second while it lives, then through the first. */
  const door: Door = {
    isReady: () => second.isReady() || first.isReady(),
    call: (...request) => (second.isReady() ? second : first).call(...request),
  }
  const writers = startWriters(door, scene.kinds, chanceOf(seed), 3)
  onTestFinished(() => writers.stop())
  await delay(1000)
  const from = Date.now()
  await delay(3000)
  expect(await third.stop()).toBe(0)
  await delay(3000)
  const frozenAt = Date.now()
  first.freeze()
  await delay(longerThanALease)
  first.thaw()
  await delay(3000)
  const killedAt = Date.now()
  await second.kill()
  await expireDeliveries(database, killedAt)
  await delay(1000)
  await writers.stop()
  targets.freeze()
  await catchUp(database, scene, targets)

  expect(await faultsOf(database, scene, mailbox)).toEqual({})
  expect(await writers.audit()).toEqual([])
  const busy = (loadavg()[0] ?? 0) / availableParallelism()
  if (busy > crowd) {
    process.stdout.write(`${busy.toFixed(1)} programs wait for each core: when rounds came is not judged.\n`)
    return
  }
  const gaps = await unexplainedGaps(database, scene.fleet, from, [
    { at: frozenAt, freeAfter: leaseTime },
    { at: killedAt, freeAfter: noticingTime },
  ])
  const rounds = (scene.fleet.length * (Date.now() - from)) / (longestInterval * 1000)
  expect(gaps.length).toBeLessThan(rounds / busyShare)
  expect(await longestSilence(database, scene.fleet, from)).toBeLessThan(leaseTime + longestInterval * 1000 + patience)
}, 200_000)
