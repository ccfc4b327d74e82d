import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Config, readConfig } from '../../src/config.ts'
import { variables } from '../../src/config-variables.ts'

const directory = mkdtempSync(join(tmpdir(), 'latarnik-config-'))
afterAll(() => rmSync(directory, { recursive: true }))

function fileOf(content: string): string {
  const path = join(directory, `${Math.random()}.conf`)
  writeFileSync(path, content)
  return path
}

function configOf(environment: Record<string, string>): Config {
  const outcome = readConfig(environment)
  if ('faults' in outcome) throw new Error(outcome.faults.join('\n'))
  return outcome.config
}

function faultsOf(environment: Record<string, string>): readonly string[] {
  const outcome = readConfig(environment)
  return 'faults' in outcome ? outcome.faults : []
}

test('nothing given is a whole single-user install', () => {
  expect(configOf({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    publicUrl: undefined,
    trustedProxies: [],
    dataDirectory: resolve('data'),
    databaseUrl: undefined,
    isCluster: false,
    artifacts: { directory: resolve('data/artifacts') },
    natsServers: [],
    roles: ['api', 'monitoring', 'sensor', 'notifier', 'reporter'],
    firstAdministrator: { username: 'admin', password: undefined },
    firstAccount: { username: 'user', password: undefined },
    administratorContact: { addresses: [], language: 'en' },
    localSensors: 3,
    farSensor: {
      ...{ server: undefined, token: undefined, city: '', country: '', allowPrivateTargets: [] },
      proxy: { url: undefined, except: [] },
    },
    browser: {
      chromiumPath: null,
      directory: resolve('data', 'browser'),
      isSandboxed: process.getuid?.() !== 0,
    },
    mail: {
      smtpUrl: undefined,
      from: 'Latarnik <latarnik@localhost>',
      outboxDirectory: resolve('data/outbox'),
      connections: 8,
    },
    gateways: { sms: undefined, jabber: undefined, gaduGadu: undefined, perMinute: {} },
    isRegistrationOpen: false,
    oauthClients: [],
    allowPrivateTargets: 'all',
    requestsPerMinute: 600,
    loginAttemptsPerMinute: 10,
    forceLimits: { minute: 3, hour: 30, day: 100 },
    minimumIntervalSeconds: 10,
    retentionDays: 400,
    logLevel: 'info',
    logFormat: 'auto',
    metrics: undefined,
    tracesEndpoint: undefined,
  })
})

test('a bucket keeps the evidence when it is named', () => {
  const s3 = { region: 'us-east-1', bucket: 'evidence', endpoint: undefined, prefix: '', credentials: undefined }
  expect(configOf({ S3_BUCKET: 'evidence' }).artifacts).toEqual({ s3 })
  const whole = {
    ...{ S3_BUCKET: 'evidence', S3_ENDPOINT: 'http://10.0.0.5:9000', S3_REGION: 'waw', S3_PREFIX: 'shop/1/' },
    ...{ S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
  }
  expect(configOf(whole).artifacts).toEqual({
    s3: {
      ...{ endpoint: 'http://10.0.0.5:9000', region: 'waw', bucket: 'evidence', prefix: 'shop/1/' },
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    },
  })
})

test.each([
  [{ S3_PREFIX: 'a/' }, 'S3_PREFIX: means nothing without S3_BUCKET'],
  [{ CITUS: 'on' }, 'CITUS: means nothing without DATABASE_URL'],
  [{ S3_BUCKET: 'abc', S3_ACCESS_KEY_ID: 'key' }, 'S3_ACCESS_KEY_ID: goes together with S3_SECRET_ACCESS_KEY'],
  [{ S3_BUCKET: 'abc', S3_PREFIX: '/a/' }, /^S3_PREFIX: must be/],
  [{ S3_BUCKET: 'abc', S3_PREFIX: 'a' }, /^S3_PREFIX: must be/],
  [{ S3_BUCKET: 'A B' }, /^S3_BUCKET: must be/],
  [{ S3_BUCKET: 'abc', S3_ENDPOINT: 'http://key:secret@10.0.0.5' }, /^S3_ENDPOINT: must hold no credentials[^@]*$/],
])('%j is refused', (environment, sentence) => {
  expect(faultsOf(environment as Record<string, string>)).toEqual([expect.stringMatching(sentence)])
})

function smsOf(environment: Record<string, string>) {
  return configOf(environment).gateways.sms
}

test('a gateway for SMS needs its address alone', () => {
  const usual = { headers: {}, success: ['2xx'], refusal: null, isIdempotent: false }
  const form = { isTransliterated: true, mostParts: 1 }
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
  }
  expect(smsOf(described)).toEqual({
    http: {
      ...{ url: 'https://sms.example/', method: 'POST', body: 'from=Shop&to={to}&message={text}' },
      ...{ headers: { Authorization: 'Bearer abc' }, success: ['200', '201'], refusal: /"error":/, isIdempotent: true },
    },
    form: { isTransliterated: false, mostParts: 3 },
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
  const [smsapi, twilio, centre, own] = examplesIn('SMS').map(({ gateways }) => gateways.sms)
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
  expect(examplesIn('Jabber').map(({ gateways }) => gateways.jabber)).toEqual([
    {
      ...{ host: 'xmpp.example.com', port: 5222, isTls: false, isTlsRequired: true },
      ...{ domain: 'example.com', username: 'latarnik', password: 'secret' },
    },
  ])
  expect(examplesIn('Gadu-Gadu').map(({ gateways }) => gateways.gaduGadu?.url)).toEqual([
    'https://gadu.example.com/messages',
  ])
})

test('how fast gateways are fed can be limited', () => {
  expect(configOf({ SMS_RATE: '30', XMPP_RATE: '600', SMTP_CONNECTIONS: '2' })).toMatchObject({
    gateways: { perMinute: { sms: 30, jabber: 600 } },
    mail: { connections: 2 },
  })
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

test('a secret may stand in a file of its own, which nothing but its name gives away', () => {
  const path = fileOf('postgres://me:word@host/latarnik\n')
  expect(configOf({ DATABASE_URL_FILE: path }).databaseUrl).toBe('postgres://me:word@host/latarnik')
  expect(configOf({ DATABASE_URL_FILE: path, DATABASE_URL: 'postgres://other/' }).databaseUrl).toBe('postgres://other/')
  expect(configOf({ LATARNIK_CONFIG: fileOf(`DATABASE_URL_FILE=${path}`) }).databaseUrl).toMatch(/^postgres:/)
  expect(faultsOf({ SENSOR_TOKEN_FILE: '/nowhere' })).toEqual(['SENSOR_TOKEN_FILE: /nowhere cannot be read (ENOENT)'])
  expect(faultsOf({ LATARNIK_CONFIG: fileOf('PORT_FILE=/nowhere') })).toEqual([
    expect.stringMatching(/there is no variable PORT_FILE$/),
  ])
})

test('a proxy is written as other programs have it', () => {
  const proxyOf = (environment: Record<string, string>) => configOf(environment).farSensor.proxy
  expect(proxyOf({ https_proxy: 'proxy.example:3128', no_proxy: 'a.example, 10.0.0.0/8' })).toEqual({
    url: 'http://proxy.example:3128',
    except: ['a.example', '10.0.0.0/8'],
  })
  expect(proxyOf({ HTTPS_PROXY: 'http://upper/', https_proxy: 'http://lower/' }).url).toBe('http://upper/')
  expect(faultsOf({ HTTPS_PROXY: 'socks5://me:secret@proxy' })).toEqual([
    'HTTPS_PROXY: must be an address like http://… or https://…',
  ])
})

test('the object cannot be changed', () => {
  expect(Object.isFrozen(configOf({}))).toBe(true)
})

test('an empty variable counts as left out', () => {
  expect(configOf({ PORT: '', DATABASE_URL: '', SMTP_URL: '' }).port).toBe(8080)
})

test.each([
  [{}, 'all'],
  [{ REGISTRATION: 'on' }, []],
  [{ REGISTRATION: 'on', ALLOW_PRIVATE_TARGETS: '10.0.0.0/8, fd00::/8' }, ['10.0.0.0/8', 'fd00::/8']],
  [{ REGISTRATION: 'on', ALLOW_PRIVATE_TARGETS: 'all' }, 'all'],
  [{ ALLOW_PRIVATE_TARGETS: '' }, []],
])('with %j the private targets that may be monitored are %j', (environment, allowed) => {
  expect(configOf(environment as Record<string, string>).allowPrivateTargets).toEqual(allowed)
})

test('a file gives the same names, and the environment wins', () => {
  const path = fileOf('# comment\n\nPORT=9000\r\nMAIL_FROM = "Dyżur <dyzur@firma.pl>"\nACCOUNT_PASSWORD=a=b #1234\n')
  const config = configOf({ LATARNIK_CONFIG: path, PORT: '9001' })
  expect(config.port).toBe(9001)
  expect(config.mail.from).toBe('Dyżur <dyzur@firma.pl>')
  expect(config.firstAccount.password).toBe('a=b #1234')
})

test('a file with unknown names, repeats or no assignments is refused line by line', () => {
  const path = fileOf('PORT=1\nSMPT_URL=smtp://x\nPORT=2\nwhat is this\n')
  expect(faultsOf({ LATARNIK_CONFIG: path })).toEqual([
    `${path}:2: there is no variable SMPT_URL`,
    `${path}:3: PORT is given twice`,
    `${path}:4: must be NAME=value`,
  ])
})

test('a file that is not there is refused', () => {
  const path = join(directory, 'missing.conf')
  expect(faultsOf({ LATARNIK_CONFIG: path })).toEqual([`LATARNIK_CONFIG: ${path} cannot be read (ENOENT)`])
})

test('a variable of this program by prefix only is refused', () => {
  expect(faultsOf({ LATARNIK_PORT: '1' })).toEqual(['LATARNIK_PORT: there is no such variable'])
})

test('all faults come back at once and name the variable', () => {
  const faults = faultsOf({
    HOST: 'a b',
    PORT: '65536',
    PUBLIC_URL: 'example.com',
    TRUSTED_PROXIES: 'proxy',
    S3_BUCKET: 'A',
    S3_PREFIX: 'a',
    S3_ENDPOINT: 'host',
    S3_REGION: 'a b',
    S3_ACCESS_KEY_ID: 'a b',
    S3_SECRET_ACCESS_KEY: 'a b',
    DATABASE_URL: 'mysql://secret@host',
    CITUS: 'perhaps',
    NATS_URL: 'http://host:4222',
    ROLES: 'api,cook',
    ADMIN_USERNAME: 'x',
    ADMIN_PASSWORD: 'short',
    ADMIN_EMAIL: 'root@example.com, root',
    ADMIN_LANGUAGE: 'de',
    ACCOUNT_USERNAME: 'no spaces',
    ACCOUNT_PASSWORD: 'short',
    LOCAL_SENSORS: '-1',
    SENSOR_SERVER: 'core',
    SENSOR_TOKEN: 'short',
    SENSOR_CITY: 'x'.repeat(201),
    SENSOR_COUNTRY: 'x'.repeat(201),
    HTTPS_PROXY: 'ftp://proxy',
    CHROMIUM_PATH: 'chromium',
    CHROMIUM_SANDBOX: 'maybe',
    SMTP_URL: 'host:25',
    MAIL_FROM: 'nobody',
    SMS_GATEWAY_URL: 'https://{to}.example.com/',
    SMS_GATEWAY_METHOD: 'DELETE',
    SMS_GATEWAY_BODY: '{"to":{to}}',
    SMS_GATEWAY_HEADERS: '{"Content-Length":"1"}',
    SMS_GATEWAY_SUCCESS: '2xx,ok',
    SMS_GATEWAY_REFUSAL: '(',
    SMS_GATEWAY_IDEMPOTENT: 'perhaps',
    SMS_TRANSLITERATE: 'maybe',
    SMS_PROVIDER: 'pigeon',
    SMS_ACCOUNT: 'a b',
    SMS_TOKEN: 'x',
    SMS_SENDER: 'far too long a name',
    SMS_PARTS: '0',
    SMPP_URL: 'host',
    SMPP_LONG_MESSAGES: 'maybe',
    XMPP_URL: 'alice@example.com',
    XMPP_TLS: 'maybe',
    GADU_GADU_GATEWAY_URL: 'gg',
    GADU_GADU_GATEWAY_METHOD: 'DELETE',
    GADU_GADU_GATEWAY_BODY: '{"to":{to}}',
    GADU_GADU_GATEWAY_HEADERS: '[]',
    GADU_GADU_GATEWAY_SUCCESS: 'ok',
    GADU_GADU_GATEWAY_REFUSAL: '(',
    GADU_GADU_GATEWAY_IDEMPOTENT: 'perhaps',
    SMTP_CONNECTIONS: '0',
    SMTP_RATE: '0',
    SMS_RATE: 'fast',
    XMPP_RATE: '-1',
    GADU_GADU_RATE: '1.5',
    REGISTRATION: 'yes',
    OAUTH_CLIENTS: '[{}]',
    ALLOW_PRIVATE_TARGETS: 'everything',
    RATE_LIMIT: '0',
    LOGIN_LIMIT: '1e3',
    FORCE_LIMITS: '3,30',
    RETENTION_DAYS: '0',
    MINIMUM_INTERVAL: '0',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'xml',
    METRICS_PORT: 'prometheus',
    METRICS_HOST: 'a b',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
  })
  const named = faults.map((fault) => fault.split(':')[0])
  expect(named.sort()).toEqual(
    Object.keys(variables)
      // Any text is a directory, or a list of hosts.
      .filter((name) => !['DATA_DIR', 'NO_PROXY'].includes(name))
      .sort(),
  )
  expect(faults).toContain('PORT: must be a whole number from 0 to 65535, not "65536"')
})

test.each([
  'ADMIN_PASSWORD',
  'ACCOUNT_PASSWORD',
  'DATABASE_URL',
  'NATS_URL',
  'SMTP_URL',
  'S3_ENDPOINT',
  'S3_SECRET_ACCESS_KEY',
  'SENSOR_TOKEN',
  'SMS_GATEWAY_URL',
  'SMS_GATEWAY_BODY',
  'SMS_GATEWAY_HEADERS',
  'SMS_TOKEN',
  'SMPP_URL',
  'XMPP_URL',
  'GADU_GADU_GATEWAY_URL',
])('a wrong %s is not repeated in its fault', (name) => {
  const [fault = ''] = faultsOf({ [name]: 'hush !' })
  expect(fault).toContain(`${name}: must be`)
  expect(fault).not.toContain('hush !')
})

test('values that contradict each other are refused', () => {
  expect(faultsOf({ ADMIN_USERNAME: 'Anna', ACCOUNT_USERNAME: 'anna', NATS_URL: 'nats://bus' })).toEqual([
    'ACCOUNT_USERNAME: must differ from ADMIN_USERNAME',
    'NATS_URL: means nothing without DATABASE_URL: the embedded database serves one process alone',
  ])
})

test('the operator’s page describes exactly the variables that the program knows', () => {
  const page = readFileSync('docs/operations.md', 'utf8')
  const rows = Object.entries(variables).map(([name, definition]) => {
    const shown = definition.defaultText === undefined ? 'unset' : `\`${definition.defaultText}\``
    return `| \`${name}\` | ${shown} | ${definition.type} | ${definition.meaning} |`
  })
  expect(page.split('\n').filter((line) => /^\| `[A-Z0-9_]+` \|/.test(line))).toEqual(rows)
})
