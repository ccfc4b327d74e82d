import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryOutcome, Message } from '../../src/channels/delivery.ts'
import type { HttpGateway } from '../../src/channels/http/gateway.ts'
import { type SmsForm, smsOverHttp, smsText } from '../../src/channels/sms/sms-over-http.ts'
import { asSms } from '../../src/domain/notification/sms-text.ts'
import { oneLine } from '../../src/domain/text/one-line.ts'
import { wordNotice } from '../../src/notifications/message.ts'
import { failureAt, failureNotice, recoveryNotice } from '../support/notices.ts'
import { gatewayAt, startSmsGateway, type TestGateway, usualForm } from '../support/sms-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startSmsGateway()
})
afterEach(() => {
  gateway.calls.length = 0
  gateway.manners.answer = undefined
})
afterAll(() => gateway.stop())

const timeouts = { connection: 300, whole: 600 }
const agreed = { handOver: async () => undefined }

function message(values: Partial<Message> = {}): Message {
  return {
    ...{
      key: 'notice-12-failure-1-7',
      threadKey: 'thread',
      channelId: 'sms',
      address: '+48 500-100-200',
      serviceId: 12,
    },
    ...{
      condition: 'failure',
      decidedAt: failureAt,
      subject: 'Sklep: AWARIA',
      text: 'Sklep: AWARIA\n',
      attachment: null,
      settings: {},
      link: null,
    },
    ...values,
  }
}

function deliver(
  values: Partial<HttpGateway & SmsForm> = {},
  changes: Partial<Message> = {},
): Promise<DeliveryOutcome> {
  const { isTransliterated = true, mostParts = 1, ...shape } = values
  const form = { isTransliterated, mostParts }
  return smsOverHttp(gatewayAt(gateway.url, shape), form, timeouts).deliver(message(changes), agreed)
}

/** The fields that a gateway reads from a body. */
function fieldsOf(body: string): Record<string, string> {
  return body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
}

function answering(status: number, body = '', headers: Record<string, string> = {}) {
  gateway.manners.answer = (_, response: ServerResponse) => response.writeHead(status, headers).end(body)
}

describe('a request', () => {
  test('is JSON with number, text and id unless something else is configured', async () => {
    expect(await deliver()).toEqual({ status: 'sent' })
    const [call] = gateway.calls
    expect([call?.method, call?.headers['content-type']]).toEqual(['POST', 'application/json'])
    const id = expect.stringMatching(/^[0-9a-f]{32}$/)
    expect(fieldsOf(call?.body ?? '')).toEqual({ to: '+48500100200', text: 'Sklep: AWARIA', id })
    expect(fieldsOf(call?.body ?? '')['id']).toBe(call?.headers['idempotency-key'])
  })

  test('has the shape of a form with the operator’s credentials', async () => {
    const url = `${gateway.url.replace('//', '//AC12:secret@')}/2010-04-01/Accounts/AC12/Messages.json`
    const body = 'To={to}&From=%2B48123123123&Body={text}'
    expect(await deliver({ url, body, headers: { 'X-Key': 'abc' } })).toEqual({ status: 'sent' })
    const [call] = gateway.calls
    expect(call?.url).toBe('/2010-04-01/Accounts/AC12/Messages.json')
    expect(fieldsOf(call?.body ?? '')).toEqual({ To: '+48500100200', From: '+48123123123', Body: 'Sklep: AWARIA' })
    expect(call?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('AC12:secret').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'x-key': 'abc',
    })
  })

  test('may be a GET with everything in the address', async () => {
    const url = `${gateway.url}/send?key=1&to={to}&text={text}`
    expect(await deliver({ url, method: 'GET', body: null })).toEqual({ status: 'sent' })
    const [call] = gateway.calls
    expect([call?.method, call?.body, call?.headers['content-type']]).toEqual(['GET', '', undefined])
    expect(call?.url).toBe('/send?key=1&to=%2B48500100200&text=Sklep%3A%20AWARIA')
  })

  test('carries one message of any text unharmed, whatever its shape', async () => {
    const shapes: Partial<HttpGateway>[] = [
      {},
      { body: 'to={to}&text={text}' },
      { url: `${gateway.url}/?to={to}&text={text}`, method: 'GET', body: null },
    ]
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'{to}&="\\%+ą') }),
    )
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(...shapes), fc.boolean(), async (text, shape, isTransliterated) => {
        gateway.calls.length = 0
        await deliver({ ...shape, isTransliterated }, { text: `x${text}` })
        const { body = '', url = '' } = gateway.calls[0] ?? {}
        const fields = fieldsOf(body === '' ? url.slice(2) : body)
        expect(fields['to']).toBe('+48500100200')
        expect(fields['text']).toBe(asSms(oneLine(`x${text}`, 1000), isTransliterated, 1))
      }),
      { numRuns: 60 },
    )
  })

  test.each(['48500', 'alice', '+48500100200;+48500100201', '', '+'])('is not made for %j', async (address) => {
    expect(await deliver({}, { address })).toMatchObject({ status: 'failed', permanent: true })
    expect(gateway.calls).toEqual([])
  })
})

