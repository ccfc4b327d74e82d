import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryOutcome } from '../../src/channels/delivery.ts'
import type { HttpGateway } from '../../src/channels/http/gateway.ts'
import { type SmsForm, smsOverHttp } from '../../src/channels/sms/sms-over-http.ts'
import { readConfig } from '../../src/config/config.ts'
import { failureAt } from '../support/notices.ts'
import { startSmsGateway, type TestGateway } from '../support/sms-gateway.ts'

interface SmsSettings {
  readonly http: HttpGateway
  readonly form: SmsForm
}

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startSmsGateway()
})
afterEach(() => {
  gateway.calls.length = 0
  gateway.manners.answer = undefined
})
afterAll(() => gateway.stop())

/** Sends one SMS as the configuration says, to the test's gateway in place of the provider. */
function send(environment: Record<string, string>): Promise<DeliveryOutcome> {
  const read = readConfig({ SMS_GATEWAY_URL: gateway.url, ...environment })
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  const sms = read.config.gateways.find(({ id }) => id === 'sms')?.connection?.settings as SmsSettings | undefined
  if (sms === undefined) throw new Error('no HTTP gateway')
  const words = { subject: 's', text: 'Sklep: AWARIA, zażółć & co', attachment: null, settings: {}, link: null }
  const keys = { key: 'notice-1', threadKey: 't', channelId: 'sms', serviceId: 1, condition: 'failure' }
  const message = { ...words, ...keys, address: '+48 500 100 200', decidedAt: failureAt }
  return smsOverHttp(sms.http, sms.form, { connection: 500, whole: 1000 }).deliver(message, {
    handOver: async () => undefined,
  })
}

/** Sends to a number through the connection that the configuration opens. */
async function sendTo(address: string, environment: Record<string, string>): Promise<DeliveryOutcome> {
  const read = readConfig({ SMS_GATEWAY_URL: gateway.url, ...environment })
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  const transport = read.config.gateways.find(({ id }) => id === 'sms')?.connection?.open()
  if (transport === undefined) throw new Error('no gateway')
  const words = { subject: 's', text: 'x', attachment: null, settings: {}, link: null }
  const keys = { key: 'notice-1', threadKey: 't', channelId: 'sms', serviceId: 1, condition: 'failure' }
  const message = { ...words, ...keys, address, decidedAt: failureAt }
  const outcome = await transport.deliver(message, { handOver: async () => undefined })
  transport.close()
  return outcome
}

test.each([
  ['+48 500 100 200', true],
  ['0048500100200', true],
  ['48500100200', true],
  ['+49-30-1234567', true],
  ['+487001234567', true],
  ['+881600100200', false],
  ['0900 123 456', false],
  ['500100200', false],
])('SMS_PREFIXES=+48, 4930 and the number %s: sent %s', async (address, isSent) => {
  const outcome = await sendTo(address, { SMS_PREFIXES: '+48, 4930' })
  expect(outcome).toMatchObject(
    isSent ? { status: 'sent' } : { status: 'failed', permanent: true, error: expect.stringContaining('+48, +4930') },
  )
  expect(gateway.calls).toHaveLength(isSent ? 1 : 0)
})

test('without SMS_PREFIXES SMS go to every number', async () => {
  expect(await sendTo('+881600100200', {})).toEqual({ status: 'sent' })
})

function answering(status: number, body: string) {
  gateway.manners.answer = (_, response) => response.writeHead(status).end(body)
}

function form(): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(gateway.calls[0]?.body))
}

describe('SMSAPI', () => {
  const account = { SMS_PROVIDER: 'smsapi', SMS_TOKEN: 'token-of-the-account', SMS_SENDER: 'Latarnik' }

  test('gets what it wants, with an id that it takes once', async () => {
    answering(200, '{"count":1,"list":[{"id":"1","status":"QUEUE"}]}')
    expect(await send(account)).toEqual({ status: 'sent' })
    expect(gateway.calls[0]?.headers.authorization).toBe('Bearer token-of-the-account')
    expect(form()).toEqual({
      ...{ to: '+48500100200', message: 'Sklep: AWARIA, zazolc & co', from: 'Latarnik', format: 'json' },
      ...{ encoding: 'utf-8', check_idx: '1', idx: expect.stringMatching(/^[0-9a-f]{32}$/) },
    })
  })

  test.each([
    ['53, the id is taken: it was sent before', '{"error":53,"message":"Not unique idx"}', { status: 'sent' }],
    ['13, no such number', '{"error":13,"message":"x"}', { status: 'failed', permanent: true, isGatewayDown: false }],
    ['103, no credit', '{"error": 103,"message":"x"}', { status: 'failed', permanent: false, isGatewayDown: true }],
    ['101, a wrong token', '{"error":101}', { status: 'failed', permanent: false, isGatewayDown: true }],
    ['999, something else', '{"error":999}', { status: 'failed', permanent: false, isGatewayDown: false }],
  ])('answers %s', async (_, body, outcome) => {
    answering(200, body)
    expect(await send(account)).toMatchObject(outcome)
  })

  test('is asked again when its answer was lost', async () => {
    gateway.manners.answer = (_, response) => response.destroy()
    expect(await send(account)).toMatchObject({ status: 'failed', permanent: false })
  })
})

describe('Twilio', () => {
  const account = {
    SMS_PROVIDER: 'twilio',
    SMS_ACCOUNT: 'AC123',
    SMS_TOKEN: 'token-of-the-account',
    SMS_SENDER: '+15005550006',
  }

  test('gets what it wants', async () => {
    answering(201, '{"sid":"SM1","status":"queued"}')
    expect(await send(account)).toEqual({ status: 'sent' })
    const credentials = Buffer.from('AC123:token-of-the-account').toString('base64')
    expect(gateway.calls[0]?.headers.authorization).toBe(`Basic ${credentials}`)
    expect(form()).toEqual({ To: '+48500100200', From: '+15005550006', Body: 'Sklep: AWARIA, zazolc & co' })
  })

  test.each([
    ['no such number', 400, '{"code":21211,"message":"x"}', { permanent: true, isGatewayDown: false }],
    ['a wrong sender', 400, '{"code": 21212,"message":"x"}', { permanent: false, isGatewayDown: true }],
    ['a wrong token', 401, '{"code":20003}', { permanent: false, isGatewayDown: true }],
    ['too many', 429, '{"code":20429}', { permanent: false, isGatewayDown: true }],
  ])('answers that there is %s', async (_, status, body, outcome) => {
    answering(status, body)
    expect(await send(account)).toMatchObject({ status: 'failed', ...outcome })
  })

  test('is not asked again when its answer was lost', async () => {
    gateway.manners.answer = (_, response) => response.destroy()
    expect(await send(account)).toMatchObject({ status: 'unconfirmed' })
  })
})
