import { describe, expect, test } from 'vitest'
import type { Incident } from './delivery.ts'
import { integrationOf, integrations } from './index.ts'
import type { Integration, Notification } from './integration.ts'

const settings = {
  pagerduty: { routing_key: '0123456789abcdef0123456789ABCDEF', region: 'eu' },
  opsgenie: { api_key: '01234567-89ab-cdef-0123-456789abcdef', region: 'eu', priority: 'P1' },
  splunk_on_call: { key: '01234567-89ab-cdef-0123-456789abcdef', route: 'database' },
  jsm: { api_key: '01234567-89ab-cdef-0123-456789abcdef', priority: 'P1' },
}
type Id = keyof typeof settings

function notification(condition: string, incident?: Incident): Notification {
  return {
    ...{ key: 'notice-7-8-9', threadKey: 'thread-7', serviceId: 7, condition, decidedAt: 1_800_000_000_000 },
    ...{ subject: 'Shop: news', text: 'It is.\n', attachment: null, link: null },
    ...(incident === undefined ? {} : { incident }),
  }
}

const named = (id: Id) => integrationOf(id) as Integration

function sent(id: Id, condition: string, incident?: Incident) {
  const { url, body } = named(id).request(notification(condition, incident), settings[id])
  return { url, json: JSON.parse(body ?? '') }
}

const over = { key: 'latarnik-1-7', isOver: true }

describe('the end of a failure closes what it opened', () => {
  test('PagerDuty', () => {
    expect(sent('pagerduty', 'recovery', over)).toEqual({
      url: 'https://events.eu.pagerduty.com/v2/enqueue',
      json: { routing_key: settings.pagerduty.routing_key, dedup_key: 'latarnik-1-7', event_action: 'resolve' },
    })
  })

  test.each([
    ['opsgenie', 'https://api.eu.opsgenie.com/v2/alerts/latarnik-1-7/close?identifierType=alias'],
    ['jsm', 'https://api.atlassian.com/jsm/ops/integration/v2/alerts/latarnik-1-7/close?identifierType=alias'],
  ] as const)('%s', (id, url) => {
    expect(sent(id, 'recovery', over)).toEqual({ url, json: { source: 'Latarnik', note: 'Shop: news' } })
  })
})

describe('an acknowledgement here is one there', () => {
  const known = { key: 'latarnik-1-7', isOver: false, isAcknowledged: true } as const

  test('PagerDuty', () => {
    expect(sent('pagerduty', 'acknowledgement', known).json).toEqual({
      ...{ routing_key: settings.pagerduty.routing_key, dedup_key: 'latarnik-1-7', event_action: 'acknowledge' },
    })
  })

  test.each([
    ['opsgenie', 'https://api.eu.opsgenie.com/v2/alerts/latarnik-1-7/acknowledge?identifierType=alias'],
    ['jsm', 'https://api.atlassian.com/jsm/ops/integration/v2/alerts/latarnik-1-7/acknowledge?identifierType=alias'],
  ] as const)('%s', (id, url) => {
    expect(sent(id, 'acknowledgement', known)).toEqual({ url, json: { source: 'Latarnik', note: 'It is.' } })
  })

  test('Splunk On-Call', () => {
    expect(sent('splunk_on_call', 'acknowledgement', known).json).toMatchObject({
      ...{ message_type: 'ACKNOWLEDGEMENT', entity_id: 'latarnik-1-7' },
    })
  })

  test.each(integrations.map((one) => [one.channel.id, one] as const))('%s hears of it where it can', (_id, one) => {
    const heard = { ...notification('acknowledgement', known), answers: '42' }
    expect(one.tells(heard)).toBe(one.acknowledgements !== null)
    const { answers: _, ...unlinked } = heard
    expect(one.tells(unlinked)).toBe(one.acknowledgements === 'incident')
  })
})

test('Splunk On-Call opens, recovers, and only notes the rest', () => {
  const lasts = { ...over, isOver: false }
  expect(sent('splunk_on_call', 'failure', lasts).json).toMatchObject({ message_type: 'CRITICAL', entity_id: over.key })
  expect(sent('splunk_on_call', 'recovery', over).json).toMatchObject({ message_type: 'RECOVERY', entity_id: over.key })
  for (const condition of ['pause', 'test']) {
    expect(sent('splunk_on_call', condition).json).toMatchObject({ message_type: 'INFO', entity_id: 'notice-7-8-9' })
  }
})

describe('a test is told apart from every incident, and wakes nobody up', () => {
  test('PagerDuty', () => {
    expect(sent('pagerduty', 'test').json).toMatchObject({ dedup_key: 'notice-7-8-9', payload: { severity: 'info' } })
  })

  test.each(['opsgenie', 'jsm'] as const)('%s', (id) => {
    expect(sent(id, 'test').json).toMatchObject({ alias: 'notice-7-8-9', priority: 'P5' })
  })
})

test.each(['pagerduty', 'opsgenie', 'jsm'] as const)(
  '%s takes failures, their ends and tests; a pause would stay open for ever',
  (id) => {
    const { tells } = named(id)
    expect(tells(notification('failure', { ...over, isOver: false }))).toBe(true)
    expect(tells(notification('recovery', over))).toBe(true)
    expect(tells(notification('test'))).toBe(true)
    expect(tells(notification('pause'))).toBe(false)
    expect(tells(notification('silent_failure'))).toBe(false)
  },
)
