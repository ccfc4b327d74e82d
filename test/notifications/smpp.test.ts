import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryOutcome, Transport } from '../../src/channels/delivery.ts'
import { smsOverSmpp } from '../../src/channels/sms/smpp.ts'
import type { SmppAccount } from '../../src/channels/sms/smpp-bond.ts'
import type { SmsForm } from '../../src/channels/sms/sms-over-http.ts'
import { asSms, smsParts } from '../../src/domain/notification/sms-text.ts'
import { oneLine } from '../../src/domain/text/one-line.ts'
import { startMessageCentre, type TestCentre } from '../support/message-centre.ts'
import { failureAt } from '../support/notices.ts'
import { usualForm } from '../support/sms-gateway.ts'

const timeouts = { bind: 500, answer: 500, enquiry: 60_000 }
const agreed = { handOver: async () => undefined }

let centre: TestCentre
const channels: Transport[] = []

beforeEach(async () => {
  centre = await startMessageCentre()
})
afterEach(async () => {
  for (const channel of channels.splice(0)) channel.close()
  await centre.stop()
})

function channelTo(account: Partial<SmppAccount> = {}, form: SmsForm = usualForm, changes = {}): Transport {
  const channel = smsOverSmpp({ ...centre.account, ...account }, form, { ...timeouts, ...changes })
  channels.push(channel)
  return channel
}

function send(channel: Transport, text: string, address = '+48 500 100 200'): Promise<DeliveryOutcome> {
  const words = { subject: 's', text, attachment: null, settings: {}, link: null }
  const keys = { key: 'notice-1', threadKey: 't', channelId: 'sms', serviceId: 1, condition: 'failure' }
  return channel.deliver({ ...words, ...keys, address, decidedAt: failureAt }, agreed)
}

describe('a submission', () => {
  test('names number, sender and alphabet', async () => {
    expect(await send(channelTo(), 'Sklep: AWARIA')).toEqual({ status: 'sent' })
    expect(centre.submissions).toEqual([
      {
        ...{ to: '48500100200', toTon: 1, from: 'Latarnik', fromTon: 5, dataCoding: 0 },
        ...{ text: 'Sklep: AWARIA', part: null, isPayload: false },
      },
    ])
  })

  test('from a number, or a short code, says which it is', async () => {
    await send(channelTo({ sender: '+48123456789' }), 'x')
    await send(channelTo({ sender: '7272' }), 'x')
    await send(channelTo({ sender: '' }), 'x')
    expect(centre.submissions.map(({ from, fromTon }) => [from, fromTon])).toEqual([
      ['48123456789', 1],
      ['7272', 3],
      ['', 0],
    ])
  })

  test('carries any text as the centre reads it', async () => {
    const channel = channelTo({}, { isTransliterated: false, mostParts: 1 })
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.string({
        unit: fc.constantFrom(...'zażółć €[]{}^~\\|@£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà'),
        maxLength: 200,
      }),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        centre.submissions.length = 0
        expect(await send(channel, `x${text}`)).toEqual({ status: 'sent' })
        expect(centre.submissions.map((submission) => submission.text)).toEqual([
          asSms(oneLine(`x${text}`, 2000), false, 1),
        ])
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['GSM 7', 'a€'.repeat(150), 0],
    ['UCS-2', 'ż🙂'.repeat(80), 8],
  ])('longer than one message goes as parts of %s that make up the whole', async (_, text, dataCoding) => {
    expect(await send(channelTo({}, { isTransliterated: false, mostParts: 5 }), text)).toEqual({ status: 'sent' })
    const { submissions } = centre
    expect(submissions.map((submission) => submission.text).join('')).toBe(text)
    expect(submissions.map((submission) => submission.text)).toEqual(smsParts(text).parts)
    expect(submissions.every((submission) => submission.dataCoding === dataCoding)).toBe(true)
    const [reference] = submissions[0]?.part ?? []
    expect(submissions.map(({ part }) => part)).toEqual(
      submissions.map((_submission, index) => [reference, submissions.length, index + 1]),
    )
  })

  test('longer than one message goes whole where the centre splits', async () => {
    const text = 'a€'.repeat(150)
    const channel = channelTo({ longMessages: 'payload' }, { isTransliterated: false, mostParts: 5 })
    expect(await send(channel, text)).toEqual({ status: 'sent' })
    expect(centre.submissions).toMatchObject([{ text, isPayload: true, part: null }])
  })
})

