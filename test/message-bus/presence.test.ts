import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { encodeAnnouncement, type HeldSensor } from '../../src/message-bus/announcement.ts'
import { Line } from '../../src/message-bus/line.ts'
import { Peer } from '../../src/message-bus/peer.ts'
import { unanswered } from '../../src/sensor/probing-process.ts'
import { verdictOf } from '../support/check.ts'
import { cutLine } from '../support/cut-line.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { checkOf, reaches, type TestProcess, testProcess, type Ways } from '../support/message-bus.ts'
import { type NatsServer, natsMissing, startNatsServer } from '../support/nats-server.ts'
import { patiently } from '../support/patience.ts'

let database: TestDatabase
let server: NatsServer | null = null
const processes: TestProcess[] = []

beforeAll(async () => {
  database = await testDatabase()
  if (natsMissing === null) server = await startNatsServer()
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.stop()))
  await database.database.execute(sql`truncate processes, process_messages`)
})
afterAll(async () => {
  await server?.kill()
  await database.drop()
})

async function start(ways: Ways = { database: database.database }): Promise<TestProcess> {
  const one = await testProcess(ways)
  processes.push(one)
  return one
}

function natsUrl(skip: (reason: string) => never): string {
  if (server === null) {
    process.stdout.write(`NOT TESTED: processes that talk through NATS: ${natsMissing}\n`)
    return skip(natsMissing ?? '')
  }
  return server.url
}

/** Rows of processes and messages. */
async function leftInDatabase(): Promise<number> {
  const [rows] = await database.database.query<{ count: number }>(
    sql`select (select count(*) from processes) + (select count(*) from process_messages) as count`,
  )
  return rows?.count ?? 0
}

async function throughNats(one: TestProcess, times = 1): Promise<void> {
  const told = () => one.log.filter((message) => message === 'Processes talk through NATS.').length
  await vi.waitFor(() => expect(told()).toBe(times), patiently)
}

describe.each(['the database', 'NATS'])('processes that talk through %s', (way) => {
  function ways(skip: (reason: string) => never): Ways {
    return way === 'NATS' ? { natsUrl: natsUrl(skip), database: database.database } : { database: database.database }
  }

  test('know each other as soon as they have started', async ({ skip }) => {
    const first = await start(ways(skip))
    first.hold(1)
    const second = await start(ways(skip))
    await reaches(second, 1)
    expect([...second.bus.otherRoles()]).toEqual(['api'])
    expect(verdictOf(await second.bus.check(checkOf(1)))).toBe('ok')
  })

  test('find a dead one out within seconds, and what was asked of it is lost', async ({ skip }) => {
    const [asking, holding] = [await start(ways(skip)), await start(ways(skip))]
    holding.hold(1)
    holding.stations.answer = () => 'silent'
    await reaches(asking, 1)
    const answer = asking.bus.check(checkOf(1, { deadlineAt: Date.now() + 60_000 }))
    await holding.stations.asked(1)
    const diedAt = performance.now()
    holding.die()
    expect(verdictOf(await answer)).toBe('sensor_lost')
    expect(performance.now() - diedAt).toBeLessThan(30_000)
    expect(asking.bus.isConnected(1)).toBe(false)
  })

  test('ask a station where it connected last; what was asked of it before is asked there once more', async ({
    skip,
  }) => {
    const [asking, before, after] = [await start(ways(skip)), await start(ways(skip)), await start(ways(skip))]
    before.hold(1, 1)
    before.stations.answer = () => 'silent'
    await reaches(asking, 1)
    const asked = asking.bus.check(checkOf(1))
    await before.stations.asked(1)
    // The first has not noticed yet that its connection is dead.
    after.hold(1, 2)
    expect(verdictOf(await asked)).toBe('ok')
    await vi.waitFor(() => expect(before.gaveWay).toContain(1), patiently)
    expect(verdictOf(await asking.bus.check(checkOf(1)))).toBe('ok')
    expect([before.stations.jobs.length, after.stations.jobs.length]).toEqual([1, 2])
  })

  test('wait for a station that is told to connect elsewhere: nothing asked meanwhile is lost', async ({ skip }) => {
    const [asking, leaving] = [await start(ways(skip)), await start(ways(skip))]
    leaving.hold(1, 1)
    await reaches(asking, 1)
    leaving.bus.leave()
    leaving.lose(1)
    await vi.waitFor(() => expect([...asking.bus.otherRoles()]).toEqual([]), patiently)
    expect(asking.bus.isConnected(1)).toBe(true)
    const asked = asking.bus.check(checkOf(1))
    await leaving.stop()
    const next = await start(ways(skip))
    next.hold(1, 2)
    expect(verdictOf(await asked)).toBe('ok')
    expect(next.stations.jobs).toHaveLength(1)
    expect(leaving.stations.jobs).toHaveLength(0)
  })

  test('finish what others have asked before they leave', async ({ skip }) => {
    const [asking, leaving] = [await start(ways(skip)), await start(ways(skip))]
    leaving.hold(1, 0)
    await reaches(asking, 1)
    const check = leaving.stations.check
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    leaving.stations.check = async (job) => {
      const result = await check(job)
      await finished
      return result
    }
    const asked = asking.bus.check(checkOf(1))
    await leaving.stations.asked(1)
    const stopped = leaving.stop()
    finish()
    expect(verdictOf(await asked)).toBe('ok')
    await stopped
  })
})

