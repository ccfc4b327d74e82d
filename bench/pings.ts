/**
 * Measures how many pings of heartbeats are committed and answered, against a handler that only answers. CPU seconds
 * are those of this process and of the database; the client is left out.
 */

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import fastify from 'fastify'
import sql from 'sql-template-tag'
import type { Database } from '../src/database/connect.ts'
import { pingEndpoint } from '../src/pings/endpoint.ts'
import { PingWriter } from '../src/pings/ping-writer.ts'
import { systemTimers } from '../src/turns/timers.ts'
import { benchDatabase } from './support/bench-database.ts'
import { printLine } from './support/table.ts'

const pings = Number(process.env['PINGS'] ?? 20_000)
const heartbeats = 2000
const atOnce = 200
const clock = { now: () => Date.now() }

async function makeHeartbeats(database: Database): Promise<readonly string[]> {
  const uuids = Array.from({ length: heartbeats }, () => randomUUID())
  const ids = uuids.map((_, index) => index + 1)
  await database.execute(sql`
    insert into schedule (service_id, due_at) select id, 'infinity' from unnest(${ids}::int[]) as id`)
  await database.execute(sql`
    insert into heartbeats (service_id, owner_id, ping_uuid)
    select id, 1, uuid from unnest(${ids}::int[], ${uuids}::uuid[]) as new (id, uuid)`)
  return uuids
}

/** The client has a process of its own. */
const client = `
const autocannon = require('autocannon')
const [url, paths, amount, connections] = process.argv.slice(1)
const requests = JSON.parse(paths).map((path) => ({ path }))
autocannon({ url, requests, amount: Number(amount), connections: Number(connections), sampleInt: 100, timeout: 30 })
  .then((report) => console.log(report['2xx']))
`

interface Measured {
  /** For each second of CPU time of this process and of the database. */
  readonly perCpu: number
  readonly perSecond: number
}

async function measure(
  origin: string,
  paths: readonly string[],
  serverCpu: () => Promise<number | null>,
): Promise<Measured> {
  const serverBefore = (await serverCpu()) ?? 0
  const [cpu, began] = [process.cpuUsage(), performance.now()]
  const given = [origin, JSON.stringify(paths), String(pings), String(atOnce)]
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', client, ...given])
  if (Number(stdout) !== pings) throw new Error(`Of ${pings} pings ${stdout.trim()} were answered 200.`)
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - began) / 1000
  const serverSeconds = (((await serverCpu()) ?? 0) - serverBefore) / 1000
  return { perCpu: pings / ((user + system) / 1e6 + serverSeconds), perSecond: pings / seconds }
}

/** The handler that only answers, and the pings that are committed first. */
export async function measurePings(): Promise<Readonly<Record<'bare' | 'stored', Measured>>> {
  const { database, serverCpu, close } = await benchDatabase()
  const onFault = (error: unknown) => console.error(error)
  const writer = new PingWriter({ database, clock, timers: systemTimers, onFault })
  const server = fastify()
  const limits = { perHeartbeat: pings, unknownPerNetwork: pings }
  server.get('/bare', async () => 'OK')
  await server.register(async (scope) =>
    pingEndpoint({ database, clock, writer, limits, create: async () => false, onFault })(scope),
  )
  try {
    const uuids = await makeHeartbeats(database)
    const origin = await server.listen({ host: '127.0.0.1', port: 0 })
    const paths = uuids.map((uuid) => `/ping/${uuid}`)
    await measure(origin, ['/bare'], serverCpu)
    const bare = await measure(origin, ['/bare'], serverCpu)
    return { bare, stored: await measure(origin, paths, serverCpu) }
  } finally {
    await server.close()
    await writer.stop()
    await close()
  }
}

export async function run(): Promise<void> {
  const { bare, stored } = await measurePings()
  const shown = ({ perCpu, perSecond }: Measured) => [String(Math.round(perCpu)), String(Math.round(perSecond))]
  printLine('', ['/ CPU s', '/ s'])
  printLine('bare handler', shown(bare))
  printLine('pings, committed', shown(stored))
  printLine('ratio', [(stored.perCpu / bare.perCpu).toFixed(2), (stored.perSecond / bare.perSecond).toFixed(2)])
}