describe('an answer', () => {
  test.each([
    [0x0b, true, false],
    [0x01, true, false],
    [0x45, false, false],
    [0x58, false, true],
    [0x14, false, true],
    [0x08, false, true],
    [0x0a, false, true],
  ])('%i is for good: %j, the centre’s own trouble: %j', async (status, permanent, isGatewayDown) => {
    centre.manners.answer = () => status
    const error = expect.stringContaining(`answered 0x000000${status.toString(16).padStart(2, '0')}, `)
    expect(await send(channelTo(), 'x')).toEqual({ status: 'failed', permanent, isGatewayDown, error })
  })

  test('that refuses a later part leaves it at that: the first one has gone', async () => {
    centre.manners.answer = ({ part }) => (part?.[2] === 2 ? 0x58 : 0)
    const outcome = await send(channelTo({}, { isTransliterated: true, mostParts: 3 }), 'a'.repeat(400))
    expect(outcome).toEqual({
      status: 'unconfirmed',
      error: expect.stringContaining('too many messages (part 2 of 3)'),
    })
  })

  test('that does not come leaves it unconfirmed, and the next message takes a new session', async () => {
    centre.manners.answer = () => null
    const channel = channelTo()
    expect(await send(channel, 'x')).toMatchObject({
      status: 'unconfirmed',
      error: expect.stringContaining('too long'),
    })
    centre.manners.answer = undefined
    expect(await send(channel, 'x')).toEqual({ status: 'sent' })
    expect(centre.binds()).toBe(2)
  })

  test('that the connection is lost over leaves it unconfirmed', async () => {
    centre.manners.answer = (_, session) => {
      session.destroy()
      return null
    }
    expect(await send(channelTo(), 'x')).toMatchObject({
      status: 'unconfirmed',
      error: expect.stringContaining('lost'),
    })
  })
})

describe('a session', () => {
  test('carries all messages, many at once', async () => {
    const channel = channelTo()
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => send(channel, `${index}`)))
    expect(outcomes).toEqual(Array(20).fill({ status: 'sent' }))
    expect(centre.binds()).toBe(1)
    expect(new Set(centre.submissions.map(({ text }) => text)).size).toBe(20)
  })

  test('that the centre ended is begun anew', async () => {
    const channel = channelTo()
    await send(channel, '1')
    for (const session of centre.sessions) session.destroy()
    await expect.poll(() => centre.sessions.size).toBe(0)
    expect(await send(channel, '2')).toEqual({ status: 'sent' })
    expect(centre.binds()).toBe(2)
  })

  test.each([
    ['a wrong password', () => centre.manners, { password: 'wrong' }, 'the password is wrong'],
    ['silence', (manners: TestCentre['manners']) => (manners.bind = () => null), {}, 'did not answer in time'],
  ] as const)('that cannot begin for %s is the centre’s own trouble', async (_, arrange, account, words) => {
    arrange(centre.manners)
    const error = expect.stringContaining(words)
    expect(await send(channelTo(account), 'x')).toEqual({
      ...{ status: 'failed', permanent: false, isGatewayDown: true },
      error,
    })
    expect(centre.submissions).toEqual([])
  })

  test('with something that speaks another protocol does not begin', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await send(channelTo({ port }), 'x')).toMatchObject({ status: 'failed', isGatewayDown: true })
    await new Promise((resolve) => server.close(resolve))
  })

  test('asks whether the centre is there, and ends when it is not', async () => {
    const channel = channelTo({}, usualForm, { enquiry: 30, answer: 100 })
    await send(channel, 'x')
    await expect.poll(() => centre.enquiries()).toBeGreaterThan(1)
    expect(centre.sessions.size).toBe(1)
    centre.manners.isDeaf = true
    await expect.poll(() => centre.sessions.size).toBe(0)
  })

  test('takes what the centre says by itself, and ends with the channel', async () => {
    const channel = channelTo()
    await send(channel, 'x')
    const [session] = centre.sessions
    const answered = new Promise((resolve) => session?.once('deliver_sm_resp', resolve))
    Reflect.apply(Reflect.get(session ?? {}, 'deliver_sm'), session, [{ short_message: 'id:1 stat:DELIVRD' }])
    await answered
    channel.close()
    await expect.poll(() => centre.sessions.size).toBe(0)
  })
})
