import * as z from 'zod'
import { parseRegistrationPolicy } from '../auth/oauth/client-registration.ts'
import { parseOAuthClients } from '../domain/access/oauth-client.ts'
import { addressRanges, onOrOff, text, variable, wholeNumber } from './variable.ts'

const oauthClients = text
  .refine(
    (json) => parseOAuthClients(json) !== null,
    'must be a JSON array of {"client_id": …, "name": …, "redirect_uris": [absolute addresses without a fragment], "is_implicit_flow_allowed": true or false (optional)}',
  )
  .transform((json) => parseOAuthClients(json) ?? [])

const oauthRegistration = text
  .refine(
    (list) => parseRegistrationPolicy(list) !== null,
    'must be off, or a comma list of loopback and host names such as claude.ai',
  )
  .transform((list) => parseRegistrationPolicy(list) ?? { isLoopbackAllowed: false, hosts: [] })

const forceLimits = text
  .regex(/^\d{1,6},\d{1,6},\d{1,6}$/, 'must be three whole numbers: per minute, per hour, per day')
  .transform((list) => list.split(',').map(Number))

interface TargetValues {
  readonly REGISTRATION: boolean
  readonly ALLOW_PRIVATE_TARGETS: 'all' | readonly string[] | undefined
  readonly ALLOW_STRANGERS_TO_PRIVATE_TARGETS: boolean
}

/** A range of length 0 contains every address. */
function isEverything(allowed: TargetValues['ALLOW_PRIVATE_TARGETS']): boolean {
  return allowed === 'all' || (allowed ?? []).some((range) => /\/0+$/.test(range))
}

/** Values that are valid one by one, but together let everybody who registers reach the operator's own network. */
export function targetContradictions(values: Partial<TargetValues>): string[] {
  const { REGISTRATION: isOpen, ALLOW_PRIVATE_TARGETS: allowed, ALLOW_STRANGERS_TO_PRIVATE_TARGETS: isMeant } = values
  if (isOpen !== true || isMeant === true || !isEverything(allowed)) return []
  return [
    'ALLOW_PRIVATE_TARGETS: with REGISTRATION=on anybody who registers could reach every private address; leave it out, name ranges, or set ALLOW_STRANGERS_TO_PRIVATE_TARGETS=yes',
  ]
}

const requestLimits = text
  .regex(
    /^[1-9]\d{0,6}(,[1-9]\d{0,6})?$/,
    'must be one or two whole numbers from 1 to 9999999: for an address, for an account',
  )
  .transform((written) => {
    const [anonymous = 0, account = anonymous] = written.split(',').map(Number)
    return { anonymous, account }
  })

const cpuLimits = text
  .regex(
    /^([1-9]|[1-5]\d|60)(,([1-9]|[1-5]\d|60))?$/,
    'must be one or two whole numbers from 1 to 60: for an address, for an account',
  )
  .transform((written) => {
    const [anonymous = 0, account = anonymous] = written.split(',').map(Number)
    return { anonymous, account }
  })

