// Writes docs/checks.md: what can be checked, with every setting, from the declarations of the types.
import { type OfferedType, serviceTypes } from '../src/checks/index.ts'
import type { Setting } from '../src/checks/settings.ts'
import { common } from '../src/checks/shared-settings.ts'
import { keepGenerated, markdownTable } from './generated.ts'

const forms = {
  web: 'host, `host:port`, each with a path and a query where one is needed',
  host: 'host: a name or an address; the port is a setting',
  host_port: '`host:port`',
  domain: 'a domain, or a name in it',
  none: 'empty: the service reports in',
} as const

const commonIds = new Set(common.map(({ setting_id }) => setting_id))

function valuesOf({
  enum: values,
  minimum,
  maximum,
  maximum_length: longest,
  type,
  list,
  items,
  unit,
}: Setting): string {
  if (list !== undefined)
    return items?.['type'] === 'integer' ? 'a list of whole numbers' : 'a list, see [Assertions](assertions.md)'
  if (values !== null) return values.map((value) => `\`${value}\``).join(', ')
  if (minimum !== null || maximum !== null)
    return `${minimum ?? ''}–${maximum ?? ''}${unit === undefined ? '' : ` ${unit}`}`
  return longest === null ? type : `${type}, at most ${longest} characters`
}

function rowOf(setting: Setting): readonly string[] {
  const { setting_id: id, default: standard, isSecret, isRequired, words } = setting
  const given = standard === null ? (isRequired ? 'needed' : 'none') : `\`${standard}\``
  const { label, description } = words.en
  return [`\`${id}\``, given, `${valuesOf(setting)}${isSecret ? '; a secret' : ''}`, `**${label}.** ${description}`]
}

/** Types that are checked in the same way share a section. */
function sectionOf(check: string, types: readonly OfferedType[]): string {
  const [first] = types
  if (first === undefined) return ''
  const own = first.settings.filter(({ setting_id }) => !commonIds.has(setting_id))
  const names = types.map(({ id, name, addressPrefix }) => [
    `\`${id}\``,
    name.en,
    addressPrefix === '' ? '–' : `\`${addressPrefix}\``,
  ])
  const notes = remarks[check] ?? []
  return [
    `## ${first.name.en}`,
    `Address: ${forms[first.addressForm]}.`,
    markdownTable(['Type', 'Name', 'Prefix that may stand before the address'], names),
    markdownTable(['Setting', 'Default', 'Values', 'What it is'], own.map(rowOf)),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
  ].join('\n\n')
}

const readOnly =
  'The query runs in a read-only transaction that is rolled back, as one statement: it changes nothing. Give the service a user that may read only what it needs all the same.'
const nobody =
  'Without a username the server is up once it answers a login of nobody (`latarnik`), whether it takes it or not; nothing is asked then.'
const plain = 'With `tls` off the password is readable on the way. Use TLS wherever the way leads over the internet.'
const kept = 'The password is given only after the certificate was found good.'

const remarks: Readonly<Record<string, readonly string[]>> = {
  domain: [
    'No station is asked: the installation asks the registry, once a day and domain for all services. See [Expiry](expiry.md).',
  ],
  http: [
    'One request has one login: a username and a password, a bearer token, or OAuth 2.0. A client certificate may stand beside it.',
    'Logins and the client certificate go to the service’s own host alone, never along a redirect to another one.',
  ],
  tls: [
    'Up after a good handshake; with `text_to_send` an answer is waited for, with `expected_answer_regex` one that matches.',
    'What was said in plain text before STARTTLS counts for nothing after it.',
  ],
  websocket: [
    'Messages are waited for until one matches, at most 1,000; a message may have 1 MiB. Redirects are not followed.',
  ],
  redis: [
    'Commands that write are refused when the service is saved. Elements of a list are compared one a line. Double quotes hold an argument with spaces.',
    plain,
  ],
  postgresql: [
    readOnly,
    nobody,
    'SCRAM-SHA-256, MD5 and, over TLS alone, a password in plain text. Nothing of the query’s result is shown but the value that is compared, and of that 200 characters.',
  ],
  mysql: [
    readOnly,
    nobody,
    '`mysql_native_password` and `caching_sha2_password`; in full (as after a restart of the server) and in plain text over TLS alone. Files of the station are never given.',
  ],
  mongodb: ['SCRAM-SHA-256. The server is asked for `hello` and `ping`.', plain],
  mqtt: [
    'MQTT 3.1.1 with a clean session. A topic with a retained message answers at once; of others the next message is waited for.',
    plain,
  ],
  imap: ['`starttls` at port 143, `tls` at 993.', kept],
  pop3: ['`starttls` at port 110, `tls` at 995.', kept],
  ftp: ['The control connection alone: no file is listed or read.', plain],
  ssh: [
    'Up when the server says which SSH it speaks and offers keys; the pattern is held to its banner. Nobody logs in.',
    'With a fingerprint the server must also prove, by a whole key exchange, that it has the key.',
  ],
  ntp: [
    'One exchange; the offset is the one of RFC 5905, half of what there and back differ. The station’s own clock should be kept by NTP.',
  ],
  snmp: ['Version 2c over UDP. Texts, numbers, addresses and object ids are compared as people write them.'],
  grpc: ['`grpc.health.v1.Health/Check`. Without TLS the server must take HTTP/2 at once.'],
  rabbitmq: [
    'Without a username the login is tried as `guest`, which a broker takes from its own machine only.',
    'The queue is looked at with a passive declaration: nothing is made and no message is taken.',
    plain,
  ],
  prometheus: [
    '`POST /api/v1/query` below the path of the address, also of servers that speak like it (VictoriaMetrics, Mimir, Thanos).',
    'The first sample of the result is compared; choose a query with one.',
  ],
}

const bases = serviceTypes.filter(({ category }) => category !== 'ipv6')
const checks = [...new Set(bases.map(({ check }) => check))]
const twins = serviceTypes.filter(({ category }) => category === 'ipv6').map(({ id }) => `\`${id}\``)

keepGenerated(
  'checks.md',
  `${[
    '# What can be checked',
    'Generated by `npm run docs` from the declarations of the types (`src/checks`); do not edit.',
    'A service has a type, an address and settings: `POST /v3/services` with `extended_settings`, or the form of the console. `GET /v3/service_types?embed=extended_setting_formats` tells the same to programs. `POST /v3/services/trial` tries a definition before it is saved. Why a check fails is said by its error type: [errors.md](errors.md).',
    'Every connection goes to an address that was looked up once and screened; answers are bounded in size and time; secrets are never shown again. What a station could not try is *unknown*, never a failure. Regular expressions are RE2.',
    ...checks.map((check) =>
      sectionOf(
        check,
        bases.filter((type) => type.check === check),
      ),
    ),
    '## Over IPv6 alone',
    `The same, with addresses of IPv6 alone: ${twins.join(', ')}.`,
    '## Settings of every type',
    markdownTable(['Setting', 'Default', 'Values', 'What it is'], common.map(rowOf)),
  ].join('\n\n')}\n`,
  'npm run docs',
)
