/**
 * Measures how fast one process serves a status page with a hundred components, against a handler that sends the same
 * bytes: as fast as it can, and the patience of visitors at 2,000 a second. The clients have a process of their own.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fastify from 'fastify'
import sql from 'sql-template-tag'
import type { Database } from '../src/database/connect.ts'
import { passwordLimit } from '../src/program/page-visitors.ts'
import { Badges } from '../src/status-pages/badges.ts'
import { StatusPages } from '../src/status-pages/pages.ts'
import { serveStatusPages } from '../src/status-pages/serve.ts'
import { Subscriptions } from '../src/status-pages/subscribing/subscriptions.ts'
import { monitoredDatabase } from './support/monitored-database.ts'
import { printLine } from './support/table.ts'

const clock = { now: () => Date.now() }
const publicUrl = 'https://status.example'
const components = 100
const wantedRate = 2000
const seconds = Number(process.env['PAGE_SECONDS'] ?? 8)

const client = `
const autocannon = require('autocannon')
const [url, rate, duration] = process.argv.slice(1)
const pace = Number(rate) > 0 ? { overallRate: Number(rate) } : {}
autocannon({ url, ...pace, connections: 50, duration: Number(duration), timeout: 30 }).then((report) => {
  const { errors, non2xx, latency, requests } = report
  console.log(JSON.stringify({ answered: report['2xx'], failed: errors + non2xx, p99: latency.p99, perSecond: requests.average }))
})
`

interface Measured {
  readonly perSecond: number
  /** For each second of CPU time of this process. */
  readonly perCpu: number
  /** Milliseconds. */
  readonly p99: number
}

async function measure(url: string, rate: number): Promise<Measured> {
  const cpu = process.cpuUsage()
  const given = [url, String(rate), String(seconds)]
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', client, ...given])
  const { user, system } = process.cpuUsage(cpu)
  const { answered, failed, p99, perSecond } = JSON.parse(stdout) as Measured & { answered: number; failed: number }
  if (failed > 0) throw new Error(`${failed} requests of ${url} failed.`)
  return { perSecond, perCpu: answered / ((user + system) / 1e6), p99 }
}

/** The page of the account, a component for each of its services. */
async function makePage(database: Database): Promise<void> {
  await database.execute(sql`
    with page as (
      insert into status_pages (owner_id, slug, title, language_id, time_zone_id, created_at, updated_at)
      select id, 'hundred', 'Hundred', 'en', 'utc', now(), now() from accounts returning id)
    insert into status_page_components (status_page_id, position, name, service_id, created_at, updated_at)
    select page.id, services.id, 'Component ' || services.id, services.id, now(), now() from page, services`)
}

/** A page with five times as many components, each with a name and a description of its own. */
async function makeLargePage(database: Database): Promise<void> {
  await database.execute(sql`
    with page as (
      insert into status_pages (owner_id, slug, title, language_id, time_zone_id, created_at, updated_at)
      select id, 'large', 'Large', 'en', 'utc', now(), now() from accounts returning id)
    insert into status_page_components
      (status_page_id, position, name, description, service_id, created_at, updated_at)
    select page.id, services.id, 'Component ' || md5(services.id || ' ' || number),
      'Serves ' || md5(number || ' ' || services.id), services.id, now(), now()
    from page, services, generate_series(1, 5) number`)
}

/** Kilobytes of the large page as it is and as it travels. */
async function largeSizes(pages: StatusPages): Promise<string> {
  const page = await (await pages.find('large', '127.0.0.1'))?.get('')
  if (page === undefined) throw new Error('There is no large page.')
  const shown = (bytes: Buffer | null | undefined) => `${((bytes?.byteLength ?? 0) / 1000).toFixed(1)} KB`
  return `${shown(page.plain)}, gzip ${shown(await page.in('gzip'))}, br ${shown(await page.in('br'))}`
}

async function servePages(database: Database) {
  const server = fastify()
  const pages = new StatusPages({
    ...{ database, clock, publicUrl, hosts: { permitted: [], free: [], own: [] } },
    onFault: (error) => console.error(error),
  })
  serveStatusPages(server, {
    ...{ pages, publicUrl, languageOf: () => 'en' as const, accountsOf: async () => [] },
    badges: new Badges({ database, clock }),
    subscriptions: new Subscriptions({ database, clock, vendorUrls: new Map() }),
    limit: passwordLimit({ database, clock, attemptsPerMinute: 10 }),
  })
  pages.start()
  server.addHook('preClose', () => pages.stop())
  return { server, pages }
}

export async function run(): Promise<void> {
  const { database, close } = await monitoredDatabase(components, 60)
  await makePage(database)
  await makeLargePage(database)
  const { server, pages } = await servePages(database)
  const bare = fastify()
  try {
    const page = `${await server.listen({ host: '127.0.0.1', port: 0 })}/status/hundred`
    const response = await fetch(page)
    if (response.status !== 200) throw new Error(`The page answers ${response.status}.`)
    const [bytes, type] = [Buffer.from(await response.arrayBuffer()), response.headers.get('content-type') ?? '']
    bare.get('/', (_request, reply) => reply.type(type).send(bytes))
    const same = await bare.listen({ host: '127.0.0.1', port: 0 })
    await measure(page, 0)
    const [handler, full, paced] = [await measure(same, 0), await measure(page, 0), await measure(page, wantedRate)]
    const shown = ({ perSecond, perCpu, p99 }: Measured) => [
      String(Math.round(perSecond)),
      String(Math.round(perCpu)),
      `${p99}`,
    ]
    console.log(`${components} components, ${bytes.length} bytes`)
    printLine('', ['/ s', '/ CPU s', 'p99 ms'])
    printLine('bare handler', shown(handler))
    printLine('status page', shown(full))
    printLine(`status page at ${wantedRate} / s`, shown(paced))
    console.log(`${5 * components} components: ${await largeSizes(pages)}`)
    printLine('ratio', [(full.perSecond / handler.perSecond).toFixed(2), (full.perCpu / handler.perCpu).toFixed(2), ''])
  } finally {
    await bare.close()
    await server.close()
    await close()
  }
}