/** Limits for strangers and accounts, and retention times. */
export const limitVariables = {
  SERVICE_METRICS: variable({
    defaultText: 'off',
    wrongText: 'yes',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning:
      'Whether `GET /v3/metrics/services` shows the states of services to Prometheus, each caller those that it may read.',
  }),
  REGISTRATION: variable({
    defaultText: 'off',
    wrongText: 'yes',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning:
      'Whether strangers may register accounts. `on` also refuses private targets unless they are allowed below, and notification addresses must be confirmed before they receive anything.',
  }),
  OAUTH_CLIENTS: variable({
    defaultText: undefined,
    wrongText: '[{}]',
    schema: oauthClients,
    type: 'JSON',
    meaning:
      'Applications that may ask for access through OAuth 2.0: `[{"client_id", "name", "redirect_uris"}]`, with `"is_implicit_flow_allowed": true` for the implicit flow; administrators may add more.',
  }),
  OAUTH_REGISTRATION: variable({
    defaultText: 'loopback',
    wrongText: 'localhost',
    schema: oauthRegistration,
    type: '`off` or list',
    meaning:
      'Which clients of assistants may register themselves at `/oauth/register`: `loopback` for programs on the own machine of a person, and hosts of web applications such as `claude.ai`.',
  }),
  ALLOW_PRIVATE_TARGETS: variable({
    defaultText: undefined,
    wrongText: 'everything',
    schema: z.union([z.literal('all'), z.literal('').transform((): string[] => []), addressRanges], {
      error: 'must be all, empty, or a comma list of CIDR ranges',
    }),
    type: '`all`, empty or CIDR list',
    emptyIsValue: true,
    meaning:
      'Private, loopback and link-local addresses that may be monitored; unset: `all`, or none with `REGISTRATION=on`.',
  }),
  ALLOW_STRANGERS_TO_PRIVATE_TARGETS: variable({
    defaultText: 'no',
    wrongText: 'on',
    schema: z.enum(['yes', 'no'], 'must be yes or no').transform((value) => value === 'yes'),
    type: '`yes` or `no`',
    meaning:
      'Confirms that everybody who registers may monitor every private address. Without `yes`, `REGISTRATION=on` with `ALLOW_PRIVATE_TARGETS=all` is refused.',
  }),
  RATE_LIMIT: variable({
    defaultText: '600,6000',
    wrongText: '0',
    schema: requestLimits,
    type: 'one or two numbers',
    meaning:
      'API requests per minute at each process: for an address without credentials, and for an account. One number sets both.',
  }),
  CPU_LIMIT: variable({
    defaultText: '5,20',
    wrongText: '61',
    schema: cpuLimits,
    type: 'one or two numbers',
    meaning:
      'Seconds of processing time per minute at each process: for an address without credentials, and for an account. One number sets both; `60` means no limit.',
  }),
  LOGIN_LIMIT: variable({
    defaultText: '10',
    wrongText: '1e3',
    schema: wholeNumber(1, 1_000_000),
    type: 'number',
    meaning:
      'Failed logins per minute from one address, over all processes. Ten times as many are allowed with one name from unknown addresses.',
  }),
  FORCE_LIMITS: variable({
    defaultText: '3,30,100',
    wrongText: '3,30',
    schema: forceLimits,
    type: 'three numbers',
    meaning: 'Forced analyses of one service, and trials of definitions of one account: per minute, per hour, per day.',
  }),
  SMS_LIMIT: variable({
    defaultText: '200',
    wrongText: '0',
    schema: wholeNumber(1, 1_000_000),
    type: 'number',
    meaning: 'SMS that each account may send per day (UTC), tests and confirmation codes included; further ones fail.',
  }),
  SMS_DAILY: variable({
    defaultText: undefined,
    wrongText: '0',
    schema: wholeNumber(1, 1_000_000),
    type: 'number',
    meaning:
      'SMS that all accounts together may send per day (UTC), counted over all processes; further ones fail; unset: no such limit.',
  }),
  RETENTION_DAYS: variable({
    defaultText: '400',
    wrongText: '0',
    schema: wholeNumber(1, 36_500),
    type: 'days',
    meaning: 'How long analyses with their evidence, periodic reports, and logs of notifications and logins are kept.',
  }),
  AUDIT_RETENTION_DAYS: variable({
    defaultText: '400',
    wrongText: '0',
    schema: wholeNumber(1, 36_500),
    type: 'days',
    meaning: 'How long the audit log is kept.',
  }),
  MINIMUM_INTERVAL: variable({
    defaultText: '10',
    wrongText: '0',
    schema: wholeNumber(1, 86_400),
    type: 'seconds',
    meaning: 'Shortest interval of the package `unlimited`, which the first start creates.',
  }),
}
