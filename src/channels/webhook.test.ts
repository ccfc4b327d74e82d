import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { EventBody } from './event.ts'
import type { Notification } from './integration.ts'
import { webhook } from './webhook.ts'
import { templateProblem } from './webhook-template.ts'

const [secret, other] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']
const url = 'https://hooks.example.com/latarnik'
const event: EventBody = {
  type: 'service.recovery',
  timestamp: '2026-11-21T11:13:00Z',
  data: {
    service: {
      ...{
        id: 7,
        name: 'Shop "A" żółw',
        address: 'shop.example.com',
        port: null,
        type_id: 'http',
        group_id: 3,
        tags: ['web'],
      },
      url: 'https://watch.example.com/services/7',
    },
    status_change: null,
    analysis: { analysis_id: '179525958000000', ok: 3, error: 0, unknown: 0 },
    checks: [],
    message: { subject: 'Shop: works', text: 'It works.' },
  },
}

function notification(sentAt = Date.now()): Notification {
  return {
    ...{ key: 'notice-7-recovery-1', threadKey: 'thread-7-1', serviceId: 7, condition: 'recovery', decidedAt: 0 },
    ...{ subject: 'Shop: works', text: 'It works.', attachment: null, link: null, event, sentAt },
  }
}

const send = (settings: Readonly<Record<string, string>>, given = notification()) =>
  webhook.request(given, { url, ...settings })

describe('the signature', () => {
  test('is one that a receiver of Standard Webhooks accepts, with either of two secrets', () => {
    const { body, headers } = send({ secret: `${secret} ${other}` })
    for (const known of [secret, other]) expect(new Webhook(known ?? '').verify(body ?? '', headers)).toEqual(event)
    expect(() => new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA').verify(body ?? '', headers)).toThrow()
  })

  test('is of this attempt, under the id of the message', () => {
    const [first, again] = [1_795_259_580_000, 1_795_259_640_000].map(
      (at) => send({ secret }, notification(at)).headers,
    )
    expect(first?.['webhook-id']).toBe(again?.['webhook-id'])
    expect([first?.['webhook-timestamp'], again?.['webhook-timestamp']]).toEqual(['1795259580', '1795259640'])
    expect(first?.['webhook-signature']).not.toBe(again?.['webhook-signature'])
  })

  test('is left out where there is no secret', () => {
    expect(Object.keys(send({}).headers)).not.toContain('webhook-signature')
  })
})

describe('a request of one’s own', () => {
  test('has the method, the headers and the body that were written', () => {
    const headers = 'Authorization: Bearer abc\nContent-Type: application/json'
    const body_template =
      '{"text": "{{data.service.name}}: {{type}}", "all": {{json data.analysis}}, "no": "{{data.status_change.change_id}}"}'
    const request = send({ method: 'PUT', headers, body_template })
    expect([request.method, request.headers['Authorization']]).toEqual(['PUT', 'Bearer abc'])
    expect(JSON.parse(request.body ?? '')).toEqual({
      ...{ text: 'Shop "A" żółw: service.recovery', all: event.data.analysis, no: '' },
    })
  })

  test('fits its values to the type of the body', () => {
    const form = send({
      headers: 'Content-Type: application/x-www-form-urlencoded',
      body_template: 'n={{data.service.name}}',
    })
    expect(new URLSearchParams(form.body ?? '').get('n')).toBe('Shop "A" żółw')
    const plain = send({ headers: 'Content-Type: text/plain', body_template: '{{data.service.name}}' })
    expect(plain.body).toBe('Shop "A" żółw')
  })

  test('by GET has no body', () => {
    const { body, headers } = send({ method: 'GET' })
    expect([body, headers['Content-Type']]).toEqual([null, undefined])
  })
})

test.each([
  ['{{type}} {{data.service.tags}}', 'Line 1, column 10: “data.service.tags” is not a single value'],
  ['{{json data.service.tags}}', null],
  ['a\n{{data.service.password}}', 'Line 2, column 1: There is no variable “data.service.password”'],
  ['{{ data.message.text }} {{time timestamp}} {{duration data.status_change.duration}}', null],
  ['{{constructor.name}}', 'Line 1, column 1: There is no variable “constructor.name”'],
  ['{{#each data.checks}}{{sensor}}{{/each}}', null],
  ['{{}}', 'Line 1, column 1: “{{}}” is no tag'],
  ['{ no placeholder }', null],
])('of the template %j is said %j', (template, said) => {
  const problem = templateProblem(template)
  if (said === null) expect(problem).toBeNull()
  else expect(problem?.en).toContain(said)
})