describe('an answer', () => {
  test.each([400, 410, 413, 422])('%d ends the delivery for good', async (status) => {
    answering(status, '{"message":"no such\r\nnumber"}')
    const error = `The SMS gateway answered ${status}: {"message":"no such number"}`
    expect(await deliver()).toEqual({ status: 'failed', permanent: true, isGatewayDown: false, error })
  })

  test.each([401, 402, 403, 404, 405, 407, 408, 425, 429, 500, 502, 503, 504])('%d is tried again', async (status) => {
    answering(status)
    const error = `The SMS gateway answered ${status}`
    expect(await deliver()).toEqual({ status: 'failed', permanent: false, isGatewayDown: true, error })
  })

  test.each([301, 302, 307, 308])('%d is not followed', async (status) => {
    const elsewhere = await startSmsGateway()
    answering(status, '', { Location: elsewhere.url })
    expect(await deliver()).toMatchObject({ status: 'failed', permanent: false })
    expect(elsewhere.connections()).toBe(0)
    await elsewhere.stop()
  })

  test.each([
    ['120', 120_000],
    ['Sat, 21 Nov 2026 11:15:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 11:13:00 GMT', 0],
    ['999999', 3_600_000],
  ])('that says Retry-After: %s is heard', async (retryAfter, expected) => {
    answering(429, '', { 'Retry-After': retryAfter, Date: 'Sat, 21 Nov 2026 11:14:00 GMT' })
    expect(await deliver()).toMatchObject({ permanent: false, retryAfter: expected })
  })

  test('that says Retry-After: soon is not', async () => {
    answering(429, '', { 'Retry-After': 'soon' })
    expect(await deliver()).not.toHaveProperty('retryAfter')
  })

  test('counts as success as configured', async () => {
    answering(202)
    expect(await deliver({ success: ['200', '201'] })).toMatchObject({ status: 'failed', permanent: false })
    expect(await deliver({ success: ['200', '202'] })).toEqual({ status: 'sent' })
  })

  test('that refuses in its text is a refusal, which the operator may have to mend', async () => {
    answering(200, '{"error":103,"message":"Not enough credits"}')
    expect(await deliver({ refusal: /"error":/ })).toEqual({
      ...{ status: 'failed', permanent: false, isGatewayDown: false },
      error: 'The SMS gateway answered 200: {"error":103,"message":"Not enough credits"}',
    })
    answering(200, '{"count":1}')
    expect(await deliver({ refusal: /"error":/ })).toEqual({ status: 'sent' })
  })

  test('that repeats what the operator confided is not repeated to account holders', async () => {
    const url = `${gateway.url.replace('//', '//someone:password@')}/?key=query-key`
    const headers = { Authorization: 'Bearer header-token' }
    const body = 'token=body-token&to={to}&text={text}'
    answering(403, 'no header-token password query-key body-token')
    const outcome = await deliver({ url, headers, body })
    expect(outcome).toMatchObject({ error: 'The SMS gateway answered 403: no *** *** *** ***' })
  })

  test.each([
    [String.raw`{"password":"pass\"word\u0021","to":"{to}"}`, String.raw`pass"word! or pass\"word!`],
    ['{"login":{"pin":12345678},"to":"{to}"}', '12345678 or 12345678'],
    ['token=a%2Fb%2Fc%2Fd&to={to}', 'a/b/c/d or a%2Fb%2Fc%2Fd'],
  ])('that repeats a secret of the body %s, in whatever form, hides it', async (body, said) => {
    answering(403, `no ${said}`)
    expect(await deliver({ body })).toMatchObject({ error: 'The SMS gateway answered 403: no *** or ***' })
  })

  test('without end is read only as far as it is needed', async () => {
    gateway.manners.answer = (_, response) => {
      const more = () => {
        while (response.write('x'.repeat(16_384)));
      }
      response.writeHead(400).on('drain', more)
      more()
    }
    expect(await deliver()).toMatchObject({ permanent: true, error: expect.stringMatching(/^.{100,300}$/) })
  })
})

