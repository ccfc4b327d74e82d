import { expect, test } from 'vitest'
import { mergeSettings } from '../domain/services/extended-settings.ts'
import { cutEscaped } from './cut-text.ts'
import { integrationOf } from './index.ts'
import type { Notification } from './integration.ts'
import { escapeHtml, escapeMarkdown, withoutMentions } from './markup.ts'

const named = (id: string) => {
  const found = integrationOf(id)
  if (found === undefined) throw new Error(`there is no integration ${id}`)
  return found
}

test.each([
  ['discord', 429, { message: 'You are being rate limited.', retry_after: 1.337 }, { retryAfter: 1337 }],
  ['telegram', 429, { ok: false, parameters: { retry_after: 31 } }, { permanent: false, retryAfter: 31_000 }],
  [
    'telegram',
    400,
    { ok: false, description: 'Bad Request: chat not found' },
    { permanent: true, error: 'Telegram answered 400: Bad Request: chat not found' },
  ],
  [
    'telegram',
    400,
    { ok: false, description: 'Bad Request', parameters: { migrate_to_chat_id: -1001234567890 } },
    { error: 'Telegram answered 400: the group has become a supergroup: set its chat to -1001234567890' },
  ],
  [
    'pagerduty',
    400,
    { status: 'invalid event', message: 'Event object is invalid', errors: ['Length of routing_key is incorrect'] },
    { permanent: true, error: expect.stringContaining('Event object is invalid: Length of routing_key is incorrect') },
  ],
  [
    'opsgenie',
    401,
    { message: 'Key is not valid' },
    { permanent: true, error: 'Opsgenie answered 401: Key is not valid' },
  ],
  [
    'pushover',
    400,
    { errors: ['user key is invalid'], status: 0 },
    { error: 'Pushover answered 400: user key is invalid' },
  ],
  [
    'matrix',
    429,
    { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 2500 },
    { retryAfter: 2500 },
  ],
  [
    'matrix',
    403,
    { errcode: 'M_FORBIDDEN', error: 'not in room' },
    { permanent: true, error: 'Matrix answered 403: not in room' },
  ],
  ['mattermost', 400, { id: 'x', message: 'Invalid webhook.' }, { error: 'Mattermost answered 400: Invalid webhook.' }],
  ['rocket_chat', 400, { success: false, error: 'no such room' }, { error: 'Rocket.Chat answered 400: no such room' }],
  [
    'google_chat',
    404,
    { error: { code: 404, message: 'Space not found', status: 'NOT_FOUND' } },
    { permanent: true, error: 'Google Chat answered 404: Space not found' },
  ],
  [
    'zulip',
    429,
    { result: 'error', msg: 'API usage exceeded rate limit', 'retry-after': 28.7 },
    { retryAfter: 28_700 },
  ],
  [
    'zulip',
    400,
    { result: 'error', msg: 'Stream does not exist' },
    { error: 'Zulip answered 400: Stream does not exist' },
  ],
  [
    'twilio_sms',
    400,
    { code: 21211, message: "Invalid 'To' Phone Number", status: 400 },
    { permanent: true, error: "SMS by Twilio answered 400: Invalid 'To' Phone Number (21211)" },
  ],
  ['twilio_voice', 429, { code: 21610, message: 'Unsubscribed' }, { permanent: true, isGatewayDown: false }],
  ['twilio_sms', 429, { code: 20429, message: 'Too Many Requests' }, { permanent: false }],
  ['signal', 400, { error: 'Untrusted Identity' }, { error: 'Signal answered 400: Untrusted Identity' }],
  ['apprise', 204, {}, { permanent: true, error: 'Apprise answered 204: the server found no address to notify' }],
  [
    'apprise',
    424,
    { error: 'One or more could not be sent.' },
    { error: 'Apprise answered 424: One or more could not be sent.' },
  ],
])('%s answers %i %j', (id, status, body, outcome) => {
  const answer = { status, text: JSON.stringify(body), retryAfter: null }
  expect(named(id).read(answer)).toMatchObject({ status: 'failed', ...outcome })
})

