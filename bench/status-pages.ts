/**
 * Measures how fast one process serves a status page with a hundred components, against a handler that sends the same
 * bytes: as fast as it can, and the patience of visitors at 2,000 a second. The clients have a process of their own.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { type ApiWorld, apiWorld } from '../test/support/api.ts'
import { idOf } from '../test/support/replies.ts'
import { printLine } from './support/table.ts'

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

async function makePage(world: ApiWorld): Promise<void> {
  const page = idOf(await world.call('alice', 'POST', '/status_pages', { slug: 'hundred', title: 'Hundred' }))
  for (let number = 0; number < components; number++) {
    const service = { type_id: 'http', name: `Service ${number}`, address: `${number}.example.com` }
    const id = idOf(await world.call('alice', 'POST', '/services', service))
    const component = { status_page_id: page, name: `Component ${number}`, service_id: id }
    idOf(await world.call('alice', 'POST', '/status_page_components', component))
  }
}

export async function run(): Promise<void> {
  const world = await apiWorld()
  const bare = fastify()
  try {
    await makePage(world)
    const page = `${await world.server.listen({ host: '127.0.0.1', port: 0 })}/status/hundred`
    const response = await fetch(page)
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
    printLine('ratio', [(full.perSecond / handler.perSecond).toFixed(2), (full.perCpu / handler.perCpu).toFixed(2), ''])
  } finally {
    await bare.close()
    await world.drop()
  }
}
