import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { configOf, faultsOf, fileOf } from '../support/config-files.ts'

/** The settings of the channel's gateway; undefined: there is none. */
function settingsIn({ gateways }: Config, channelId: string) {
  return gateways.find(({ id }) => id === channelId)?.connection?.settings
}

function smsOf(environment: Record<string, string>) {
  return settingsIn(configOf(environment), 'sms')
}

test('a gateway for SMS needs its address alone', () => {
  const usual = { headers: {}, success: ['2xx'], refusal: null, isIdempotent: false }
  const form = { isTransliterated: true, mostParts: 1, hasLink: false }
  const body = '{"to":"{to}","text":"{text}","id":"{id}"}'
  expect(smsOf({ SMS_GATEWAY_URL: 'http://127.0.0.1:9/sms' })).toEqual({
    http: { ...usual, url: 'http://127.0.0.1:9/sms', method: 'POST', body },
    form,
  })
  const url = 'https://user:word@sms.example/send?key=abc&to={to}&text={text}'
  expect(smsOf({ SMS_GATEWAY_URL: url, SMS_GATEWAY_METHOD: 'GET' })).toEqual({
    http: { ...usual, url, method: 'GET', body: null },
    form,
  })
  const described = {
    ...{ SMS_GATEWAY_URL: 'https://sms.example/', SMS_GATEWAY_BODY: 'from=Shop&to={to}&message={text}' },
    ...{ SMS_GATEWAY_HEADERS: '{"Authorization":"Bearer abc"}', SMS_GATEWAY_SUCCESS: '200, 201' },
    ...{ SMS_GATEWAY_REFUSAL: '"error":', SMS_GATEWAY_IDEMPOTENT: 'on', SMS_TRANSLITERATE: 'off', SMS_PARTS: '3' },
    SMS_ACKNOWLEDGE_LINK: 'on',
  }
  expect(smsOf(described)).toEqual({
    http: {
      ...{ url: 'https://sms.example/', method: 'POST', body: 'from=Shop&to={to}&message={text}' },
      ...{ headers: { Authorization: 'Bearer abc' }, success: ['200', '201'], refusal: /"error":/, isIdempotent: true },
    },
    form: { isTransliterated: false, mostParts: 3, hasLink: true },
  })
})

/** Configuration files in a section of the operator's page. */
function examplesIn(heading: string) {
  const page = readFileSync('docs/operations.md', 'utf8')
  const section = page.slice(page.indexOf(`## ${heading}\n`)).split('\n## ')[0] ?? ''
  const blocks = [...section.matchAll(/```\n(.*?)```/gs)].flatMap(([, content = '']) => content.split('\n\n'))
  return blocks.map((content) => configOf({ LATARNIK_CONFIG: fileOf(content) }))
}

test('the operator’s examples of gateways are configurations', () => {
  const [smsapi, twilio, centre, own] = examplesIn('SMS').map((config) => settingsIn(config, 'sms'))
  expect(smsapi).toMatchObject({
    http: {
      ...{ url: 'https://api.smsapi.pl/sms.do', headers: { Authorization: 'Bearer TOKENTOKEN' }, isIdempotent: true },
      body: 'to={to}&message={text}&idx={id}&check_idx=1&format=json&encoding=utf-8&from=Latarnik',
    },
  })
  expect(twilio).toMatchObject({
    http: {
      url: 'https://api.twilio.com/2010-04-01/Accounts/AC123/Messages.json',
      ...{ body: 'To={to}&From=%2B15005550006&Body={text}', success: ['201'] },
    },
  })
  expect(centre).toMatchObject({
    smpp: { host: 'smsc.example.com', port: 2775, systemId: 'latarnik', password: 'secret', sender: 'Latarnik' },
  })
  expect(own).toMatchObject({ http: { url: 'https://sms.example.com/send', method: 'POST' } })
  expect(examplesIn('Jabber').map((config) => settingsIn(config, 'jabber'))).toEqual([
    {
      ...{ host: 'xmpp.example.com', port: 5222, isTls: false, isTlsRequired: true },
      ...{ domain: 'example.com', username: 'latarnik', password: 'secret' },
    },
  ])
  expect(examplesIn('Gadu-Gadu').map((config) => settingsIn(config, 'gadu_gadu'))).toMatchObject([
    { url: 'https://gadu.example.com/messages' },
  ])
})

test('how fast gateways are fed can be limited', () => {
  const { gateways, mail } = configOf({ SMS_RATE: '30', XMPP_RATE: '600', SMTP_CONNECTIONS: '2' })
  expect(gateways.map(({ id, perMinute }) => [id, perMinute])).toEqual([
    ['email', undefined],
    ['sms', 30],
    ['jabber', 600],
    ['gadu_gadu', undefined],
  ])
  expect(mail.connections).toBe(2)
})

