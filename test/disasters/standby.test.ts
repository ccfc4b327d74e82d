import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type Database } from '../../src/database/connect.ts'
import { expireDeliveries, longestInterval, makeScene } from '../crash/scene.ts'
import { catchUp, faultsOf, startSurroundings } from '../crash/story.ts'
import { type Victim, victim } from '../crash/victim.ts'
import { startWitness } from '../crash/witness.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { patiently } from '../support/patience.ts'
import { caughtUp, needsReplication, replicationPrograms, startReplicated } from '../support/replicated.ts'
import { isLong, needsLong } from './length.ts'

const services = 20
/** The number of pino's level. */
const errorLevel = 50
const quickly = { ...patiently, interval: 50 }

interface Acknowledged {
  readonly name: string
  readonly at: number
}

/** A caller of both programs in turn that makes one group after the other, and notes what was acknowledged. */
function startCaller(programs: readonly Victim[]) {
  const acknowledged: Acknowledged[] = []
  let isOn = true
  const work = (async () => {
    for (let number = 0; isOn; number += 1) {
      const name = `Group ${number}`
      const reply = await programs[number % programs.length]?.call('POST', '/groups', { name })
      if (reply?.status === 201) acknowledged.push({ name, at: Date.now() })
      await delay(10)
    }
  })()
  const stop = async () => {
    isOn = false
    await work
  }
  onTestFinished(stop)
  return { acknowledged, stop }
}

async function lostOf(database: Database, acknowledged: readonly Acknowledged[]): Promise<Acknowledged[]> {
  const rows = await database.query<{ name: string }>(sql`select name from groups`)
  const there = new Set(rows.map(({ name }) => name))
  return acknowledged.filter(({ name }) => !there.has(name))
}

/** Rounds that began after a moment. */
async function judgedSince(database: Database, at: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*) as count from analyses_hot where analysis_id / 100 > ${at}`,
  )
  return row?.count ?? 0
}

async function setting(isSynchronous: boolean) {
  const pair = await startReplicated()
  if (isSynchronous) {
    await pair.first.tell(`alter system set synchronous_standby_names = 'second'`)
    await pair.first.tell('select pg_reload_conf()')
    await expect.poll(() => pair.first.tell('select sync_state from pg_stat_replication'), patiently).toBe('sync')
  }
  const url = pair.urlOf([pair.first, pair.second])
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const surroundings = await startSurroundings(1)
  const variables = { DATABASE_URL: url, DATA_DIR: data.path, SMTP_URL: surroundings.mailbox.url }
  const programs = [victim(variables), victim(variables)]
  for (const program of programs) {
    onTestFinished(async () => void (await program.stop()))
    await program.start()
  }
  const database = connect({ url, onError: () => undefined, applicationName: 'latarnik test' })
  onTestFinished(() => database.close())
  const [door] = programs
  if (door === undefined) throw new Error('No program')
  const scene = await makeScene(door, surroundings.targets, services)
  return { pair, programs, database, scene, ...surroundings }
}

async function answers(program: Victim): Promise<number | undefined> {
  return (await program.call('GET', '/groups?limit=1'))?.status
}

type Stage = Awaited<ReturnType<typeof setting>>

/** The standby receives everything that was acknowledged before the moment which is returned, and nothing later. */
async function cutReplication({ pair: { first, second } }: Stage): Promise<number> {
  const cutAt = Date.now()
  await caughtUp(first, second)
  await second.tell(`alter system set primary_conninfo = ''`)
  await second.tell('select pg_reload_conf()')
  await expect.poll(() => first.tell('select count(*) from pg_stat_replication'), patiently).toBe('0')
  await delay(3000)
  return cutAt
}

/** The primary dies, and the standby is promoted by hand. Moments as Unix milliseconds. */
async function failOver({ pair: { first, second }, programs, database }: Stage) {
  const statuses = () => Promise.all(programs.map(answers))
  const killedAt = Date.now()
  await first.kill()
  await expect.poll(statuses, quickly).toEqual([503, 503])
  await delay(2000)
  const promotedAt = Date.now()
  await second.promote()
  const writableAt = Date.now()
  await expect.poll(statuses, quickly).toEqual([200, 200])
  const answeredAt = Date.now()
  await expect.poll(() => judgedSince(database, promotedAt), quickly).toBeGreaterThan(0)
  const judgedMs = Date.now() - writableAt
  return { killedAt, answeredAt, promotionMs: writableAt - promotedAt, answeredMs: answeredAt - writableAt, judgedMs }
}

/** The faults and losses that are left once everything has caught up. */
async function outcomeOf(stage: Stage, acknowledged: readonly Acknowledged[]) {
  const { programs, database, scene, targets, mailbox } = stage
  targets.freeze()
  await catchUp(database, scene, targets)
  const { mails: doubled = [], ...faults } = await faultsOf(database, scene, mailbox)
  const errors = programs.flatMap((program) => program.complaints()).filter(({ level }) => level >= errorLevel)
  return { lost: await lostOf(database, acknowledged), doubled, faults, errors }
}

test.for([
  { title: 'synchronous: nothing that was acknowledged is lost, nothing is told twice', isSynchronous: true },
  { title: 'asynchronous: what the standby had not received is lost, and the rest agrees', isSynchronous: false },
])('the primary dies and the standby is promoted; $title', { timeout: 300_000 }, async ({ isSynchronous }, context) => {
  if (replicationPrograms() === null) context.skip(needsReplication)
  if (!isSynchronous && !isLong) context.skip(needsLong)
  const stage = await setting(isSynchronous)
  const { pair, database, mailbox } = stage
  const witness = startWitness(database)
  const { acknowledged, stop } = startCaller(stage.programs)
  await delay(5000)
  const cutAt = isSynchronous ? Number.NaN : await cutReplication(stage)
  await witness.look()
  const { killedAt, answeredAt, ...times } = await failOver(stage)
  await delay(longestInterval * 1000)
  await stop()
  await expireDeliveries(database, killedAt)
  const { lost, doubled, faults, errors } = await outcomeOf(stage, acknowledged)

  const counts = { acknowledged: acknowledged.length, lost: lost.length, mails: mailbox.mails.length }
  const figures = JSON.stringify({ ...counts, unknownMails: doubled.length, ...times })
  process.stdout.write(`${isSynchronous ? 'synchronous' : 'asynchronous'}: ${figures}\n`)
  expect({ faults, errors }).toEqual({ faults: {}, errors: [] })
  expect(acknowledged.some(({ at }) => at > answeredAt)).toBe(true)
  if (isSynchronous) {
    expect({ lost, doubled, changed: await witness.lost() }).toEqual({ lost: [], doubled: [], changed: [] })
    await pair.follow(pair.first, pair.second)
    await caughtUp(pair.second, pair.first)
  } else {
    expect(lost.length).toBeGreaterThan(0)
    expect(lost.filter(({ at }) => at < cutAt)).toEqual([])
  }
})
