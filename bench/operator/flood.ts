/** A flood of visitors on a public status page, by a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { ServedProgram } from './served-program.ts'

export interface Flooded {
  readonly answered: number
  /** Neither 200 nor 304, or no answer. */
  readonly refused: number
  /** Milliseconds. */
  readonly p99: number
}

export interface Flood {
  stop(): Promise<Flooded>
}

const components = 100

async function made(program: ServedProgram, path: string, body: object): Promise<number> {
  const headers = { authorization: program.authorization, 'content-type': 'application/json' }
  const response = await fetch(`${program.api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status !== 201) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { readonly id: number }).id
}

const client = `
const autocannon = require('autocannon')
const [url, rate] = process.argv.slice(1)
const running = autocannon({ url, overallRate: Number(rate), connections: 50, duration: 86400, timeout: 30 }, (error, report) => {
  if (error) throw error
  const { errors, timeouts, non2xx, latency } = report
  console.log(JSON.stringify({ answered: report['2xx'], refused: non2xx + errors + timeouts, p99: latency.p99 }))
})
process.on('SIGTERM', () => running.stop())
`

/** Makes a page with a hundred services as its components, and asks for it so many times a second. */
export async function startFlood(program: ServedProgram, ids: readonly number[], perSecond: number): Promise<Flood> {
  const page = await made(program, '/status_pages', { slug: 'flooded', title: 'Flooded' })
  for (const id of ids.slice(0, components)) {
    await made(program, '/status_page_components', { status_page_id: page, name: `Service ${id}`, service_id: id })
  }
  const url = `${new URL(program.api).origin}/status/flooded`
  const child: ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> } = spawn(
    process.execPath,
    ['-e', client, url, String(perSecond)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const told = text(child.stdout)
  return {
    async stop() {
      child.kill('SIGTERM')
      return JSON.parse(await told) as Flooded
    },
  }
}
