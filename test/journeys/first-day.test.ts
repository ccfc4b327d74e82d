import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, createClient } from '../../client/client.ts'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from '../program/launch.ts'

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
let server = ''
let api: Client
let password = ''
let serviceId = 0

async function startProgram(): Promise<void> {
  program = launch({ DATA_DIR: data.path, FORCE_LIMITS: '1000,1000,1000', RATE_LIMIT: '100000' })
  server = await program.ready()
  // Its login is known after the first start alone.
  if (password === '') password = generatedPassword(program.stdout(), 'account')
  api = createClient({ server, username: 'user', password })
}

const service = () => ({ path: { _id: serviceId } })

async function summaryBecomes(summary: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await api.get('/service_statuses/{_id}', service())).summary).toBe(summary)
  }, wait)
}

async function analyseNow(): Promise<void> {
  expect((await api.call('POST', '/services/{_id}/force_analysis', service())).status).toBe(204)
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
}, 120_000)

afterAll(async () => {
  await stop(program)
  await shop.unplug()
  data.remove()
})

describe('the first day', () => {
  test('anybody reads the sensors: three local stations report in', async () => {
    const query = { fields: ['name', 'is_available'], sort: ['name'] } as const
    expect(await createClient({ server }).get('/sensors', { query })).toEqual(
      ['Local 1', 'Local 2', 'Local 3'].map((name) => ({ name, is_available: true })),
    )
  })

  test('a new service is checked by every station within seconds', async () => {
    const { id: group_id } = await api.post('/groups', { body: { name: 'Sklep' } })
    const body = { name: 'My page', type_id: 'http', address: shop.address(), interval: 600, group_id } as const
    serviceId = (await api.post('/services', { body })).id
    const mailbox = { group_id, notification_channel_id: 'email', address: 'me@example.com' } as const
    await api.post('/notification_addresses', { body: mailbox })
    await summaryBecomes('ok')
    const checks = await api.get('/services/{_id}/history/analyses/{_analysis_id}/checks', {
      path: { _id: serviceId, _analysis_id: 'last_analysis' },
    })
    expect(checks.map(({ result }) => result)).toEqual(['ok', 'ok', 'ok'])
    expect(checks.every(({ response_time }) => (response_time ?? -1) >= 0)).toBe(true)
    expect(new Set(checks.map(({ sensor_id }) => sensor_id)).size).toBe(3)
  })

  test('unplugged: one failure mail, however often it is analysed', async () => {
    await shop.unplug()
    await analyseNow()
    await summaryBecomes('failure')
    await mailsBecome(['failure'])
    const before = await api.get('/service_statuses/{_id}', service())
    await analyseNow()
    await vi.waitFor(async () => {
      const now = await api.get('/service_statuses/{_id}', service())
      expect(now.last_analysis_id).not.toBe(before.last_analysis_id)
    }, wait)
    expect(await mails()).toEqual(['failure'])
  })

  test('killed while it fails: everything acknowledged is there, nothing is told twice', async () => {
    const path = { _id: (await api.post('/groups', { body: { name: 'Acknowledged' } })).id }
    program.child.kill('SIGKILL')
    await program.ended()
    await startProgram()
    expect((await api.get('/groups/{_id}', { path })).name).toBe('Acknowledged')
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
    expect((await api.all('/services/{_id}/history/analyses', service())).length).toBeLessThan(20)
  }, 300_000)

  test('the history is whole: neighbours touch, the seconds add up', async () => {
    const changes = await api.get('/services/{_id}/history/status_changes', service())
    expect(changes.map(({ status }) => status)).toEqual(['ok', 'failure', 'ok', 'failure', 'ok', 'failure', 'ok'])
    expect(changes.slice(0, -1).map(({ end_time }) => end_time)).toEqual(changes.slice(1).map((one) => one.start_time))
    const { created_at } = await api.get('/services/{_id}', service())
    const [from, to] = [Date.parse(created_at) / 1000, Math.floor(Date.now() / 1000)]
    const query = { from: String(from), to: String(to) }
    const seconds = await api.get('/services/{_id}/history/service_level', { ...service(), query })
    expect(seconds.ok + seconds.failure + seconds.paused).toBeGreaterThanOrEqual(to - from - 1)
    expect(seconds.failure).toBeGreaterThan(0)
  })
}, 120_000)
