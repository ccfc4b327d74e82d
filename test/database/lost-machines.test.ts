import { pino } from 'pino'
import sql, { raw } from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect, type Pool } from '../../src/database/connect.ts'
import { isMachineAway } from '../../src/database/failures.ts'
import { LostMachines } from '../../src/database/lost-machines.ts'
import type { Machine } from '../../src/database/machines.ts'
import { anonymousCaller } from '../../src/domain/access/caller.ts'
import type { Call, Operation } from '../../src/rest/call.ts'
import { registryOf } from '../../src/rest/declare.ts'
import { unlimited } from '../../src/rest/rate-limit.ts'
import { buildApi } from '../../src/rest/server.ts'
import { plainDatabase, type TestDatabase } from '../support/database.ts'
import { catalogue } from '../support/standing-machines.ts'

/** The coordinator of a cluster of two machines. Its statements sleep where the real one waits for a silent machine. */
let world: TestDatabase
let lost: LostMachines
let pool: Pool
/** Ports of machines that the coordinator does not reach. */
const silent = new Set<number>()
/** Waited for before the coordinator says whether it reaches a machine. */
let saying: Promise<unknown> = Promise.resolve()
const told: string[] = []
/** A service of each machine. */
let first: number
let second: number

beforeAll(async () => {
  world = await plainDatabase()
  await world.database.execute(raw(catalogue))
  const rows = await world.database.query<{ id: number; hash: number }>(sql`
    select id, hashint4(id) as hash from generate_series(1, 20) id`)
  first = rows.find(({ hash }) => hash < 0)?.id ?? 0
  second = rows.find(({ hash }) => hash >= 0)?.id ?? 0
})
afterAll(() => world.drop())

async function reaches({ port }: Machine): Promise<boolean> {
  await saying
  return !silent.has(port)
}

beforeEach(() => {
  silent.clear()
  told.length = 0
  saying = Promise.resolve()
  lost = new LostMachines()
  const tell = (sentence: string) => void told.push(sentence)
  lost.begin({ coordinator: world.database, log: { info: tell, warn: tell }, reaches, turn: 50 })
  pool = connect({ url: world.url, watch: lost, applicationName: 'latarnik test' })
})
afterEach(async () => {
  lost.stop()
  await pool.close()
})

/** Seconds that are over only when a test fails. */
const forEver = 600

/** A reading of the history, which takes so many seconds. */
function reading(serviceIds: readonly number[], seconds: number) {
  return sql`select 'read' as is, pg_sleep(${seconds}) from (select from analyses_hot
    where service_id = any(${serviceIds}::int[])) analyses right join (select 1 as one) one on true`
}

async function read(serviceIds: readonly number[], seconds: number): Promise<unknown> {
  const [row] = await pool.query<{ is: string }>(reading(serviceIds, seconds))
  return row?.is
}

async function openApi() {
  const operation = (path: string, ask: (call: Call) => Promise<unknown>): Operation => ({
    ...{ id: path, method: 'GET', path: `/${path}`, tag: 'tests', summary: path, access: 'public', answers: {} },
    handle: async (call) => ({ status: 200, body: await ask(call) }),
  })
  return buildApi({
    ...{ database: pool, clock: { now: () => 0 }, registry: registryOf([]), collation: raw(''), trustedProxies: [] },
    authenticate: async () => ({ caller: anonymousCaller }),
    ...{ requestsPerMinute: unlimited, publicUrl: undefined, log: pino({ level: 'silent' }) },
    operations: [
      operation('first', (call) => call.database.query(reading([first], forEver))),
      operation('second', (call) => call.database.query(reading([second], 0))),
      operation('other', (call) => call.database.query(sql`select 1`)),
    ],
  })
}

test('fifty requests for the history of a silent machine are refused together; others are answered as ever', async () => {
  const api = await openApi()
  const ask = (path: string) => api.inject({ method: 'GET', url: `/v3/${path}` })
  silent.add(1)
  let say: () => void = () => undefined
  saying = new Promise<void>((resolve) => {
    say = resolve
  })
  const asked = Array.from({ length: 50 }, () => ask('first'))
  await expect.poll(() => pool.use().total).toBeGreaterThan(5)
  // Nobody knows yet that the machine is silent.
  for (let time = 0; time < 20; time++) expect((await ask('other')).statusCode).toBe(200)
  say()
  for (const refused of await Promise.all(asked)) {
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(refused.json()).toMatchObject([{ error: 'service_unavailable', message: expect.stringMatching(/machine/) }])
  }
  expect((await ask('first')).statusCode).toBe(503)
  expect((await ask('second')).statusCode).toBe(200)
  expect(told).toEqual(['The coordinator does not reach worker:1: the history there cannot be read until it does.'])
  await api.close()
})

test('is read again once it answers', async () => {
  silent.add(1)
  await expect(read([first], forEver)).rejects.toSatisfy(isMachineAway)
  await expect(read([first], 0)).rejects.toSatisfy(isMachineAway)
  await expect(read([first, second], 0)).rejects.toSatisfy(isMachineAway)
  expect(await read([second], 0)).toBe('read')
  silent.clear()
  await expect.poll(() => read([first], 0).catch(() => null)).toBe('read')
  expect(told.at(-1)).toBe('The coordinator reaches worker:1 again: the history there can be read.')
})

test('a read that takes its time goes on while its machine answers, whatever others do', async () => {
  silent.add(1)
  const others = read([first], forEver).catch(isMachineAway)
  expect(await read([second], 0.5)).toBe('read')
  expect(await others).toBe(true)
})

test('and while the coordinator does not say', async () => {
  saying = Promise.reject(new Error('it takes no connection'))
  saying.catch(() => undefined)
  expect(await read([first], 0.5)).toBe('read')
  expect(told).toEqual([])
})

test('what reads the history of all services needs all machines', async () => {
  silent.add(2)
  const all = sql`select pg_sleep(${forEver}) from (select count(*) from analyses_hot) counted`
  await expect(pool.query(all)).rejects.toSatisfy(isMachineAway)
})

test('a transaction that waits for a silent machine fails, and its connection is not used again', async () => {
  silent.add(2)
  const work = pool.transaction((transaction) => transaction.query(reading([second], forEver)))
  await expect(work).rejects.toSatisfy(isMachineAway)
  const again = pool.transaction((transaction) => transaction.query(reading([second], 0)))
  await expect(again).rejects.toSatisfy(isMachineAway)
  expect(await pool.transaction((transaction) => transaction.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
})

test('writing is left alone', async () => {
  silent.add(1)
  await expect(read([first], forEver)).rejects.toSatisfy(isMachineAway)
  expect(await pool.execute(sql`delete from analyses_hot where service_id = ${first}`)).toBe(0)
})

test('a machine that left the cluster is not waited for', async () => {
  silent.add(1)
  await expect(read([first], forEver)).rejects.toSatisfy(isMachineAway)
  await world.database.execute(sql`update pg_dist_placement set groupid = 2`)
  await expect.poll(() => read([first], 0).catch(() => null)).toBe('read')
  await world.database.execute(sql`update pg_dist_placement set groupid = 1 where shardid <> 2`)
})
