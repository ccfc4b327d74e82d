import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { integrationTransport } from '../../src/channels/integration-transport.ts'
import { startDeliveryWorkers } from '../../src/notifications/start.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { silentLog } from '../support/monitoring.ts'
import type { Person } from '../support/people.ts'

interface Heard {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let world: ApiWorld
const heard: Heard[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    heard.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.end()
  })
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  world = await apiWorld()
})
beforeEach(() => {
  heard.length = 0
})
afterAll(async () => {
  server.close()
  await world.drop()
})

const old = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const older = `whsec_${Buffer.alloc(32, 2).toString('base64')}`

async function addWebhook(settings: object): Promise<string> {
  const body = { notification_channel_id: 'webhook', settings: { url, ...settings } }
  const reply = await world.call('alice', 'POST', '/notification_addresses', body)
  expect(reply.text).toContain('"id"')
  return `/notification_addresses/${reply.answer.id}`
}

interface Rotated {
  readonly secret: string
  readonly old_secret_until: string | null
}

async function rotate(path: string): Promise<Rotated> {
  const { status, body } = await world.call('alice', 'POST', `${path}/rotate_secret`)
  expect(status).toBe(200)
  return body as Rotated
}

/** Which of the secrets have signed the next message to the address. */
async function signers(path: string, secrets: readonly string[]): Promise<boolean[]> {
  const { database, clock } = world
  const transport = integrationTransport({
    clock: { now: () => Date.now() },
    dialler: createDialler({ allow: 'all' }),
    vendorUrls: new Map(),
  })
  const common = { database, clock, log: silentLog, publicUrl: 'http://api.test', diagnose: () => null }
  const notifier = await startDeliveryWorkers(common, [transport])
  const reply = await world.call('alice', 'POST', `${path}/send_test_notification`)
  await notifier.stop()
  expect(reply.body).toEqual({ status: 'sent', error_message: null })
  const last = heard.at(-1)
  if (last === undefined) throw new Error('nothing was heard')
  return secrets.map((secret) => {
    try {
      new Webhook(secret).verify(last.body, last.headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  })
}

test('the old secret signs beside the new one for a day, and then no more', async () => {
  const path = await addWebhook({ secret: `${old} ${older}` })
  expect(await signers(path, [old, older])).toEqual([true, true])
  const { secret, old_secret_until } = await rotate(path)
  expect(Date.parse(String(old_secret_until)) - world.clock.now()).toBeCloseTo(86_400_000, -4)
  expect(await signers(path, [secret, old, older])).toEqual([true, true, false])
  world.clock.advance(86_399_000)
  expect(await signers(path, [secret, old])).toEqual([true, true])
  world.clock.advance(2000)
  expect(await signers(path, [secret, old])).toEqual([true, false])
})

test('a webhook without a secret gets its first one, and nobody is shown it again', async () => {
  const path = await addWebhook({})
  const { secret, old_secret_until } = await rotate(path)
  expect(old_secret_until).toBeNull()
  expect(await signers(path, [secret])).toEqual([true])
  const { text } = await world.call('alice', 'GET', path)
  expect(text).not.toContain('whsec_')
})

test('secrets that somebody sets after a rotation stay until somebody removes them', async () => {
  const path = await addWebhook({ secret: older })
  await rotate(path)
  const kept = await world.call('alice', 'PUT', path, { settings: { secret: `${old} ${older}` } })
  expect(kept.status).toBeLessThan(300)
  world.clock.advance(2 * 86_400_000)
  expect(await signers(path, [old, older])).toEqual([true, true])
})

test('a change of something else does not make the old secret last', async () => {
  const path = await addWebhook({ secret: old })
  const { secret } = await rotate(path)
  await world.call('alice', 'PUT', path, { description: 'Hook', settings: { secret: null, method: 'PUT' } })
  world.clock.advance(2 * 86_400_000)
  expect(await signers(path, [secret, old])).toEqual([true, false])
})

test.each<[Person, number]>([
  ['carol', 403],
  ['charlie', 404],
])('%s, who may not change the address, does not rotate its secret: %i', async (person, status) => {
  const path = await addWebhook({ secret: old })
  const group = await world.call('alice', 'PUT', path, { group_id: world.people.sharedGroupId })
  expect(group.status).toBeLessThan(300)
  expect((await world.call(person, 'POST', `${path}/rotate_secret`)).status).toBe(status)
  expect(await signers(path, [old])).toEqual([true])
})
