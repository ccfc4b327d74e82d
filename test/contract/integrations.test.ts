import { createECDH } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { detectAddress } from '../../src/channels/addressing.ts'
import type { Message } from '../../src/channels/delivery.ts'
import type { EventBody } from '../../src/channels/event.ts'
import { integrations } from '../../src/channels/index.ts'
import type { Integration } from '../../src/channels/integration.ts'
import { integrationTransport } from '../../src/channels/integration-transport.ts'
import { mergeSettings, type StoredSettings } from '../../src/domain/services/extended-settings.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
import type { HttpRequest } from '../../src/outgoing/exchange.ts'
import { failureAt } from '../support/notices.ts'
import { type PushReceiver, readPush, readVapid } from '../support/push-receiver.ts'

/** The vendor's documentation, as a file beside this test for each channel. */
interface Golden {
  readonly source: string
  /** URLs of the vendor, or of Apprise, and what is read of each; empty: the channel recognises none. */
  readonly pasted: Readonly<Record<string, StoredSettings>>
  readonly settings: StoredSettings
  /** Decrypts encrypted requests; absent: nothing is encrypted. */
  readonly receiver?: PushReceiver
  readonly label: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    /** Either of them. */
    readonly json?: object
    readonly form?: Readonly<Record<string, string>>
  }
}

function goldenOf({ channel }: Integration): Golden {
  return JSON.parse(readFileSync(new URL(`./integrations/${channel.id}.json`, import.meta.url), 'utf8'))
}

const event: EventBody = {
  type: 'service.failure',
  timestamp: '2026-11-21T11:13:00Z',
  data: {
    service: {
      ...{ id: 7, name: 'Shop', address: 'shop.example.com', port: null, type_id: 'http', group_id: 3, tags: ['web'] },
      url: 'https://watch.example.com/services/7',
    },
    status_change: {
      ...{ change_id: '179525958000000', start_time: '2026-11-21T11:13:00Z' },
      ...{ end_time: null, duration: null },
    },
    analysis: { analysis_id: '179525958000000', ok: 1, error: 2, unknown: 0 },
    checks: [
      {
        ...{ sensor_id: 1, sensor: 'Gdańsk', result: 'error', error_type: 'connection_refused' },
        ...{ message: 'connect ECONNREFUSED', response_time: null },
      },
    ],
    message: { subject: 'Shop: FAILURE', text: 'It failed.\nSince noon.\n' },
  },
}

const message: Message = {
  event,
  ...{ key: 'notice-7-failure-1', threadKey: 'thread-7-1', channelId: '', address: '', serviceId: 7 },
  serviceName: 'Shop',
  ...{ condition: 'failure', decidedAt: failureAt, subject: 'Shop: FAILURE', text: 'It failed.\nSince noon.\n' },
  incident: { key: 'latarnik-0a1b2c3d-7', isOver: false },
  ...{ attachment: null, settings: {}, link: 'https://watch.example.com/services/7' },
}

const secretsOf = ({ settings }: Integration, values: StoredSettings) =>
  settings.flatMap(({ isSecret, setting_id }) => (isSecret && setting_id in values ? [String(values[setting_id])] : []))

/** Servers repeat the path that they do not know. */
const pathOf = (secret: string) => (URL.canParse(secret) ? new URL(secret).pathname : secret)

/** The body as its type says. */
function bodyOf(
  { headers, body, bytes }: HttpRequest,
  { receiver }: Pick<Golden, 'receiver'>,
): Pick<Golden['request'], 'json' | 'form'> {
  if (bytes !== undefined && receiver !== undefined) return { json: readPush(bytes, receiver) as object }
  switch (headers['Content-Type']) {
    case 'application/json':
    case 'application/json; charset=utf-8':
      return { json: JSON.parse(body ?? '') }
    case 'application/x-www-form-urlencoded':
      return { form: Object.fromEntries(new URLSearchParams(body ?? '')) }
  }
  throw new Error(`a body of the type ${headers['Content-Type']}`)
}

const keys = createECDH('prime256v1')
// A key whose first byte is zero would have 31 of them.
keys.setPrivateKey(Buffer.alloc(32, 7))
const sender = {
  publicUrl: 'https://watch.example.com',
  webPushKeys: { publicKey: keys.getPublicKey('base64url'), privateKey: keys.getPrivateKey('base64url') },
}

