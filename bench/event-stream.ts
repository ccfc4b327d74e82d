/**
 * The event stream: the cost of a thousand listeners at one process, and the delay of a verdict that another process
 * recorded.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { findLogin } from '../src/auth/callers.ts'
import { createSession } from '../src/auth/sessions.ts'
import type { Database } from '../src/database/connect.ts'
import { startMonitoring } from '../src/monitoring/start.ts'
import { quietLog } from './support/bench-database.ts'
import { instantStations, monitoredDatabase } from './support/monitored-database.ts'
import { printLine } from './support/table.ts'

const listeners = 1000
const accounts = 100
const services = 50
const targetMegabytes = 150
const targetDelayMs = 2000
const settlingMs = 8000
const clock = { now: () => Date.now() }

interface Measured {
  readonly residentMegabytes: number
  readonly cpuMs: number
}

async function measure(child: ChildProcess): Promise<Measured> {
  child.send('measure')
  const [message] = (await once(child, 'message')) as [Measured]
  return message
}

/** Every account reads the one group whose services fail, so that every listener hears of each of them. */
async function tokensOf(database: Database): Promise<string[]> {
  await database.execute(sql`
    insert into accounts (distribution_id, package_id, username, name, is_activated)
    select distribution_id, package_id, 'listener ' || n, 'Listener', true
    from accounts owner, generate_series(1, ${accounts}) n where owner.username = 'bench'`)
  await database.execute(sql`
    insert into shares (group_id, account_id) select groups.id, accounts.id from groups, accounts where username like 'listener %'`)
  const tokens: string[] = []
  for (let number = 1; number <= accounts; number++) {
    const login = await findLogin(database, `listener ${number}`)
    if (login === undefined) throw new Error('There is no account to listen as.')
    const options = { isVerified: true, userAgent: 'bench', expirationDurationSeconds: 3600, now: clock.now() }
    tokens.push((await createSession(database, { login, ...options })).token)
  }
  return tokens
}

/** Opens one stream; `heard` gets every service that is told to fail. */
async function listen(url: string, token: string, number: number, heard: (serviceId: number) => void): Promise<void> {
  // An address may have 200 streams.
  const localAddress = `127.0.${1 + Math.floor(number / 100)}.1`
  const asked = request(`${url}/v3/event_stream`, {
    ...{ localAddress, agent: false },
    headers: { authorization: `Bearer ${token}` },
  })
  asked.end()
  const [response] = await once(asked, 'response')
  if (response.statusCode !== 200) throw new Error(`The stream is refused: ${response.statusCode}.`)
  let rest = ''
  response.setEncoding('utf8')
  response.on('error', () => undefined)
  response.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const failed = /^event: service_status\ndata: \{"id":(\d+),"check_status":"failure"/m.exec(block)?.[1]
      if (failed !== undefined) heard(Number(failed))
    }
  })
}

/** Milliseconds from each verdict to each listener, in order, and how many were to come. */
async function delays(database: Database, url: string, tokens: readonly string[]) {
  const arrivals: { readonly serviceId: number; readonly at: number }[] = []
  const note = (serviceId: number) => void arrivals.push({ serviceId, at: Date.now() })
  for (let number = 0; number < listeners; number++) {
    await listen(url, tokens[number % tokens.length] ?? '', number, note)
  }
  return async () => {
    const stations = instantStations(() => {})
    const failing = { result: 'error', responseTime: null, errorTypeId: 2001, errorMessage: 'refused' } as const
    const monitoring = await startMonitoring({
      ...{ database, clock, log: quietLog, keepArtifact: async () => null, retentionDays: 400 },
      stations: { ...stations, check: async (job) => ({ ...(await stations.check(job)), ...failing }) },
      pruneArtifacts: async () => 0,
    })
    const expected = listeners * services
    for (let tries = 0; tries < 600 && arrivals.length < expected; tries++) await pause(50)
    await monitoring.stop()
    const rows = await database.query<{ service_id: number; at: number }>(
      sql`select service_id, start_time as at from status_changes where status = 'failure'`,
    )
    const decided = new Map(rows.map((row) => [row.service_id, row.at]))
    const times = arrivals.map(({ serviceId, at }) => at - (decided.get(serviceId) ?? Number.NaN))
    return { expected, times: times.toSorted((one, other) => one - other) }
  }
}

export async function run(): Promise<void> {
  const bench = await monitoredDatabase(services, 10)
  await bench.database.execute(sql`update schedule set due_at = 'infinity'`)
  const child = fork(fileURLToPath(new URL('event-stream/api-process.ts', import.meta.url)), [bench.url])
  try {
    const [url] = (await once(child, 'message')) as [string]
    const tokens = await tokensOf(bench.database)
    const before = await measure(child)
    const fail = await delays(bench.database, url, tokens)
    await pause(settlingMs)
    const idle = await measure(child)
    await pause(settlingMs)
    const listened = await measure(child)
    await bench.database.execute(sql`update schedule set due_at = now() + interval '2 seconds'`)
    const { expected, times } = await fail()
    const after = await measure(child)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
    const largest = Math.max(idle.residentMegabytes, listened.residentMegabytes, after.residentMegabytes)
    const [p50, p99, most] = [at(0.5), at(0.99), at(1)].map((delay) => `${delay} ms`)
    const perSecond = (listened.cpuMs - idle.cpuMs) / settlingMs
    printLine('the process without them', [`${before.residentMegabytes} MB`])
    const taken = largest - before.residentMegabytes
    printLine(`taken by ${listeners} listeners`, [`${taken} MB`, `(${targetMegabytes})`])
    printLine('CPU while nothing happens', [`${(perSecond * 100).toFixed(1)} %`])
    printLine('events heard', [`${times.length}`, `of ${expected}`])
    printLine('verdict to listener', [`p50 ${p50} `, ` p99 ${p99} `, ` at most ${most} (${targetDelayMs})`])
    const isMet = taken <= targetMegabytes && times.length >= expected && at(1) <= targetDelayMs
    console.log(isMet ? 'met' : 'MISSED')
  } finally {
    child.kill()
    await bench.close()
  }
}
