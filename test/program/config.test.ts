import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { machineTimeZone } from '../../src/config/machine-defaults.ts'
import type { Variable } from '../../src/config/variable.ts'
import { variables } from '../../src/config/variables.ts'
import { readTimeZone } from '../../src/domain/calendars/time-zones.ts'
import { configOf, faultsOf, fileOf } from '../support/config-files.ts'

test('nothing given is a whole single-user install', () => {
  expect(configOf({})).toEqual({
    accountDefaults: { languageId: 'en', timeZoneId: machineTimeZone() },
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
      ...{
        server: undefined,
        token: undefined,
        city: '',
        country: '',
        latitude: null,
        longitude: null,
        allowPrivateTargets: [],
      },
      proxy: { url: undefined, except: [] },
    },
    browser: {
      chromiumPath: null,
      directory: resolve('data', 'browser'),
      isolation: process.getuid?.() === 0 ? 'none' : 'sandbox',
    },
    mail: {
      smtpUrl: undefined,
      from: 'Latarnik <latarnik@localhost>',
      outboxDirectory: resolve('data/outbox'),
      connections: 10,
    },
    gateways: [
      expect.objectContaining({ id: 'email', connection: expect.objectContaining({ goesTo: resolve('data/outbox') }) }),
      ...['sms', 'jabber', 'gadu_gadu'].map((id) => expect.objectContaining({ id, connection: null })),
    ],
    isRegistrationOpen: false,
    hasServiceMetrics: false,
    hasAccountabilityPage: false,
    servesAssistants: true,
    oidc: null,
    configDirectory: null,
    s3: { endpoint: undefined, region: 'us-east-1', credentials: undefined },
    statusPageHosts: { permitted: [], free: [] },
    statusPages: undefined,
    consentAccounts: [],
    rdapBootstrapUrl: 'https://data.iana.org/rdap/dns.json',
    whoisServer: 'whois.iana.org',
    watchDomains: true,
    oauthClients: [],
    clientRegistration: { isLoopbackAllowed: true, hosts: [] },
    allowPrivateTargets: 'all',
    requestsPerMinute: { anonymous: 600, account: 6000 },
    cpuSecondsPerMinute: { anonymous: 5, account: 20 },
    loginAttemptsPerMinute: 10,
    forceLimits: { minute: 3, hour: 30, day: 100 },
    smsLimit: 200,
    smsDaily: undefined,
    minimumIntervalSeconds: 10,
    retentionDays: 400,
    auditRetentionDays: 400,
    logLevel: 'info',
    logFormat: 'auto',
    metrics: undefined,
    tracesEndpoint: undefined,
    vendorUrls: new Map(),
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

test('several database servers are taken as libpq takes them', () => {
  const url = 'postgres://me:word@a:5432,b:5433/name?target_session_attrs=read-write'
  expect(configOf({ DATABASE_URL: url }).databaseUrl).toBe(url)
})

test.each([
  [{ S3_PREFIX: 'a/' }, 'S3_PREFIX: means nothing without S3_BUCKET'],
  [{ STATUS_PAGE_PORT: '8080' }, 'STATUS_PAGE_PORT: must differ from PORT'],
  [{ STATUS_PAGE_URL: 'https://a.test' }, 'STATUS_PAGE_URL: means nothing without STATUS_PAGE_PORT'],
  [
    { SUBSCRIBER_CONSENT_ACCOUNTS: '*', REGISTRATION: 'on', ALLOW_PRIVATE_TARGETS: '10.0.0.0/8' },
    /^SUBSCRIBER_CONSENT_ACCOUNTS: with REGISTRATION=on/,
  ],
  [{ SERVICE_METRICS_OTLP_ACCOUNTS: '*' }, /^SERVICE_METRICS_OTLP_ACCOUNTS: means nothing without OTEL_EXPORTER/],
  [{ CITUS: 'on' }, 'CITUS: means nothing without DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://a,b/name?target_session_attrs=standby' }, /^DATABASE_URL: asks for .* Latarnik writes/],
  [
    { DATABASE_URL: 'postgres://me:word@a:1,b:x/name' },
    /^DATABASE_URL: names a server without a host, or a wrong port/,
  ],
  [{ DATABASE_URL: 'mysql://a,b/name' }, /^DATABASE_URL: must be an address like postgres:/],
  [{ SENSOR_LATITUDE: '54.35' }, 'SENSOR_LATITUDE: goes together with SENSOR_LONGITUDE'],
  [{ S3_BUCKET: 'abc', S3_ACCESS_KEY_ID: 'key' }, 'S3_ACCESS_KEY_ID: goes together with S3_SECRET_ACCESS_KEY'],
  [{ S3_BUCKET: 'abc', S3_PREFIX: '/a/' }, /^S3_PREFIX: must be/],
  [{ S3_BUCKET: 'abc', S3_PREFIX: 'a' }, /^S3_PREFIX: must be/],
  [{ S3_BUCKET: 'A B' }, /^S3_BUCKET: must be/],
  [{ S3_BUCKET: 'abc', S3_ENDPOINT: 'http://key:secret@10.0.0.5' }, /^S3_ENDPOINT: must hold no credentials[^@]*$/],
])('%j is refused', (environment, sentence) => {
  expect(faultsOf(environment as Record<string, string>)).toEqual([expect.stringMatching(sentence)])
})

test('metrics of services go below the collector of traces, or to an address of their own; by themselves nowhere', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
  const url = 'http://prometheus:9090/api/v1/otlp/v1/metrics'
  const own = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url, OTEL_METRIC_EXPORT_INTERVAL: '5000' }
  expect(configOf({ ...collector, ...own }).serviceExport).toBeUndefined()
  expect(configOf({ ...collector, SERVICE_METRICS_OTLP_ACCOUNTS: '*' }).serviceExport).toEqual({
    ...{ url: 'http://collector:4318/v1/metrics', accounts: null, intervalMs: 60_000 },
  })
  const alone = configOf({ ...own, SERVICE_METRICS_OTLP_ACCOUNTS: 'acme,Shop' })
  expect(alone.serviceExport).toEqual({ url, accounts: ['acme', 'shop'], intervalMs: 5000 })
  expect(alone.tracesEndpoint).toBeUndefined()
})

