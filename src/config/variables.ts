import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { parseAddressRange } from '../auth/address-filter.ts'
import { isPassword, isUsername } from '../domain/credentials.ts'
import { parseOAuthClients } from '../domain/oauth-client.ts'
import { gatewayVariables } from './gateways.ts'
import { address, matching, onOrOff, split, text, variable, wholeNumber } from './variable.ts'
import { watchingVariables } from './watching-variables.ts'

export const roles = ['api', 'monitoring', 'sensor', 'notifier', 'reporter'] as const
export type Role = (typeof roles)[number]

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const keyText = text.regex(/^[!-~]{3,256}$/, 'must be 3 to 256 characters without blanks')
const username = matching(isUsername, 'must be 3 to 64 characters of a-z A-Z 0-9 . _ @ -')
const password = matching(isPassword, 'must be 8 to 256 characters')
const mailAddress = /^[^<>@\s]+@[^<>@\s]+$/
const mailFrom = /^([^<>@]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/

const addressList = text
  .transform(split)
  .refine((list) => list.every((one) => mailAddress.test(one)), 'must be a comma list of e-mail addresses')

const natsServers = text.transform(split).pipe(z.array(address('nats:', 'tls:')))

const roleList = text.transform(split).pipe(z.array(z.enum(roles, `must be a comma list of ${roles.join(', ')}`)))

const addressRanges = text
  .refine((list) => split(list).every((range) => parseAddressRange(range)), 'must be a comma list of CIDR ranges')
  .transform(split)

const oauthClients = text
  .refine(
    (json) => parseOAuthClients(json) !== null,
    'must be a JSON array of {"client_id": …, "name": …, "redirect_uris": [absolute addresses without a fragment]}',
  )
  .transform((json) => parseOAuthClients(json) ?? [])

/** Also without `http://`, as other programs have it. */
const proxyAddress = text
  .transform((proxy) => (proxy.includes('://') ? proxy : `http://${proxy}`))
  .pipe(address('http:', 'https:'))

const forceLimits = text
  .regex(/^\d{1,6},\d{1,6},\d{1,6}$/, 'must be three whole numbers: per minute, per hour, per day')
  .transform((list) => list.split(',').map(Number))

/** Every variable that this program knows. docs/operations.md is held to this table by a test. */
export const variables = {
  HOST: variable({
    defaultText: '127.0.0.1',
    schema: text.regex(/^[A-Za-z0-9.:_-]+$/, 'must be an address or a host name'),
    type: 'address',
    meaning: 'Address that the API listens on; `0.0.0.0` or `::` for all.',
  }),
  PORT: variable({
    defaultText: '8080',
    schema: wholeNumber(0, 65_535),
    type: 'number',
    meaning: 'Port of the API; 0 takes any free one.',
  }),
  PUBLIC_URL: variable({
    defaultText: undefined,
    schema: address('http:', 'https:'),
    type: 'URL',
    meaning: 'Where users reach the API, for links in mails and in `Location`; unset: `http://HOST:PORT`.',
  }),
  TRUSTED_PROXIES: variable({
    defaultText: undefined,
    schema: addressRanges,
    type: 'CIDR list',
    meaning: 'Reverse proxies whose `X-Forwarded-For` tells the caller’s address; unset: none.',
  }),
  DATA_DIR: variable({
    defaultText: './data',
    schema: text.transform((path) => resolve(path)),
    type: 'directory',
    meaning: 'Where the embedded database, the mail outbox and files are kept.',
  }),
  S3_BUCKET: variable({
    defaultText: undefined,
    schema: text.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
    type: 'text',
    meaning: 'Bucket that keeps the evidence of failed checks; unset: `DATA_DIR/artifacts`.',
  }),
  S3_PREFIX: variable({
    defaultText: undefined,
    schema: text.regex(
      /^(?!\/)(?!.*\/\/)[\w!.*'()/-]{1,200}\/$/,
      'must be letters, digits and dashes, and end in a slash',
    ),
    type: 'text',
    meaning: 'Stands before every key in the bucket; what lies below belongs to this installation alone. Unset: none.',
  }),
  S3_ENDPOINT: variable({
    defaultText: undefined,
    schema: address('http:', 'https:').refine(
      (url) => !URL.canParse(url) || new URL(url).username + new URL(url).password === '',
      'must hold no credentials; they have variables of their own',
    ),
    type: 'URL',
    isSecret: true,
    meaning: 'An S3-compatible store; unset: Amazon’s.',
  }),
  S3_REGION: variable({
    defaultText: 'us-east-1',
    schema: text.regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a region'),
    type: 'text',
    meaning: 'Region of the bucket.',
  }),
  S3_ACCESS_KEY_ID: variable({
    defaultText: undefined,
    schema: keyText,
    type: 'text',
    isSecret: true,
    meaning: 'Key of the store; unset: found as Amazon’s SDK does (`AWS_…` variables, profile, role of the machine).',
  }),
  S3_SECRET_ACCESS_KEY: variable({
    defaultText: undefined,
    schema: keyText,
    type: 'text',
    isSecret: true,
    meaning: 'Secret of that key.',
  }),
  DATABASE_URL: variable({
    defaultText: undefined,
    schema: address('postgres:', 'postgresql:'),
    type: 'URL',
    isSecret: true,
    meaning: 'A PostgreSQL server, 15 or newer; unset: the embedded one.',
  }),
  CITUS: variable({
    defaultText: 'off',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning:
      'Whether `DATABASE_URL` is the coordinator of a Citus cluster, over whose machines the tables are spread at the next start.',
  }),
  NATS_URL: variable({
    defaultText: undefined,
    schema: natsServers,
    type: 'URL list',
    isSecret: true,
    meaning:
      'NATS servers, `nats://user:password@host:4222` or `tls://…`, through which processes of one `DATABASE_URL` talk; unset: the database.',
  }),
  ROLES: variable({
    defaultText: roles.join(','),
    schema: roleList,
    type: 'list',
    meaning: `What this process does: any of ${roles.map((role) => `\`${role}\``).join(', ')}.`,
  }),
  ADMIN_USERNAME: variable({
    defaultText: 'admin',
    schema: username,
    type: 'text',
    meaning: 'First administrator, made at the first start.',
  }),
  ADMIN_PASSWORD: variable({
    defaultText: undefined,
    schema: password,
    type: 'text',
    isSecret: true,
    meaning: 'The first administrator’s password; unset: generated and printed once.',
  }),
  ADMIN_EMAIL: variable({
    defaultText: undefined,
    schema: addressList,
    type: 'e-mail addresses',
    meaning: 'Who is told when a sensor or a gateway is lost and when it is back; unset: it is only logged.',
  }),
  ADMIN_LANGUAGE: variable({
    defaultText: 'en',
    schema: z.enum(['en', 'pl'], 'must be en or pl'),
    type: '`en` or `pl`',
    meaning: 'Language of mails to `ADMIN_EMAIL`.',
  }),
  ACCOUNT_USERNAME: variable({
    defaultText: 'user',
    schema: username,
    type: 'text',
    meaning: 'First customer account, made at the first start.',
  }),
  ACCOUNT_PASSWORD: variable({
    defaultText: undefined,
    schema: password,
    type: 'text',
    isSecret: true,
    meaning: 'The first account’s password; unset: generated and printed once.',
  }),
  LOCAL_SENSORS: variable({
    defaultText: '3',
    schema: wholeNumber(0, 50),
    type: 'number',
    meaning: 'Stations inside this program, named `Local 1`, `Local 2` and so on.',
  }),
  SENSOR_SERVER: variable({
    defaultText: undefined,
    schema: address('http:', 'https:'),
    type: 'URL',
    meaning: 'For `latarnik sensor` alone: where the API of its core is.',
  }),
  SENSOR_TOKEN: variable({
    defaultText: undefined,
    schema: text.regex(/^[A-Za-z0-9_-]{20,200}$/, 'must be a token of `latarnik sensor add`'),
    type: 'text',
    isSecret: true,
    meaning: 'For `latarnik sensor` alone: its token.',
  }),
  SENSOR_CITY: variable({
    defaultText: undefined,
    schema: text.max(200, 'must be at most 200 characters'),
    type: 'text',
    meaning: 'For `latarnik sensor` alone: where it stands, unless an administrator has said so.',
  }),
  SENSOR_COUNTRY: variable({
    defaultText: undefined,
    schema: text.max(200, 'must be at most 200 characters'),
    type: 'text',
    meaning: 'For `latarnik sensor` alone: the country, likewise.',
  }),
  HTTPS_PROXY: variable({
    defaultText: undefined,
    schema: proxyAddress,
    type: 'URL',
    alias: 'https_proxy',
    isSecret: true,
    meaning:
      'For `latarnik sensor` alone: the proxy, `http://user:password@host:3128`, through which it reaches its core.',
  }),
  NO_PROXY: variable({
    defaultText: undefined,
    schema: text.transform((list) => list.split(/[\s,]+/).filter((host) => host !== '')),
    type: 'list',
    alias: 'no_proxy',
    meaning: 'Hosts, addresses and CIDR ranges that are reached without that proxy; `*` for all.',
  }),
  CHROMIUM_PATH: variable({
    defaultText: undefined,
    schema: matching(isAbsolute, 'must be an absolute path'),
    type: 'file',
    meaning:
      'The browser for page checks; unset: `chromium-headless-shell` or `chromium` of the system, else the one that npm carries.',
  }),
  CHROMIUM_SANDBOX: variable({
    defaultText: 'auto',
    schema: z.enum(['auto', 'on', 'off'], 'must be auto, on or off'),
    type: '`auto`, `on` or `off`',
    meaning: 'Whether the browser isolates pages by the system’s means; `auto`: on unless the user is root.',
  }),
  SMTP_URL: variable({
    defaultText: undefined,
    schema: address('smtp:', 'smtps:'),
    type: 'URL',
    isSecret: true,
    meaning: 'Mail server, `smtp://user:password@host:587`; unset: mails become `.eml` files in `DATA_DIR/outbox`.',
  }),
  MAIL_FROM: variable({
    defaultText: 'Latarnik <latarnik@localhost>',
    schema: text.regex(mailFrom, 'must be an e-mail address, alone or as `Name <address>`'),
    type: 'e-mail address',
    meaning: 'Sender of all mails.',
  }),
  ...gatewayVariables,
  REGISTRATION: variable({
    defaultText: 'off',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning: 'Whether strangers may make accounts; `on` also refuses private targets unless they are allowed below.',
  }),
  OAUTH_CLIENTS: variable({
    defaultText: undefined,
    schema: oauthClients,
    type: 'JSON',
    meaning:
      'Applications that may ask for access by OAuth 2.0: `[{"client_id", "name", "redirect_uris"}]`; administrators may enter more.',
  }),
  ALLOW_PRIVATE_TARGETS: variable({
    defaultText: undefined,
    schema: z.union([z.literal('all'), z.literal('').transform((): string[] => []), addressRanges], {
      error: 'must be all, empty, or a comma list of CIDR ranges',
    }),
    type: '`all`, empty or CIDR list',
    emptyIsValue: true,
    meaning:
      'Private, loopback and link-local addresses that may be monitored; unset: `all`, or none with `REGISTRATION=on`.',
  }),
  RATE_LIMIT: variable({
    defaultText: '600',
    schema: wholeNumber(1, 1_000_000),
    type: 'number',
    meaning: 'API requests a minute, per account or, without credentials, per address.',
  }),
  LOGIN_LIMIT: variable({
    defaultText: '10',
    schema: wholeNumber(1, 1_000_000),
    type: 'number',
    meaning: 'Failed attempts to log in a minute, per address and per username.',
  }),
  FORCE_LIMITS: variable({
    defaultText: '3,30,100',
    schema: forceLimits,
    type: 'three numbers',
    meaning: 'Forced analyses of one service a minute, an hour, a day.',
  }),
  RETENTION_DAYS: variable({
    defaultText: '400',
    schema: wholeNumber(1, 36_500),
    type: 'days',
    meaning: 'How long analyses with their evidence, periodic reports, and logs of notifications and logins, are kept.',
  }),
  MINIMUM_INTERVAL: variable({
    defaultText: '10',
    schema: wholeNumber(1, 86_400),
    type: 'seconds',
    meaning: 'Shortest interval of the package `unlimited`, which is made at the first start.',
  }),
  LOG_LEVEL: variable({
    defaultText: 'info',
    schema: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
    type: 'word',
    meaning: `Detail of the log on stderr: ${logLevels.join(', ')}.`,
  }),
  ...watchingVariables,
}
