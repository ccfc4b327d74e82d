import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { DeliveryOutcome, Message, Transport } from '../../src/channels/delivery.ts'
import type { JabberAccount } from '../../src/channels/jabber/login.ts'
import { jabberTransport } from '../../src/channels/jabber/messages.ts'
import { failureAt } from '../support/notices.ts'
import {
  serverCertificate,
  startXmppServer,
  type TestXmppServer,
  type XmppServerOptions,
} from '../support/xmpp-server.ts'

const timeouts = { login: 1500, answer: 500, silence: 60_000 }

let server: TestXmppServer | undefined
let channel: Transport | undefined

afterEach(async () => {
  vi.unstubAllEnvs()
  channel?.close()
  await server?.stop()
})

async function open(options: XmppServerOptions = {}, account: Partial<JabberAccount> = {}, changes = {}) {
  server = await startXmppServer(options)
  channel = jabberTransport({ ...server.account, ...account }, { ...timeouts, ...changes })
  return { server, channel }
}

function send(
  to: Transport,
  changes: Partial<Message> = {},
  handOver: () => Promise<void> = async () => undefined,
): Promise<DeliveryOutcome> {
  const words = { subject: 's', text: 'AWARIA: Sklep\nOd: dziś\n', attachment: null, settings: {}, link: null }
  const keys = { key: 'notice-1', threadKey: 't', channelId: 'jabber', serviceId: 1, condition: 'failure' }
  const message = { ...words, ...keys, address: 'alice@localhost', decidedAt: failureAt, ...changes }
  return to.deliver(message, { handOver })
}

const trouble = { status: 'failed', permanent: false, isGatewayDown: true }

describe('a message', () => {
  test('goes over an encrypted stream with the login that keeps the password secret', async () => {
    // The server's certificate is its own: that it is refused otherwise, another test holds.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { server, channel } = await open({ certificate: serverCertificate() })
    expect(await send(channel)).toEqual({ status: 'sent' })
    expect(server.messages).toEqual([
      { id: expect.stringMatching(/^[0-9a-f]{32}$/), to: 'alice@localhost', body: 'AWARIA: Sklep\nOd: dziś' },
    ])
    expect(server.logins).toEqual(['SCRAM-SHA-1 encrypted'])
  })

  test('goes with the password itself only where the stream is encrypted', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { server, channel } = await open({ certificate: serverCertificate(), mechanisms: ['PLAIN'] })
    expect(await send(channel)).toEqual({ status: 'sent' })
    expect(server.logins).toEqual(['PLAIN encrypted'])
  })

  test('of any text arrives as it is', async () => {
    const { server, channel } = await open()
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        server.messages.length = 0
        expect(await send(channel, { text: `x${text}]]>&<b>` })).toEqual({ status: 'sent' })
        const wanted = `x${text}]]>&<b>`.replace(/\r\n/g, '\n').split('\n')
        expect(server.messages[0]?.body.split('\n').length).toBeLessThanOrEqual(wanted.length)
        expect(server.messages[0]?.body).toMatch(/^x.*\]\]>&<b>$/s)
      }),
      { numRuns: 40 },
    )
  })

  test('over a stream that stands needs no second login', async () => {
    const { server, channel } = await open()
    for (let index = 0; index < 3; index += 1) expect(await send(channel)).toEqual({ status: 'sent' })
    expect(await Promise.all([send(channel), send(channel)])).toEqual([{ status: 'sent' }, { status: 'sent' }])
    expect(server.logins).toHaveLength(1)
    expect(server.messages).toHaveLength(5)
  })

  test('is taken also by a server that knows no pings', async () => {
    const { server, channel } = await open()
    server.manners.ping = 'unknown'
    expect(await send(channel)).toEqual({ status: 'sent' })
  })

  test.each(['alice', 'alice@localhost/phone', 'a b@localhost', 'alice@localhost>', '<alice@localhost', ''])(
    'is not made for %j',
    async (address) => {
      const { server, channel } = await open()
      expect(await send(channel, { address })).toMatchObject({ status: 'failed', permanent: true })
      expect(server.connections.size).toBe(0)
    },
  )
})

describe('a refusal', () => {
  test.each([
    ['cancel/item-not-found', true],
    ['modify/jid-malformed', true],
    ['cancel/gone', true],
    ['wait/resource-constraint', false],
    ['cancel/service-unavailable', false],
    ['cancel/remote-server-not-found', false],
    ['wait/item-not-found', false],
  ])('%s is for good: %j, and takes the hand-over back', async (refusal, permanent) => {
    const { server, channel } = await open()
    server.manners.refuse = () => refusal
    const error = `The XMPP server refused the message: ${refusal.split('/')[1]}`
    expect(await send(channel)).toEqual({ status: 'failed', permanent, isGatewayDown: false, error })
  })
})

