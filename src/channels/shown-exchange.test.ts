import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDialler } from '../outgoing/dial.ts'
import type { Message } from './delivery.ts'
import type { Exchanged } from './exchanged.ts'
import { integrationTransport } from './integration-transport.ts'

/** Repeats the whole request in its answer, as some test servers do. */
const echo = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { url, headers } = request
    response.writeHead(400).end(JSON.stringify({ url, headers, body: Buffer.concat(chunks).toString() }))
  })
})
let server = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  server = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
})
afterAll(() => void echo.close())

const token = '7.a.4.Zm9vYmFyYmF6cXV4cXV1eA'
const link = `https://watch.example.com/acknowledge?token=${token}`

/** Everything stored about a message to the address, as one text. */
async function keptOf(channelId: string, settings: Message['settings']): Promise<string> {
  const transport = integrationTransport({
    clock: { now: () => Date.now() },
    dialler: createDialler({ allow: 'all' }),
    vendorUrls: new Map(),
  })
  const kept: Exchanged[] = []
  const outcome = await transport.deliver(
    {
      ...{ subject: 'Shop: failure', text: `Shop: failure\nI know of it: ${link}\n`, attachment: null },
      ...{ key: 'notice-1', threadKey: 'thread-1', channelId, address: server, settings, link: null },
      ...{ acknowledgeLink: link, serviceId: 1, condition: 'failure', decidedAt: 1_800_000_000_000 },
    },
    { handOver: async () => undefined, saw: (seen) => void kept.push(seen) },
  )
  expect(kept.map(({ response }) => response?.status)).toEqual([400])
  return JSON.stringify([kept, outcome])
}

test('the link that acknowledges is kept neither of a request nor of what a far end repeats', async () => {
  const text = await keptOf('webhook', { url: `${server}/hook` })
  expect(text).toContain('acknowledge?token=***')
  expect(text).not.toContain(token)
})

test('credentials in headers are not kept, also where a far end repeats them in another form', async () => {
  const settings = {
    site: server,
    email: 'bot@example.com',
    api_key: 'abcdefghijklmnopqrstuvwxyz012345',
    stream: 'ops',
  }
  const basic = Buffer.from(`${settings.email}:${settings.api_key}`).toString('base64')
  const text = await keptOf('zulip', settings)
  expect(text).not.toContain(basic)
  expect(text).not.toContain(settings.api_key)
})

test.each(['x-key: s3cret-of-mine', 'X-Key:   s3cret-of-mine  '])(
  'a header of the user is not kept: %j',
  async (line) => {
    const text = await keptOf('webhook', { url: `${server}/hook`, headers: line })
    expect(text).not.toContain('s3cret-of-mine')
  },
)
