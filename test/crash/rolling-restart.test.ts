import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { addSensor } from '../../src/cli/sensors.ts'
import type { Database } from '../../src/database/connect.ts'
import { connectToCore } from '../../src/sensor/far/core-connection.ts'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import { startLocalStations } from '../../src/sensor/local.ts'
import { temporaryDirectory } from '../program/launch.ts'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { chosenByCommit } from '../support/commit-seed.ts'
import { testDatabase } from '../support/database.ts'
import { natsMissing, startNatsServer } from '../support/nats-server.ts'
import { storyFromEnvironment } from './chance.ts'
import { missedRounds } from './ledger.ts'
import { makeScene } from './scene.ts'
import { catchUp, faultsOf, startSurroundings } from './story.ts'
import { type Victim, victim } from './victim.ts'

const { seed, kills } = storyFromEnvironment(1)

/** Milliseconds. */
const recordingTime = 1500
const longestStop = 10_500
/** Programs that want to run, for each core: with more, rounds come too late and are skipped, as they should be. */
const crowd = 4

/** Three stations that reach whatever process with the API takes them. */
async function startStations(database: Database, { url: server }: Balancer, directory: string): Promise<void> {
  const stations = await startLocalStations({ sensorIds: [0], allow: 'all', log: () => {} })
  onTestFinished(() => stations.stop())
  for (const name of ['Gdańsk', 'Kraków', 'Łódź']) {
    const { token } = await addSensor(database, name, { city: name, country: 'Polska', now: Date.now() })
    const kept = new KeptResults({
      ...{ directory: join(directory, name), maximumCount: 1000, maximumBytes: 10_000_000, log: () => {} },
    })
    const connection = connectToCore({
      ...{ server, token, version: '0.1.0', categories: ['default'], city: '', country: '' },
      ...{ stations, kept, log: () => {} },
    })
    onTestFinished(() => connection.stop())
  }
}

async function startVictim(variables: Readonly<Record<string, string>>): Promise<Victim> {
  const one = victim({ LOCAL_SENSORS: '0', ...variables })
  onTestFinished(async () => void (await one.stop()))
  await one.start()
  return one
}

function portOf({ api }: Victim): number {
  return Number(new URL(api() ?? 'http://none:1').port)
}

async function connected(database: Database, count: number): Promise<void> {
  const seen = sql`select from sensors where last_seen_at > ${new Date(Date.now() - 60_000)} and connection_no > 0`
  await expect.poll(() => database.query(seen), { timeout: 60_000 }).toHaveLength(count)
}

async function setting(more: Readonly<Record<string, string>>) {
  const data = temporaryDirectory()
  onTestFinished(() => data.remove())
  const { database, url, drop } = await testDatabase()
  onTestFinished(drop)
  const { mailbox, targets } = await startSurroundings(seed)
  const balancer = await startBalancer()
  onTestFinished(() => balancer.close())
  const common = { DATABASE_URL: url, DATA_DIR: data.path, SMTP_URL: mailbox.url, ...more }
  const doors = [
    await startVictim({ ...common, ROLES: 'api,notifier' }),
    await startVictim({ ...common, ROLES: 'api,notifier' }),
  ] as const
  for (const door of doors) balancer.ports.add(portOf(door))
  await startStations(database, balancer, data.path)
  await connected(database, 3)
  const watchers = [
    await startVictim({ ...common, ROLES: 'monitoring' }),
    await startVictim({ ...common, ROLES: 'monitoring,reporter' }),
  ] as const
  const scene = await makeScene(doors[0], targets, 40)
  return { database, mailbox, targets, balancer, scene, doors, watchers }
}

const ways = [
  ['NATS', natsMissing],
  ['the database', null],
] as const
/** The commit chooses one of the ways; the long form of the kills tries both. */
const tried = kills >= 50 ? ways : chosenByCommit(ways, 1, seed)

test.each(tried)(
  'restarted one after another, processes that talk through %s do each round and each notice once',
  async (way, missing) => {
    if (missing !== null) process.stdout.write(`NOT TESTED: a rolling restart through NATS: ${missing}\n`)
    const nats = way === 'NATS' && missing === null ? await startNatsServer() : null
    if (nats !== null) onTestFinished(() => nats.kill())
    process.stdout.write(`CRASH_SEED=${seed}: ${tried.length} of ${ways.length} ways\n`)
    const { database, mailbox, targets, balancer, scene, doors, watchers } = await setting(
      nats === null ? {} : { NATS_URL: nats.url },
    )
    await delay(5000)
    const from = Date.now()
    for (const one of [watchers[0], doors[0], watchers[1], doors[1]]) {
      const port = portOf(one)
      const stoppedAt = Date.now()
      expect(await one.stop()).toBe(0)
      expect(Date.now() - stoppedAt).toBeLessThan(longestStop)
      balancer.ports.delete(port)
      await one.start()
      if (one.isReady()) balancer.ports.add(portOf(one))
      await delay(3000)
    }
    const to = Date.now() - recordingTime
    targets.freeze()
    await catchUp(database, scene, targets)
    expect(await faultsOf(database, scene, mailbox)).toEqual({})
    const busy = (loadavg()[0] ?? 0) / availableParallelism()
    const [votes] = await database.query<{ unknown: number; none: number; all: number }>(sql`
    select count(*) filter (where 'u' = any(results)) as unknown, count(*) filter (where verdict = 'none') as none, count(*) as all
    from analyses_hot where service_id = any(${scene.fleet}::int[]) and analysis_id / 100 between ${from} and ${to}`)
    const missed = await missedRounds(database, scene.fleet, { from, to })
    process.stdout.write(`${JSON.stringify({ ...votes, missed: missed.length, busy })}\n`)
    expect(votes?.none).toBe(0)
    if (busy > crowd) {
      process.stdout.write(`${busy.toFixed(1)} programs wait for each core: when rounds came is not judged.\n`)
      return
    }
    expect(missed).toEqual([])
    expect(votes?.unknown).toBe(0)
  },
  240_000,
)
