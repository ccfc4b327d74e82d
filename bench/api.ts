/**
 * Compares the API with a bare Fastify + pg route with hand-written SQL that sends the same answers: cost per request,
 * and memory. BENCH_CASE measures the cases with this in their name; BENCH_PROFILE names a folder for CPU profiles of
 * the servers.
 */
import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { type Case, casesOf } from './api/cases.ts'
import { fill, ownServices, password, username } from './api/fill.ts'
import { load } from './api/load.ts'
import type { Usage } from './api/serve.ts'
import { type Served, serve } from './api/served.ts'
import { type BenchDatabase, benchDatabase } from './support/bench-database.ts'
import { printLine } from './support/table.ts'

const rounds = 3
const memoryConnections = 8
const memoryRequests = 100

/** Milliseconds per request. */
interface Cost {
  /** CPU of the serving process. */
  readonly node: number
  /** CPU of the database's processes. */
  readonly database: number
  /** From the arrival of the request to the end of its answer. */
  readonly answer: number
}

interface Sides {
  readonly bare: Served
  readonly open: Served
  readonly session: Served
}

type Headers = Readonly<Record<string, string>>

interface Bench {
  readonly database: BenchDatabase
  readonly sides: Sides
  /** A session of the measured account. */
  readonly headers: Headers
}

async function logIn({ baseUrl }: Served): Promise<Headers> {
  const response = await fetch(`${baseUrl}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const session = (await response.json()) as { readonly token: string }
  return { authorization: `Bearer ${session.token}` }
}

async function answerOf({ baseUrl }: Served, { path }: Case, headers: Headers): Promise<unknown> {
  const response = await fetch(baseUrl + path, { headers })
  return { total: response.headers.get('x-total-count'), body: await response.json() }
}

/** A comparison is worth something only when both sides say the same. */
async function refuseDifferences({ sides, headers }: Bench, cases: readonly Case[]): Promise<void> {
  for (const wanted of cases.filter(({ method }) => method === 'GET')) {
    const bare = await answerOf(sides.bare, wanted, headers)
    for (const side of [sides.open, sides.session]) {
      const same = isDeepStrictEqual(await answerOf(side, wanted, headers), bare)
      if (!same) throw new Error(`${wanted.path}: ${side.kind} and bare answer differently`)
    }
  }
}

async function measure({ database, headers }: Bench, side: Served, wanted: Case): Promise<Cost> {
  const { requests } = wanted
  const [databaseBefore, before] = [await database.serverCpu(), await side.usage()]
  await load(wanted, { baseUrl: side.baseUrl, headers, connections: 1, requests })
  const [databaseAfter, after] = [await database.serverCpu(), await side.usage()]
  return {
    node: (after.cpuMilliseconds - before.cpuMilliseconds) / requests,
    database: ((databaseAfter ?? 0) - (databaseBefore ?? 0)) / requests,
    answer: (after.answeringMilliseconds - before.answeringMilliseconds) / requests,
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function typical(costs: readonly Cost[]): Cost {
  return {
    node: median(costs.map(({ node }) => node)),
    database: median(costs.map(({ database }) => database)),
    answer: median(costs.map(({ answer }) => answer)),
  }
}

/** The sides take turns, so that what else the machine does hits them alike; the first round warms up. */
async function compare(bench: Bench, wanted: Case): Promise<Record<keyof Sides, Cost>> {
  const { bare, open, session } = bench.sides
  const costs: Record<keyof Sides, Cost[]> = { bare: [], open: [], session: [] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of [bare, open, session]) {
      const cost = await measure(bench, side, wanted)
      if (round > 0) costs[side.kind].push(cost)
    }
  }
  return { bare: typical(costs.bare), open: typical(costs.open), session: typical(costs.session) }
}

function shown({ node, database, answer }: Cost): string[] {
  return [node, database, answer].map((value) => value.toFixed(2))
}

function ratios(cost: Cost, bare: Cost): string[] {
  const whole = (cost.node + cost.database) / (bare.node + bare.database)
  return [whole, cost.answer / bare.answer].map((ratio) => `${ratio.toFixed(2)}×`)
}

function columnsOf(wanted: Case, { bare, open, session }: Record<keyof Sides, Cost>): string[] {
  const target = wanted.target === undefined ? '' : `≤ ${wanted.target}×`
  return [...shown(bare), ...shown(open), ...ratios(open, bare), target, ...ratios(session, bare)]
}

function printHeading(): void {
  const side = ['node', 'pg', 'answer']
  const ratio = ['CPU', 'answer']
  printLine('', ['bare', '', '', 'open', '', '', 'open', ':bare', '', 'session', ':bare'])
  printLine('ms per request', [...side, ...side, ...ratio, 'target', ...ratio])
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}

/** The largest list on several connections, again and again: what stays must not grow. */
async function watchMemory({ sides, headers }: Bench, largest: Case): Promise<void> {
  const readings: Usage[] = []
  const options = { baseUrl: sides.session.baseUrl, headers, connections: memoryConnections, requests: memoryRequests }
  for (let round = 0; round < 4; round += 1) {
    await load(largest, options)
    readings.push(await sides.session.usage())
  }
  const resident = readings.map(({ residentBytes }) => megabytes(residentBytes)).join(', ')
  const heap = readings.map(({ heapBytes }) => megabytes(heapBytes)).join(', ')
  console.log(`  ${memoryRequests} × ${largest.name} on ${memoryConnections} connections, four times:`)
  console.log(`  resident ${resident}; heap after collection ${heap}`)
}

async function compareAll(database: BenchDatabase): Promise<void> {
  await fill(database.database, Date.now())
  const [service] = await database.database.query<{ id: number }>(
    sql`select s.id from services s join accounts a on a.id = s.owner_id where username = ${username} order by s.id offset 500 limit 1`,
  )
  const serviceId = service?.id ?? 0
  const sides = {
    bare: await serve('bare', database.url, serviceId),
    open: await serve('open', database.url, serviceId),
    session: await serve('session', database.url, serviceId),
  }
  const bench = { database, sides, headers: await logIn(sides.session) }
  const cases = casesOf(serviceId).filter(({ name }) => name.includes(process.env['BENCH_CASE'] ?? ''))
  try {
    await refuseDifferences(bench, cases)
    console.log(`An account of ${ownServices} services. Open: the caller is known already, as in the bare route.`)
    printHeading()
    for (const wanted of cases) printLine(wanted.name, columnsOf(wanted, await compare(bench, wanted)))
    const largest = cases.find(({ path }) => path.includes('embed=group'))
    if (largest !== undefined) await watchMemory(bench, largest)
  } finally {
    await Promise.all(Object.values(sides).map((side) => side.stop()))
  }
}

export async function run(): Promise<void> {
  const database = await benchDatabase()
  try {
    await compareAll(database)
  } finally {
    await database.close()
  }
}