test('the object cannot be changed', () => {
  expect(Object.isFrozen(configOf({}))).toBe(true)
})

test.each([
  [{}, 'en'],
  [{ LANG: 'pl_PL.UTF-8' }, 'pl'],
  [{ LANG: 'de_DE.UTF-8' }, 'en'],
  [{ LANG: 'pl_PL.UTF-8', LC_ALL: 'C' }, 'en'],
  [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'pl_PL', LC_ALL: '' }, 'pl'],
  [{ LANG: 'C', ACCOUNT_LANGUAGE: 'pl' }, 'pl'],
  [{ LANG: 'pl_PL.UTF-8', ACCOUNT_LANGUAGE: 'en' }, 'en'],
])('with %j new accounts speak %j', (environment, languageId) => {
  expect(configOf(environment as Record<string, string>).accountDefaults.languageId).toBe(languageId)
})

const byUser = process.getuid?.() === 0 ? 'none' : 'sandbox'

test.each([
  [undefined, byUser],
  ['auto', byUser],
  ['on', 'sandbox'],
  ['off', 'none'],
  ['container', 'container'],
])('with CHROMIUM_SANDBOX=%s pages are isolated by: %s', (written, isolation) => {
  expect(configOf(written === undefined ? {} : { CHROMIUM_SANDBOX: written }).browser.isolation).toBe(isolation)
})

test('new accounts live in the zone that is set, else in that of the machine', () => {
  expect(configOf({ ACCOUNT_TIME_ZONE: 'Europe/Warsaw' }).accountDefaults.timeZoneId).toBe('europe_warsaw')
  expect(configOf({ ACCOUNT_TIME_ZONE: 'america_new_york' }).accountDefaults.timeZoneId).toBe('america_new_york')
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  expect(configOf({}).accountDefaults.timeZoneId).toBe(readTimeZone(timeZone))
})

test.each([
  ['700', { anonymous: 700, account: 700 }],
  ['700,8000', { anonymous: 700, account: 8000 }],
])('RATE_LIMIT=%s limits %j', (written, limits) => {
  expect(configOf({ RATE_LIMIT: written }).requestsPerMinute).toEqual(limits)
})

test('an empty variable counts as left out', () => {
  expect(configOf({ PORT: '', DATABASE_URL: '', SMTP_URL: '' }).port).toBe(8080)
})

test.each([
  [{}, 'all'],
  [{ REGISTRATION: 'on' }, []],
  [{ REGISTRATION: 'on', ALLOW_PRIVATE_TARGETS: '10.0.0.0/8, fd00::/8' }, ['10.0.0.0/8', 'fd00::/8']],
  [{ REGISTRATION: 'on', ALLOW_PRIVATE_TARGETS: 'all', ALLOW_STRANGERS_TO_PRIVATE_TARGETS: 'yes' }, 'all'],
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
    `${path}:2: there is no variable SMPT_URL (did you mean SMTP_URL?)`,
    `${path}:3: PORT is given twice`,
    `${path}:4: must be NAME=value`,
  ])
})

test('a file that is not there is refused', () => {
  const path = `${fileOf('')}.missing`
  expect(faultsOf({ LATARNIK_CONFIG: path })).toEqual([`LATARNIK_CONFIG: ${path} cannot be read (ENOENT)`])
})

test('a variable of this program by prefix only is refused', () => {
  expect(faultsOf({ LATARNIK_PORT: '1' })).toEqual(['LATARNIK_PORT: there is no such variable (did you mean PORT?)'])
  expect(faultsOf({ LATARNIK_TOKN: '1' })).toEqual([
    'LATARNIK_TOKN: there is no such variable (did you mean LATARNIK_TOKEN?)',
  ])
  const ofCommands = {
    LATARNIK_URL: 'https://a.test',
    LATARNIK_TOKEN: 'x',
    LATARNIK_USERNAME: 'y',
    LATARNIK_PASSWORD: 'z',
  }
  expect(() => configOf(ofCommands)).not.toThrow()
})

