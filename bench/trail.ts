/**
 * Measures what the audit log costs a write. The same API answers the same requests with and without the statement that
 * appends the record; the sides take turns. The last line has 16 writers of one account at once, who wait for each
 * other at the head of its chain.
 */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { createAuthenticator } from '../src/auth/authenticate.ts'
import type { Database, Executor } from '../src/database/connect.ts'
import { makeFirstLogins } from '../src/program/first-start.ts'
import { unlimited } from '../src/rest/rate-limit.ts'
import { apiOn } from './support/api-on.ts'
import { type BenchDatabase, benchDatabase } from './support/bench-database.ts'
import { printLine } from './support/table.ts'

const clock = { now: () => Date.now() }
const password = 'the right password'
const rounds = 6
const writes = 150
const writers = 16

/** The same database without the statement that appends a record. */
function withoutTrail(database: Database): Database {
  const silent = (executor: Executor): Executor => ({
    query: (statement, name) => executor.query(statement, name),
    execute: (statement, name) => (name === 'append_audit' ? Promise.resolve(1) : executor.execute(statement, name)),
  })
  return { ...database, transaction: (work) => database.transaction((executor) => work(silent(executor))) }
}

interface Side {
  readonly server: FastifyInstance
  readonly name: string
  /** Milliseconds a write, of each round. */
  readonly cpu: number[]
  readonly elapsed: number[]
}

type Write = (server: FastifyInstance, number: number) => Promise<void>

async function send(server: FastifyInstance, method: 'POST' | 'PUT', url: string, payload: object): Promise<string> {
  const authorization = `Basic ${btoa(`owner:${password}`)}`
  const reply = await server.inject({ method, url: `/v3${url}`, headers: { authorization }, payload })
  if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.payload}`)
  return reply.payload
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function cpuOf(bench: BenchDatabase): Promise<number> {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + ((await bench.serverCpu()) ?? 0)
}

/** The first round warms up. */
async function compare(bench: BenchDatabase, sides: readonly Side[], write: Write, atOnce: number): Promise<void> {
  let number = 0
  for (const { cpu, elapsed } of sides) [cpu, elapsed].forEach((values) => void values.splice(0))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { server, cpu, elapsed } of round % 2 === 0 ? sides : sides.toReversed()) {
      const [cpuBefore, before] = [await cpuOf(bench), performance.now()]
      for (let done = 0; done < writes; done += atOnce) {
        await Promise.all(Array.from({ length: atOnce }, (_, place) => write(server, number + place)))
        number += atOnce
      }
      const count = Math.ceil(writes / atOnce) * atOnce
      if (round === 0) continue
      elapsed.push((performance.now() - before) / count)
      cpu.push(((await cpuOf(bench)) - cpuBefore) / count)
    }
  }
}

async function logins(database: Database): Promise<void> {
  const login = { username: 'owner', password }
  const defaults = { languageId: 'en', timeZoneId: 'utc' } as const
  const both = { firstAdministrator: { username: 'dora', password }, firstAccount: login }
  await makeFirstLogins(database, { ...both, minimumIntervalSeconds: 10, accountDefaults: defaults }, clock.now())
}

async function serviceIds(server: FastifyInstance): Promise<readonly number[]> {
  const ids: number[] = []
  for (let number = 0; number < writers; number += 1) {
    const service = { type_id: 'http', name: `Shop ${number}`, address: `shop-${number}.example.com` }
    ids.push((JSON.parse(await send(server, 'POST', '/services', service)) as { id: number }).id)
  }
  return ids
}

async function tagIsChanged(server: FastifyInstance): Promise<Write> {
  const { id } = JSON.parse(await send(server, 'POST', '/tags', { name: 'tag' })) as { id: number }
  return async (side, number) => {
    await send(side, 'PUT', `/tags/${id}`, { name: `tag ${number}` })
  }
}

function serviceIsChanged(ids: readonly number[]): Write {
  return async (server, number) => {
    const body = { name: `Shop ${number}`, interval: number % 2 === 0 ? 60 : 120 }
    await send(server, 'PUT', `/services/${ids[number % ids.length]}`, body)
  }
}

function print(name: string, [without, with_]: readonly [Side, Side]): void {
  const pairs = [
    [median(without.cpu), median(with_.cpu)],
    [median(without.elapsed), median(with_.elapsed)],
  ] as const
  printLine(
    name,
    pairs.flatMap(([one, other]) => [one.toFixed(2), other.toFixed(2), `${(other / one).toFixed(2)}×`]),
  )
}

async function measure(bench: BenchDatabase): Promise<void> {
  const { database } = bench
  await logins(database)
  const authenticator = createAuthenticator({ database, clock, loginLimit: 1_000_000 })
  const sideOf = async (name: string, own: Database): Promise<Side> => {
    return {
      name,
      server: await apiOn(own, clock, { authenticator, requestsPerMinute: unlimited }),
      cpu: [],
      elapsed: [],
    }
  }
  const sides = [await sideOf('without', withoutTrail(database)), await sideOf('with', database)] as const
  const change = serviceIsChanged(await serviceIds(sides[1].server))
  printLine('ms a write', ['CPU without', 'CPU with', 'ratio', 'time without', 'time with', 'ratio'])
  await compare(bench, sides, change, 1)
  print('a service is changed', sides)
  await compare(bench, sides, await tagIsChanged(sides[1].server), 1)
  print('a tag is changed', sides)
  await compare(bench, sides, change, writers)
  print(`${writers} writers of one account`, sides)
  const [kept] = await database.query<{ count: number }>(sql`select count(*)::int as count from audit_log`)
  console.log(`  ${kept?.count} records were written.`)
  for (const { server } of sides) await server.close()
}

export async function run(): Promise<void> {
  const bench = await benchDatabase()
  try {
    await measure(bench)
  } finally {
    await bench.close()
  }
}