test.each([
  ['telegram', { bot_token: '1:a', chat_id: '5' }, 'bot_token'],
  ['telegram', { bot_token: `12345:${'a'.repeat(35)}`, chat_id: 'five' }, 'chat_id'],
  ['teams', { url: 'https://contoso.webhook.office.com/webhookb2/0/IncomingWebhook/1/2' }, 'url'],
  ['teams', { url: 'https://outlook.office.com/webhook/0/IncomingWebhook/1/2' }, 'url'],
  ['discord', { url: 'https://discord.com/channels/1/2' }, 'url'],
  ['matrix', { server: 'https://m.example.com', room_id: '#room:example.com', access_token: 'a' }, 'room_id'],
  ['mattermost', { url: 'https://chat.example.com/hooks/a/b' }, 'url'],
  ['rocket_chat', { url: 'https://chat.example.com/hooks/abcdefghijklmnopqrstuvwxyz' }, 'url'],
  ['google_chat', { url: 'https://chat.googleapis.com/v1/spaces/A/messages' }, 'url'],
  ['signal', { server: 'https://s.example.com', number: '+48600100200', recipient: 'Bob' }, 'recipient'],
  ['signal', { server: 'https://s.example.com', number: '600100200', recipient: '+48600100200' }, 'number'],
  ['splunk_on_call', { key: 'abcdefgh', route: 'a/b' }, 'route'],
])('%s refuses %j for its %s, and says what it wants', (id, settings, field) => {
  const { problems } = mergeSettings(named(id), {}, settings, 'data.settings')
  expect(problems).toMatchObject([{ error: 'incorrect_value', field: `data.settings.${field}` }])
  expect(Object.keys(problems[0]?.expected ?? {})).toEqual(['en', 'pl'])
})

test('what is written of a text keeps within the limit and is never cut in its middle', () => {
  const cut = cutEscaped('<&"'.repeat(2000), 4096, escapeHtml)
  expect(cut.length).toBeLessThanOrEqual(4096)
  expect(cut.length).toBeGreaterThan(3500)
  expect(cut).toMatch(/^(&lt;|&amp;|&quot;)+…$/)
})

test.each([
  ['a_b *c* `d` ~~e~~ | [f](g) <@1>', 'a\\_b \\*c\\* \\`d\\` \\~\\~e\\~\\~ \\| \\[f\\](g) \\<@1\\>'],
  ['# big\n  - item', '\\# big\n  \\- item'],
  ['see https://example.com/a_b*c and a_b', 'see https://example.com/a_b*c and a\\_b'],
  ['https://a[b](https://c) `x`', 'https://a\\[b\\](https://c) \\`x\\`'],
])('Markdown does not read %j', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped)
})

test('nobody is called by a name in a text', () => {
  expect(withoutMentions('@all, (@here) a@example.com @ home')).toBe('@\u200ball, (@\u200bhere) a@example.com @ home')
})

const account = { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'secret', to: '+48600100200' }

/** The form fields that the channel sends. */
function formOf(id: string, values: Partial<Notification>, settings: Readonly<Record<string, string>>) {
  const { body } = named(id).request({ ...notification, ...values }, settings)
  return Object.fromEntries(new URLSearchParams(body ?? ''))
}

const notification: Notification = {
  ...{ key: 'notice-1', threadKey: 'thread-1', serviceId: 1, condition: 'failure', decidedAt: 0, link: null },
  ...{ subject: 'Sklep: AWARIA', text: 'Sklep: AWARIA <& "', attachment: null },
}

test('Twilio sends by a messaging service, and reads aloud in the language of the reader', () => {
  const service = `MG${'0'.repeat(32)}`
  expect(formOf('twilio_sms', {}, { ...account, from: service })).toMatchObject({ MessagingServiceSid: service })
  const { Twiml: speech } = formOf('twilio_voice', { language: 'pl' }, { ...account, from: '+48600100200' })
  expect(speech).toContain('<Say language="pl-PL" loop="2">Sklep: AWARIA &lt;&amp; &quot;</Say>')
})

test('a telephone rings for failures and tests alone', () => {
  const { tells } = named('twilio_voice')
  const conditions = ['failure', 'failure_continuation', 'silent_failure', 'recovery', 'pause', 'test']
  const told = conditions.filter((condition) => tells({ ...notification, condition }))
  expect(told).toEqual(['failure', 'test'])
  const incident = { key: 'latarnik-1-7', isOver: false }
  expect(tells({ ...notification, condition: 'silent_failure', incident })).toBe(true)
  expect(tells({ ...notification, condition: 'failure_continuation', incident })).toBe(false)
})

test.each([
  ['http://localhost:8080/services/7', undefined],
  ['http://192.168.1.5:8080/services/7', 'http://192.168.1.5:8080/services/7'],
])('Discord, which refuses messages for some links, is given %s as %s', (link, url) => {
  const settings = { url: `https://discord.com/api/webhooks/12345/${'a'.repeat(60)}` }
  const { body } = named('discord').request({ ...notification, link }, settings)
  expect(JSON.parse(body ?? '').embeds[0].url).toBe(url)
})

test('Apprise is given the addresses where no key stands for them', () => {
  const settings = { server: 'https://apprise.example.com/', urls: 'json://localhost' }
  const { url, body } = named('apprise').request(notification, settings)
  expect(url).toBe('https://apprise.example.com/notify')
  expect(JSON.parse(body ?? '')).toMatchObject({ urls: 'json://localhost', type: 'failure' })
})