/** A pass that the sender signs anew for each message is read, and left out. */
function withoutPass(headers: HttpRequest['headers']): HttpRequest['headers'] {
  const { Authorization: pass = '', ...others } = headers
  if (!pass.startsWith('vapid ')) return headers
  const { sub, aud, publicKey } = readVapid(pass)
  expect({ sub, aud, publicKey }).toEqual({
    ...{ sub: 'https://watch.example.com', aud: 'https://push.example.net' },
    publicKey: sender.webPushKeys.publicKey,
  })
  return others
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A far end on this machine, and the channel with its vendor there. */
async function farEnd(integration: Integration, answer: Answer) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks).toString())
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { id } = integration.channel
  const transport = integrationTransport({
    clock: { now: () => Date.now() },
    dialler: createDialler({ allow: 'all' }),
    vendorUrls: new Map([[id, place]]),
    timeouts: { connection: 500, whole: 1000 },
    sender: async () => sender,
  })
  let handedOver = 0
  async function handOver() {
    handedOver += 1
  }
  const golden = goldenOf(integration)
  // Where each address names its own server, this one does.
  const served = JSON.stringify(golden.settings).replaceAll(new URL(golden.request.url).origin, place)
  const settings: StoredSettings = integration.vendor === null ? JSON.parse(served) : golden.settings
  const deliver = (values: Partial<Message> = {}) =>
    transport.deliver({ ...message, channelId: id, settings, ...values }, { handOver })
  return { deliver, settings, bodies, handedOver: () => handedOver, stop: () => server.close() }
}

const status =
  (code: number, headers: Record<string, string> = {}, body = '{}'): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end(body)

test('there are channels to hold to this', () => {
  expect(integrations.length).toBeGreaterThan(0)
})