describe('silence', () => {
  test('after the request leaves the arrival unconfirmed, and is no reason to send again', async () => {
    gateway.manners.answer = () => undefined
    const error = expect.stringContaining('took too long')
    expect(await deliver()).toEqual({ status: 'unconfirmed', error })
  })

  test('of an idempotent gateway is tried again under the same id', async () => {
    gateway.manners.answer = (_, response) => response.destroy()
    expect(await deliver({ isIdempotent: true })).toMatchObject({ status: 'failed', permanent: false })
    gateway.manners.answer = undefined
    expect(await deliver({ isIdempotent: true })).toEqual({ status: 'sent' })
    expect(new Set(gateway.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('in the middle of an answer leaves its status', async () => {
    gateway.manners.answer = (_, response) => response.writeHead(503, { 'Content-Length': '100' }).write('half')
    expect(await deliver()).toMatchObject({ status: 'failed', permanent: false })
  })

  test('before the connection stands is a failure to be tried again', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const outcome = await deliver({ url: `HTTPS://127.0.0.1:${port}/` })
    expect(outcome).toMatchObject({ status: 'failed', permanent: false, error: expect.stringContaining('in time') })
    await new Promise((resolve) => silent.close(resolve))
  })

  test('of a gateway that hangs up before the request leaves is a failure to be tried again', async () => {
    const rude = createServer((socket) => void socket.destroy())
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve))
    const { port } = rude.address() as AddressInfo
    const channel = smsOverHttp(gatewayAt(`http://127.0.0.1:${port}`), usualForm, timeouts)
    const slowly = { handOver: () => new Promise<void>((resolve) => setTimeout(resolve, 100)) }
    expect(await channel.deliver(message(), slowly)).toMatchObject({ status: 'failed', permanent: false })
    await new Promise((resolve) => rude.close(resolve))
  })
})

describe('the link that acknowledges', () => {
  const link = `https://w.example.com/acknowledge?token=7.a.4.${'Z'.repeat(22)}`
  const sms = (text: string, form: Partial<SmsForm> = {}) =>
    smsText({ text, acknowledgeLink: link }, { ...usualForm, hasLink: true, ...form })

  test('follows a text that leaves it room, whole', () => {
    expect(sms('Shop: FAILURE\n')).toBe(`Shop: FAILURE ${link}`)
    expect(sms('Sklep: zażółć\n')).toBe(`Sklep: zazolc ${link}`)
    expect(sms('Sklep: zażółć\n', { isTransliterated: false })).toBe('Sklep: zażółć')
    expect(sms('Sklep: zażółć\n', { isTransliterated: false, mostParts: 2 })).toBe(`Sklep: zażółć ${link}`)
  })

  test('is left out where it would be cut, is not wanted, or stands in the text', () => {
    const long = 'x'.repeat(160 - link.length)
    expect(sms(long)).toBe(long)
    expect(sms(long.slice(1))).toBe(`${long.slice(1)} ${link}`)
    expect(sms('Shop', { hasLink: false })).toBe('Shop')
    expect(sms(`Shop ${link}`)).toBe(`Shop ${link}`)
    expect(smsText({ text: 'Shop' }, { ...usualForm, hasLink: true })).toBe('Shop')
  })
})

describe('the words', () => {
  const reader = {
    ...{ zone: 'Europe/Warsaw', publicUrl: 'https://watch.example.com' },
    diagnose: () => ({ name: 'Połączenie odrzucone', diagnosis: 'Nikt nie słucha.' }),
  }

  async function sms(language: 'pl' | 'en', isTransliterated: boolean, facts = failureNotice()): Promise<string> {
    gateway.calls.length = 0
    await deliver({ isTransliterated }, wordNotice(facts, 'sms', { ...reader, language }))
    return fieldsOf(gateway.calls[0]?.body ?? '')['text'] ?? ''
  }

  test('say what, since when and where it was seen, in the reader’s language', async () => {
    expect(await sms('pl', true)).toBe('Sklep: AWARIA: Polaczenie odrzucone (2026-11-21 12:13:00 +01:00, 2 z 3 stacji)')
    expect(await sms('pl', false)).toBe('Sklep: AWARIA: Połączenie odrzucone (2026-11-21 12:13:00 +01:00, 2 z…')
    expect(await sms('en', true, recoveryNotice())).toBe(
      'Sklep: WORKS AGAIN after 5 min 3 s (2026-11-21 12:18:03 +01:00)',
    )
  })

  test('tell of a failure also when the name is long', async () => {
    const service = { id: 12, name: 'Żółty '.repeat(40), address: 'shop.example', type_id: 'http' }
    for (const isTransliterated of [true, false]) {
      expect(await sms('pl', isTransliterated, failureNotice({ service }))).toContain(': AWARIA')
    }
  })
})