describe('a server', () => {
  test('whose certificate nobody vouches for is told no password', async () => {
    const { server, channel } = await open({ certificate: serverCertificate() })
    expect(await send(channel)).toMatchObject({ ...trouble, error: expect.stringMatching(/self.signed/i) })
    expect(server.logins).toEqual([])
  })

  test('that offers no TLS where it must is told no password', async () => {
    const { server, channel } = await open({}, { isTlsRequired: true })
    expect(await send(channel)).toMatchObject({ ...trouble, error: expect.stringContaining('no TLS') })
    expect(server.logins).toEqual([])
  })

  test('that wants the password in clear does not get it', async () => {
    const { server, channel } = await open({ mechanisms: ['PLAIN'] })
    expect(await send(channel)).toMatchObject({ ...trouble, error: expect.stringContaining('no login') })
    expect(server.logins).toEqual([])
  })

  test('that refuses the login has trouble that the operator must mend', async () => {
    const { channel } = await open({}, { password: 'wrong' })
    expect(await send(channel)).toMatchObject({ ...trouble, error: expect.stringContaining('not-authorized') })
  })

  test('that says nothing is given up in time', async () => {
    const { server, channel } = await open()
    server.manners.isSilent = true
    expect(await send(channel)).toMatchObject(trouble)
    server.manners.isSilent = false
    expect(await send(channel)).toEqual({ status: 'sent' })
  })

  test.each([
    ['a comment', '<!--', '-'],
    ['a value in double quotes', '<a b="', 'c'],
    ['a value in single quotes', "<a b='", '"'],
    ['a part of characters', '<![CDATA[', ']'],
    ['a text', '<a>', '&'],
    ['a tag', '<', 'a'],
    ['parts within parts', '', '<a>'],
  ])('that does not end %s is given up before it is read, and the message waits', async (_what, opened, filling) => {
    const { server, channel } = await open({}, {}, { login: 60_000 })
    server.manners.says = `<stream:stream>${opened}${filling.repeat(400 * 1024)}`.slice(0, 400 * 1024)
    const error = 'The XMPP server was not reached: it says too much'
    expect(await send(channel)).toEqual({ ...trouble, error })
    server.manners.says = undefined
    expect(await send(channel)).toEqual({ status: 'sent' })
  })

  test('that goes on talking after an answer is left, and asked anew for the next message', async () => {
    const { server, channel } = await open({}, {}, { answer: 60_000 })
    expect(await send(channel)).toEqual({ status: 'sent' })
    server.manners.says = '<presence/>'.repeat(100_000)
    const error = "The XMPP server's answer was not seen: it says too much"
    expect(await send(channel)).toEqual({ status: 'unconfirmed', error })
    server.manners.says = undefined
    expect(await send(channel)).toEqual({ status: 'sent' })
    expect(server.logins).toHaveLength(2)
  })

  test('that hung up is asked anew for the next message', async () => {
    const { server, channel } = await open()
    await send(channel)
    for (const socket of server.connections) socket.destroy()
    await expect.poll(() => server.connections.size).toBe(0)
    expect(await send(channel)).toEqual({ status: 'sent' })
    expect(server.logins).toHaveLength(2)
  })

  test.each([
    ['does not answer', 'ignored'],
    ['is cut off', 'cut'],
  ] as const)('that %s after the message leaves it unconfirmed, and no second one is sent', async (_, ping) => {
    const { server, channel } = await open()
    server.manners.ping = ping
    expect(await send(channel)).toMatchObject({ status: 'unconfirmed' })
    expect(server.messages).toHaveLength(1)
  })

  test('that fell silent long ago is found out before a message is trusted to it', async () => {
    const { server, channel } = await open({}, {}, { silence: -1 })
    await send(channel)
    server.manners.ping = 'ignored'
    let asked = 0
    const outcome = send(channel, {}, async () => {
      asked += 1
      server.manners.ping = 'answered'
    })
    expect(await outcome).toEqual({ status: 'sent' })
    expect([asked, server.logins.length, server.messages.length]).toEqual([1, 2, 2])
  })

  test('is taken leave of when the channel closes', async () => {
    const { server, channel } = await open()
    await send(channel)
    channel.close()
    await expect.poll(() => server.connections.size).toBe(0)
  })
})