describe.each(integrations.map((integration) => [integration.channel.id, integration] as const))(
  '%s',
  (id, integration) => {
    const golden = goldenOf(integration)

    test('sends what its vendor documents', () => {
      const request = integration.request(message, golden.settings, sender)
      const { url, method, headers } = request
      const { 'Content-Type': _, 'User-Agent': agent, ...others } = withoutPass(headers)
      expect({ url, method, headers: others, ...bodyOf(request, golden) }).toEqual(golden.request)
      expect(agent).toBe('Latarnik')
    })

    test('takes its own fields, and says which one is wrong', () => {
      expect(mergeSettings(integration, {}, golden.settings, 'data.settings').problems).toEqual([])
      const required = integration.settings.filter(({ isRequired }) => isRequired).map(({ setting_id }) => setting_id)
      const { problems } = mergeSettings(integration, {}, { not_a_field: 1 }, 'data.settings')
      expect(problems.map(({ error, field }) => `${error} ${field}`)).toEqual([
        'unknown_field data.settings.not_a_field',
        ...required.map((name) => `missing_value data.settings.${name}`),
      ])
    })

    test('takes no secret that a header cannot carry, and hangs on nobody when one is there', async () => {
      for (const { setting_id: id, isSecret, suggested_form_element: element } of integration.settings) {
        if (!isSecret || element === 'textarea') continue
        const { problems } = mergeSettings(integration, {}, { ...golden.settings, [id]: 'zażółć' }, 'data.settings')
        expect(problems.map(({ field }) => field)).toEqual([`data.settings.${id}`])
      }
      const end = await farEnd(integration, status(200))
      const odd = Object.fromEntries(
        integration.settings.flatMap(({ setting_id: id, isSecret, grammar }) =>
          isSecret && grammar === null ? [[id, 'zażółć\n']] : [],
        ),
      )
      const outcome = await end.deliver({ settings: { ...end.settings, ...odd } })
      expect(['sent', 'failed']).toContain(outcome.status)
    })

    test('is recognised by a URL, and by no other channel', () => {
      const pasted = Object.entries(golden.pasted)
      expect(integration.detect === null).toBe(pasted.length === 0)
      for (const [url, settings] of pasted) {
        expect(detectAddress(url, integrations)).toEqual({ channelId: id, settings })
        const others = integrations.filter((other) => other !== integration)
        expect(detectAddress(url, others), url).toBeNull()
        const { problems } = mergeSettings(integration, {}, settings, 'data.settings')
        expect(problems.filter(({ error }) => error !== 'missing_value')).toEqual([])
      }
      for (const other of ['https://example.com/', 'https://ntfy.example.com.evil.test/x', 'mailto:a@b.c', 'no URL']) {
        expect(detectAddress(other, [integration]), other).toBeNull()
      }
    })

    test('is shown by a label without a secret', () => {
      expect(integration.label(golden.settings)).toBe(golden.label)
      for (const secret of secretsOf(integration, golden.settings)) expect(golden.label).not.toContain(secret)
    })

    test('cuts a text that is too long, and sends the rest whole', () => {
      const text = 'zażółć gęślą jaźń 🙂\n'.repeat(5000)
      const long = { ...event, data: { ...event.data, message: { subject: 'Shop', text } } }
      const request = integration.request({ ...message, text, event: long }, golden.settings, sender)
      expect(request.bytes?.length ?? 0).toBeLessThan(4096)
      const body = JSON.stringify(bodyOf(request, golden))
      expect(body.length).toBeLessThan(60_000)
      expect(body).toContain('zażółć gęślą jaźń')
      expect(body).not.toContain('\ufffd')
    })

    test.each([
      [200, { status: 'sent' }],
      [400, { status: 'failed', permanent: true, isGatewayDown: false }],
      [401, { status: 'failed', permanent: true, isGatewayDown: false }],
      [404, { status: 'failed', permanent: true, isGatewayDown: false }],
      [429, { status: 'failed', permanent: false, retryAfter: 7000 }],
      [500, { status: 'failed', permanent: false, isGatewayDown: true }],
      [503, { status: 'failed', permanent: false, isGatewayDown: true }],
      [302, { status: 'failed', permanent: true }],
    ])('an answer %i is %j', async (code, outcome) => {
      const end = await farEnd(integration, status(code, { 'Retry-After': '7', Location: 'http://127.0.0.1:1/' }))
      expect(await end.deliver()).toMatchObject(outcome)
      expect(end.bodies).toHaveLength(1)
      expect(end.handedOver()).toBe(integration.isIdempotent ? 0 : 1)
    })

    test.each([
      ['hangs up', ((_, response) => response.destroy()) satisfies Answer],
      ['says nothing', (() => undefined) satisfies Answer],
    ])('a far end that %s is given up; what it may have taken it is not given twice', async (_name, answer) => {
      const end = await farEnd(integration, answer)
      const { status: outcome } = await end.deliver()
      expect(outcome).toBe(integration.isIdempotent ? 'failed' : 'unconfirmed')
    })

    test('a far end that is not there is tried again', async () => {
      const end = await farEnd(integration, status(200))
      end.stop()
      const outcome = await end.deliver()
      expect(outcome).toMatchObject({ status: 'failed', permanent: false, isGatewayDown: true })
      for (const secret of secretsOf(integration, end.settings)) expect(JSON.stringify(outcome)).not.toContain(secret)
      expect(end.handedOver()).toBe(0)
    })

    test('tells in its own words what the far end said, but no secret that it repeats', async () => {
      let said = ''
      const end = await farEnd(integration, (_, response) => response.writeHead(400).end(`bad thing ${said}`))
      expect(await end.deliver()).toMatchObject({ error: expect.stringContaining('bad thing') })
      for (const secret of secretsOf(integration, end.settings)) {
        for (const form of [secret, encodeURIComponent(secret), pathOf(secret), ...secret.split(',')]) {
          // The second time the end of what is kept goes through the secret.
          for (said of [form, `${'-'.repeat(180)}${form}`]) {
            const outcome = await end.deliver()
            const error = 'error' in outcome ? outcome.error : ''
            expect(error).toContain('bad thing')
            expect(error).not.toContain(form.slice(0, 10))
          }
        }
      }
    })

    test('an address that is not public is refused for good, before anything is sent', async () => {
      const lookedUp: string[] = []
      const dialler = createDialler({
        allow: [],
        resolve: async (name) => {
          lookedUp.push(name)
          return ['10.0.0.1']
        },
      })
      const transport = integrationTransport({
        clock: { now: () => Date.now() },
        dialler,
        vendorUrls: new Map(),
        sender: async () => sender,
      })
      const progress = { handOver: () => Promise.reject(new Error('nothing may be sent')) }
      const outcome = await transport.deliver({ ...message, channelId: id, settings: golden.settings }, progress)
      expect(outcome).toMatchObject({
        status: 'failed',
        permanent: true,
        error: expect.stringMatching(/not a public one/),
      })
      expect(lookedUp).toEqual([new URL(golden.request.url).hostname])
    })
  },
)