/** Each with a text that it refuses. */
const refused = Object.entries<Variable<unknown>>(variables).flatMap(([name, { wrongText }]) =>
  wrongText === null ? [] : [[name, wrongText] as const],
)

test('all faults come back at once and name the variable', () => {
  expect(refused.length).toBeGreaterThan(70)
  const faults = faultsOf(Object.fromEntries(refused))
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(refused.map(([name]) => name))
  expect(faults).toContain('PORT: must be a whole number from 0 to 65535, not "65536"')
})

test.each([
  ['SMTP_URL', 'smtp://mail.example.com:0', 'smtp://mail.example.com:587'],
  ['S3_ENDPOINT', 'https://store.example.com:0', 'https://store.example.com:9000'],
  ['NATS_URL', 'nats://broker.example.com:0', 'nats://broker.example.com:4222'],
  ['SLACK_URL', 'https://slack.example.com:0', 'https://slack.example.com'],
  ['XMPP_URL', 'xmpp://me%40example.com:p@jabber.example.com:0', 'xmpp://me%40example.com:p@jabber.example.com:5222'],
  ['SMS_GATEWAY_URL', 'https://sms.example.com:0/{to}/{text}', 'https://sms.example.com/{to}/{text}'],
  ['WHOIS_SERVER', 'whois.example.com:0', 'whois.example.com:43'],
  ['WHOIS_SERVER', 'whois.example.com:65536', '[2001:db8::7]:43'],
  [
    'DATABASE_URL',
    'postgres://a.example.com:0,b.example.com/latarnik',
    'postgres://a.example.com,b.example.com/latarnik',
  ],
])('%s takes no port that nothing listens on: %s', (name, wrong, right) => {
  const about = (faults: readonly string[]) =>
    faults.filter((fault) => fault.startsWith(`${name}: must be`) || fault.startsWith(`${name}: names`))
  expect(about(faultsOf({ [name]: wrong, MCP: 'wrong' }))).toHaveLength(1)
  expect(about(faultsOf({ [name]: right, MCP: 'wrong' }))).toEqual([])
})

/** A variable that holds a secret and can be wrong. */
const secret = Object.entries<Variable<unknown>>(variables).flatMap(([name, { isSecret, wrongText }]) =>
  isSecret === true && wrongText !== null ? [name] : [],
)

test.each(secret)('a wrong %s is not repeated in its fault', (name) => {
  const [fault = ''] = faultsOf({ [name]: 'hush !' })
  expect(fault).toContain(`${name}: must be`)
  expect(fault).not.toContain('hush !')
})

test.each(['all', '0.0.0.0/0', '10.0.0.0/8, ::/0'])(
  'strangers who register do not reach %s unless the operator says so twice',
  (allowed) => {
    const open = { REGISTRATION: 'on', ALLOW_PRIVATE_TARGETS: allowed }
    expect(faultsOf(open)).toEqual([
      expect.stringMatching(/^ALLOW_PRIVATE_TARGETS: .*ALLOW_STRANGERS_TO_PRIVATE_TARGETS=yes/),
    ])
    expect(faultsOf({ ...open, ALLOW_STRANGERS_TO_PRIVATE_TARGETS: 'no' })).toHaveLength(1)
    for (const right of [
      { ...open, REGISTRATION: 'off' },
      { ...open, ALLOW_STRANGERS_TO_PRIVATE_TARGETS: 'yes' },
    ]) {
      expect(configOf(right).allowPrivateTargets).not.toEqual([])
    }
  },
)

test('values that contradict each other are refused', () => {
  expect(faultsOf({ ADMIN_USERNAME: 'Anna', ACCOUNT_USERNAME: 'anna', NATS_URL: 'nats://bus' })).toEqual([
    'ACCOUNT_USERNAME: must differ from ADMIN_USERNAME',
    'NATS_URL: means nothing without DATABASE_URL: the embedded database serves one process alone',
  ])
})

test.each([
  ['http://login.example.com', false],
  ['http://localhost.example.com', false],
  ['http://127.0.0.1.example.com', false],
  ['http://192.168.1.2', false],
  ['https://login.example.com', true],
  ['http://127.0.0.1:8080/realms/office', true],
  ['http://[::1]:8080', true],
  ['http://localhost:8080', true],
])('an identity provider at %s is permitted: %s', (OIDC_ISSUER, isPermitted) => {
  const faults = faultsOf({ OIDC_ISSUER, OIDC_CLIENT_ID: 'latarnik', OIDC_CLIENT_SECRET: 'secret' })
  expect(faults.filter((fault) => /^OIDC_ISSUER: must begin with https:/.test(fault))).toHaveLength(isPermitted ? 0 : 1)
})