test('an older announcement that a slower carrier brings later is not believed', () => {
  const line = new Line({ me: 'me', peer: 'other', carriers: [], take: () => {} })
  const peer = new Peer('other', line)
  const said = (revision: number, sensors: readonly HeldSensor[]) => {
    const announcement = { revision, roles: ['api'], isLeaving: false, sensors }
    return peer.believe(encodeAnnouncement(announcement), () => announcement)
  }
  const sensor = { id: 1, connectionNo: 1, leadMs: 0 }
  expect([said(1, []), said(2, [sensor]), said(1, []), said(2, [sensor])]).toEqual([true, true, false, false])
  expect([...peer.sensors.keys()]).toEqual([1])
})

test('an answer that waits for others before it is sent is not heard yet: a process that leaves waits for it', async () => {
  const peer = new Peer('other', new Line({ me: 'me', peer: 'other', carriers: [], take: () => {} }))
  expect(peer.hasHeardAll).toBe(true)
  peer.answer(1, unanswered(checkOf(1), 'sensor_lost', 'gone'))
  expect([peer.line.underWay, peer.hasHeardAll]).toEqual([0, false])
  await vi.waitFor(() => expect(peer.line.underWay).toBe(1), patiently)
  expect(peer.hasHeardAll).toBe(false)
  peer.end()
})

test('stations of several machines with one name take turns', async () => {
  const [asking, one, other] = [await start(), await start(), await start()]
  for (const holding of [one, other]) holding.hold(1, 0)
  await reaches(asking, 1)
  await vi.waitFor(async () => {
    await asking.bus.check(checkOf(1))
    expect(Math.min(one.stations.jobs.length, other.stations.jobs.length)).toBeGreaterThan(2)
  }, patiently)
})

test('without NATS all goes on through the database, and by itself through NATS again: nothing is lost', async ({
  skip,
}) => {
  natsUrl(skip)
  const own = await startNatsServer()
  const ways = { natsUrl: own.url, database: database.database }
  const [asking, holding] = [await start(ways), await start(ways)]
  for (const one of [asking, holding]) await throughNats(one)
  holding.hold(1)
  await reaches(asking, 1)
  const verdicts: Promise<string>[] = []
  const asks = setInterval(() => verdicts.push(asking.bus.check(checkOf(1)).then(verdictOf)), 20)
  await vi.waitFor(() => expect(verdicts.length).toBeGreaterThan(20), patiently)
  await own.kill()
  const lostAt = verdicts.length
  await vi.waitFor(() => expect(verdicts.length).toBeGreaterThan(lostAt + 200), patiently)
  await own.start()
  for (const one of [asking, holding]) await throughNats(one, 2)
  const backAt = verdicts.length
  await vi.waitFor(() => expect(verdicts.length).toBeGreaterThan(backAt + 50), patiently)
  clearInterval(asks)
  const answers = await Promise.all(verdicts)
  expect(
    answers.filter((verdict) => verdict !== 'ok'),
    asking.log.join('\n'),
  ).toEqual([])
  expect(holding.stations.jobs).toHaveLength(verdicts.length)
  expect(asking.log.filter((message) => message.startsWith('NATS is unreachable'))).toHaveLength(1)
  await own.kill()
})

test('a database that is away makes nobody dead, and is heard again by itself', async () => {
  const line = await cutLine(database.url)
  const through = connect({ url: line.url })
  const [asking, holding] = [await start({ database: through }), await start()]
  holding.hold(1)
  await reaches(asking, 1)
  await line.cut()
  // The other one hears everything but this one, and has waited long enough.
  const silent = 'Another process is silent; what was asked of it is lost.'
  await vi.waitFor(() => expect(holding.log).toContain(silent), patiently)
  expect(asking.log).not.toContain(silent)
  expect(asking.bus.isConnected(1)).toBe(true)
  await line.mend()
  await vi.waitFor(async () => expect(verdictOf(await asking.bus.check(checkOf(1)))).toBe('ok'), patiently)
  await processes.shift()?.stop()
  await through.close()
  await line.close()
})

test('what the dead leave in the database is removed', async () => {
  const living = await start()
  const dead = await start()
  dead.die()
  await vi.waitFor(
    () => expect(living.log).toContain('Another process is silent; what was asked of it is lost.'),
    patiently,
  )
  await living.stop()
  const after = await start()
  expect(await leftInDatabase()).toBe(3)
  await vi.waitFor(async () => expect(await leftInDatabase()).toBe(1), patiently)
  expect(after.log).toEqual([])
})