test.each([
  [{ SMS_PROVIDER: 'smsapi' }, 'SMS_TOKEN: must be given with SMS_PROVIDER=smsapi'],
  [{ SMS_PROVIDER: 'smpp' }, 'SMPP_URL: must be given with SMS_PROVIDER=smpp'],
  [
    { SMS_PROVIDER: 'twilio', SMS_TOKEN: 'tokentoken', SMS_SENDER: '+15005550006' },
    'SMS_ACCOUNT: must be given with SMS_PROVIDER=twilio',
  ],
  [{ SMS_TOKEN: 'tokentoken' }, 'SMS_TOKEN: means nothing with SMS_PROVIDER=http'],
  [
    { SMS_PROVIDER: 'smsapi', SMS_TOKEN: 'tokentoken', SMS_GATEWAY_BODY: 'to={to}&m={text}' },
    'SMS_GATEWAY_BODY: means nothing with SMS_PROVIDER=smsapi',
  ],
  [{ SMS_PROVIDER: 'smpp', SMPP_URL: 'smpp://host:2775' }, /^SMPP_URL: must hold a user, a password/],
  [{ XMPP_URL: 'xmpp://host' }, /^XMPP_URL: must hold a user/],
  [{ XMPP_URL: 'xmpp://a:b@host?room=x' }, /^XMPP_URL: must hold a user/],
  [{ GADU_GADU_GATEWAY_BODY: 'to={to}' }, 'GADU_GADU_GATEWAY_BODY: means nothing without GADU_GADU_GATEWAY_URL'],
  [{ GADU_GADU_GATEWAY_URL: 'https://g/', GADU_GADU_GATEWAY_BODY: 'a={to}' }, /^GADU_GADU_GATEWAY_URL: \{text\}/],
] as [Record<string, string>, string | RegExp][])('%j is no way to send', (environment, sentence) => {
  expect(faultsOf(environment)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]))
})

const gatewayUrl = { SMS_GATEWAY_URL: 'https://sms.example/{id}' }

test.each([
  [{ SMS_GATEWAY_BODY: 'to={to}' }, 'SMS_GATEWAY_BODY: means nothing without SMS_GATEWAY_URL'],
  [{ SMS_GATEWAY_HEADERS: '{}' }, 'SMS_GATEWAY_HEADERS: means nothing without SMS_GATEWAY_URL'],
  [{ SMS_GATEWAY_REFUSAL: 'x' }, 'SMS_GATEWAY_REFUSAL: means nothing without SMS_GATEWAY_URL'],
  [{ ...gatewayUrl, SMS_GATEWAY_BODY: 'to={to}' }, 'SMS_GATEWAY_URL: {text} must stand in it or in SMS_GATEWAY_BODY'],
  [
    { SMS_GATEWAY_URL: 'http://sms/?{text}{to}', SMS_GATEWAY_METHOD: 'GET', SMS_GATEWAY_BODY: 'a=b' },
    'SMS_GATEWAY_BODY: means nothing with SMS_GATEWAY_METHOD=GET',
  ],
  [
    { SMS_GATEWAY_URL: 'http://sms/?{text}', SMS_GATEWAY_METHOD: 'GET' },
    'SMS_GATEWAY_URL: {to} must stand in it or in SMS_GATEWAY_BODY',
  ],
  ...['ftp://sms/', 'http://%@sms/', 'http://sms/a b', 'http://{to}@sms/', 'sms.example'].map((url) => [
    { SMS_GATEWAY_URL: url },
    /^SMS_GATEWAY_URL: must be/,
  ]),
  ...['to', '{to}', '{"to":"{to}"', 'a=b&&c=d', 'to={to} {text}'].map((body) => [
    { ...gatewayUrl, SMS_GATEWAY_BODY: body },
    /^SMS_GATEWAY_BODY: must be/,
  ]),
  ...['[]', '{"A":1}', '{"A b":"c"}', '{"A":"b\\r\\nC: d"}', '{"expect":"100-continue"}', 'A: b'].map((json) => [
    { ...gatewayUrl, SMS_GATEWAY_HEADERS: json },
    /^SMS_GATEWAY_HEADERS: must be/,
  ]),
] as [Record<string, string>, string | RegExp][])('%j is refused', (environment, sentence) => {
  expect(faultsOf(environment)[0]).toEqual(expect.stringMatching(sentence))
})
