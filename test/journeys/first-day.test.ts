import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from '../program/launch.ts'

type Json = Readonly<Record<string, unknown>>

/** A web server on a port of its own that can be unplugged and plugged in again. */
function page() {
  let server: Server | undefined
  let port = 0
  return {
    address: () => `127.0.0.1:${port}/`,
    async plugIn() {
      server = createServer((_request, response) => response.end('<h1>Dzień dobry</h1>')).listen(port, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      port = typeof address === 'object' && address !== null ? address.port : 0
    },
    async unplug() {
      const closed = server === undefined ? undefined : once(server, 'close')
      server?.close()
      server?.closeAllConnections()
      await closed
    },
  }
}

const data = temporaryDirectory()
const shop = page()
const wait = { timeout: 20_000, interval: 50 }
let program: Launched
let api = ''
let password = ''
let serviceId = 0

async function startProgram(): Promise<void> {
  program = launch({ DATA_DIR: data.path, FORCE_LIMITS: '1000,1000,1000', RATE_LIMIT: '100000' })
  api = `${await program.ready()}/v3`
}

async function call(method: string, path: string, body?: Json): Promise<{ status: number; body: unknown }> {
  const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
  const response = await fetch(api + path, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function create(path: string, body: Json): Promise<number> {
  const created = await call('POST', path, body)
  expect(created).toMatchObject({ status: 201 })
  return (created.body as { id: number }).id
}

async function summaryBecomes(summary: string): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await call('GET', `/service_statuses/${serviceId}`)
    expect((body as Json)['summary']).toBe(summary)
  }, wait)
}

async function analyseNow(): Promise<void> {
  expect(await call('POST', `/services/${serviceId}/force_analysis`)).toMatchObject({ status: 204 })
}

async function mails(): Promise<string[]> {
  const outbox = join(data.path, 'outbox')
  const files = existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : []
  const parsed = await Promise.all(files.sort().map((name) => simpleParser(readFileSync(join(outbox, name)))))
  return parsed.map((mail) => String(mail.headers.get('x-latarnik-event')))
}

async function mailsBecome(events: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await mails()).toEqual(events), wait)
}

beforeAll(async () => {
  await shop.plugIn()
  await startProgram()
  password = generatedPassword(program.stdout(), 'account')
}, 120_000)

afterAll(async () => {
  await stop(program)
  await shop.unplug()
  data.remove()
})

describe('the first day', () => {
  test('anybody reads the sensors: three local stations report in', async () => {
    const response = await fetch(`${api}/sensors?fields=name,is_available&sort=name`)
    expect(await response.json()).toEqual(
      ['Local 1', 'Local 2', 'Local 3'].map((name) => ({ name, is_available: true })),
    )
  })

  test('a new service is checked by every station within seconds', async () => {
    const groupId = await create('/groups', { name: 'Sklep' })
    serviceId = await create('/services', {
      name: 'My page',
      type_id: 'http',
      address: shop.address(),
      interval: 600,
      group_id: groupId,
    })
    await create('/notification_addresses', {
      group_id: groupId,
      notification_channel_id: 'email',
      address: 'me@example.com',
    })
    await summaryBecomes('ok')
    const { body } = await call('GET', `/services/${serviceId}/history/analyses/last_analysis/checks`)
    const checks = body as { sensor_id: number; result: string; response_time: number; time: string }[]
    expect(checks.map(({ result }) => result)).toEqual(['ok', 'ok', 'ok'])
    expect(checks.every(({ response_time }) => response_time >= 0)).toBe(true)
    expect(new Set(checks.map(({ sensor_id }) => sensor_id)).size).toBe(3)
  })

  test('unplugged: one failure mail, however often it is analysed', async () => {
    await shop.unplug()
    await analyseNow()
    await summaryBecomes('failure')
    await mailsBecome(['failure'])
    const before = await call('GET', `/service_statuses/${serviceId}`)
    await analyseNow()
    await vi.waitFor(async () => {
      const { body } = await call('GET', `/service_statuses/${serviceId}?fields=last_analysis_id`)
      expect((body as Json)['last_analysis_id']).not.toBe((before.body as Json)['last_analysis_id'])
    }, wait)
    expect(await mails()).toEqual(['failure'])
  })

  test('killed while it fails: everything acknowledged is there, nothing is told twice', async () => {
    const laterId = await create('/groups', { name: 'Acknowledged' })
    program.child.kill('SIGKILL')
    await program.ended()
    await startProgram()
    expect(await call('GET', `/groups/${laterId}?fields=name`)).toEqual({ status: 200, body: { name: 'Acknowledged' } })
    await analyseNow()
    await summaryBecomes('failure')
    expect(await mails()).toEqual(['failure'])
  })

  test('plugged in: one recovery mail', async () => {
    await shop.plugIn()
    await analyseNow()
    await summaryBecomes('ok')
    await mailsBecome(['failure', 'recovery'])
  })

  test('killed again and again: no event twice, none lost, no burst of rounds', async () => {
    for (const isUp of [false, true, false, true]) {
      await (isUp ? shop.plugIn() : shop.unplug())
      await analyseNow()
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.floor(Math.random() * 700)))
      program.child.kill('SIGKILL')
      await program.ended()
      await startProgram()
      await summaryBecomes(isUp ? 'ok' : 'failure')
    }
    await mailsBecome(['failure', 'recovery', 'failure', 'recovery', 'failure', 'recovery'])
    const { body } = await call('GET', `/services/${serviceId}/history/analyses?limit=1000`)
    expect((body as unknown[]).length).toBeLessThan(20)
  }, 300_000)

  test('the history is whole: neighbours touch, the seconds add up', async () => {
    const { body } = await call('GET', `/services/${serviceId}/history/status_changes`)
    const changes = body as { status: string; start_time: string; end_time: string | null }[]
    expect(changes.map(({ status }) => status)).toEqual(['ok', 'failure', 'ok', 'failure', 'ok', 'failure', 'ok'])
    expect(changes.slice(0, -1).map(({ end_time }) => end_time)).toEqual(changes.slice(1).map((one) => one.start_time))
    const service = (await call('GET', `/services/${serviceId}?fields=created_at`)).body as { created_at: string }
    const [from, to] = [Date.parse(service.created_at) / 1000, Math.floor(Date.now() / 1000)]
    const level = await call('GET', `/services/${serviceId}/history/service_level?from=${from}&to=${to}`)
    const seconds = level.body as { ok: number; failure: number; paused: number }
    expect(seconds.ok + seconds.failure + seconds.paused).toBeGreaterThanOrEqual(to - from - 1)
    expect(seconds.failure).toBeGreaterThan(0)
  })
}, 120_000)
