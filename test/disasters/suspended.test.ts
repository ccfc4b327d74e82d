import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type Database } from '../../src/database/connect.ts'
import { runningEmbeddedUrl } from '../../src/database/embedded.ts'
import { longestInterval, makeScene } from '../crash/scene.ts'
import { catchUp, faultsOf, startSurroundings } from '../crash/story.ts'
import { victim } from '../crash/victim.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { isLong, needsLong } from './length.ts'
import { familyOf, probingOf, signal } from './processes.ts'

const services = 20
/** Milliseconds. */
const suspendedFor = 120_000
const eventful = 20_000

/** Rounds of each service that began since a moment. */
async function roundsSince(database: Database, at: number): Promise<number[]> {
  const rows = await database.query<{ count: number }>(sql`
    select count(*) as count from analyses_hot
    where analysis_id / 100 + (select min(time_offset) from unnest(time_offsets) time_offset) >= ${at}::float8 group by service_id`)
  return rows.map(({ count }) => count)
}

/** Verdicts since a moment that are not the truth, with what the checks met. */
async function falseVerdicts(database: Database, truth: ReadonlyMap<number, string>, at: number): Promise<unknown[]> {
  const rows = await database.query<{ service_id: number; verdict: string; failures: string | null }>(sql`
    select service_id, verdict, analysis_id / 100 - ${at}::float8 as after, time_offsets, failures::text as failures from analyses_hot where verdict <> 'none' and analysis_id / 100 >= ${at}::float8`)
  return rows.filter(({ service_id, verdict }) => truth.get(service_id) !== verdict)
}

async function eventsOf(database: Database): Promise<unknown> {
  return database.query(sql`
    select (select count(*) from status_changes) as periods, (select count(*) from notification_intents) as notices,
      (select count(*) from service_statuses where state = 'failure') as failing`)
}

test('a machine that is suspended for two minutes with all that runs on it wakes up without a false failure, a burst, or a notice lost or doubled', {
  timeout: 400_000,
}, async (context) => {
  if (!isLong) context.skip(needsLong)
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const { mailbox, targets } = await startSurroundings(1)
  const targetsDelay = monitorEventLoopDelay()
  targetsDelay.enable()
  const program = victim({ DATA_DIR: data.path, SMTP_URL: mailbox.url })
  onTestFinished(async () => void (await program.stop()))
  await program.start()
  const database = connect({ url: (await runningEmbeddedUrl(data.path)) ?? '', onError: () => undefined })
  onTestFinished(() => database.close())
  const scene = await makeScene(program, targets, services)
  await delay(eventful)
  targets.freeze()
  await catchUp(database, scene, targets)
  const before = { events: await eventsOf(database), mails: mailbox.mails.length }
  const truth = new Map(scene.fleet.map((id, page) => [id, targets.isUp(page) ? 'ok' : 'failure']))
  const stoppedAt = Date.now()
  targetsDelay.reset()
  const family = familyOf(program.processId())
  signal(family, 'SIGSTOP')
  onTestFinished(() => signal(family, 'SIGCONT'))
  await delay(suspendedFor)
  const wokeAt = Date.now()
  signal(family, 'SIGCONT')
  await catchUp(database, scene, targets)
  await delay(longestInterval * 1000)
  // Each service has its rounds since, and none of those before.
  const seconds = (Date.now() - wokeAt) / 1000
  const rounds = await roundsSince(database, wokeAt)
  expect(rounds).toHaveLength(services)
  expect(Math.max(...rounds)).toBeLessThanOrEqual(seconds / 3 + 2)
  const held = `the targets, in this process, were held for ${Math.round(targetsDelay.max / 1e6)} ms at most`
  expect(await falseVerdicts(database, truth, stoppedAt), held).toEqual([])
  expect({ events: await eventsOf(database), mails: mailbox.mails.length }).toEqual(before)
  expect(await faultsOf(database, scene, mailbox)).toEqual({})
  expect(probingOf(familyOf(program.processId()))).toEqual(probingOf(family))
  process.stdout.write(`${JSON.stringify(program.complaints())}\n`)
  expect(program.complaints().filter(({ level }) => level >= 50)).toEqual([])
})
