import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http'
import { serviceTypeOf } from '../../checks/index.ts'
import type { Assertion } from '../../domain/services/assertion.ts'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { Asker } from '../pattern.ts'
import type { CheckJob, Settings } from '../protocol.ts'
import { readBoolean, readInteger, readOptionalInteger, readOptionalText, readText } from '../settings.ts'
import type { ClientCertificate } from '../tls.ts'
import { readAssertions } from './assertions.ts'
import { type AcceptedStatuses, parseStatuses } from './statuses.ts'
import { readTokenDemands, type TokenDemands } from './token-demands.ts'

/** The demands of an http or https service's settings. */
export interface HttpDemands {
  readonly url: URL
  readonly method: string
  readonly content: string | null
  /** The user's headers, in order; they replace ours of the same name. */
  readonly headers: readonly (readonly [string, string])[]
  readonly authorization: string | null
  /** Texts that must be hidden in everything that comes back. */
  readonly secrets: readonly string[]
  readonly acceptedStatuses: AcceptedStatuses
  readonly maximumRedirects: number
  readonly followRedirects: boolean
  readonly maximumResponseMs: number | null
  readonly contentPattern: string | null
  readonly forbiddenPattern: string | null
  /** For the pattern searches. */
  readonly asker: Asker
  readonly verifyCertificate: boolean
  readonly certificateDays: number | null
  readonly assertions: readonly Assertion[]
  /** Null without OAuth 2.0. */
  readonly tokenDemands: TokenDemands | null
  readonly clientCertificate: ClientCertificate | null
}

const defaultContentType = 'application/x-www-form-urlencoded'

export function readDemands(job: CheckJob): HttpDemands {
  const { settings } = job
  const { url, credentials } = readTarget(job)
  const content = readOptionalText(settings, 'content')
  const bearer = readOptionalText(settings, 'bearer_token')
  const basic = credentials === null ? null : basicAuthorization(credentials)
  return {
    url,
    method: readMethod(settings),
    content,
    headers: withContentType(readRequestHeaders(settings), settings, content),
    authorization: bearer === null ? basic : `Bearer ${bearer}`,
    secrets: [...secretsOf(credentials), ...secretSettingsOf(settings)],
    acceptedStatuses: parseStatuses(readText(settings, 'accepted_statuses')),
    maximumRedirects: readInteger(settings, 'maximum_redirects'),
    followRedirects: readBoolean(settings, 'follow_redirects'),
    maximumResponseMs: readOptionalInteger(settings, 'maximum_response_time'),
    contentPattern: readOptionalText(settings, 'content_regex'),
    forbiddenPattern: readOptionalText(settings, 'negative_content_regex'),
    asker: job,
    verifyCertificate: readBoolean(settings, 'verify_certificate'),
    certificateDays: readOptionalInteger(settings, 'certificate_days'),
    assertions: readAssertions(settings),
    tokenDemands: readTokenDemands(settings),
    clientCertificate: readClientCertificate(settings),
  }
}

const secretSettings = [
  'bearer_token',
  'oauth_client_id',
  'oauth_client_secret',
  'client_key',
  'client_key_passphrase',
] as const

function secretSettingsOf(settings: Settings): string[] {
  return secretSettings.flatMap((id) => readOptionalText(settings, id) ?? [])
}

function readClientCertificate(settings: Settings): ClientCertificate | null {
  const [chain, key] = [readOptionalText(settings, 'client_certificate'), readOptionalText(settings, 'client_key')]
  if (chain === null || key === null) return null
  return { chain, key, passphrase: readOptionalText(settings, 'client_key_passphrase') }
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

export interface HttpTarget {
  /** Without credentials. */
  readonly url: URL
  /** From the settings, else from the address; null if neither has any. */
  readonly credentials: Credentials | null
}

export function readTarget(job: CheckJob): HttpTarget {
  const url = readUrl(job)
  const username = readOptionalText(job.settings, 'username') ?? decodePart(url.username)
  const password = readOptionalText(job.settings, 'password') ?? decodePart(url.password)
  if (url.username !== '' || url.password !== '') {
    url.username = ''
    url.password = ''
  }
  return { url, credentials: username === '' && password === '' ? null : { username, password } }
}

/** The password, and its Basic credentials. */
export function secretsOf(credentials: Credentials | null): string[] {
  if (credentials === null || credentials.password === '') return []
  return [credentials.password, `${credentials.username}:${credentials.password}`]
}

export function basicAuthorization({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function readUrl(job: CheckJob): URL {
  const prefix = serviceTypeOf(job.typeId)?.addressPrefix ?? 'http://'
  const text = `${prefix}${job.address.trim().replace(/^https?:\/\//i, '')}`
  const url = parseUrl(text)
  const port = readOptionalInteger(job.settings, 'port')
  if (port !== null) url.port = String(port)
  return url
}

function parseUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new Failure('address_invalid', `${JSON.stringify(text)} is not a web address`)
  }
}

function readMethod(settings: Settings): string {
  const method = readText(settings, 'http_method').toUpperCase()
  if (METHODS.includes(method) && method !== 'CONNECT') return method
  throw new Failure('setting_invalid', `setting http_method ${JSON.stringify(method)} is not a method`)
}

/** The lines of the setting `request_headers`. */
export function readRequestHeaders(settings: Settings): HttpDemands['headers'] {
  const lines = (readOptionalText(settings, 'request_headers') ?? '').split('\n').filter((line) => line.trim() !== '')
  return lines.map(readHeaderLine)
}

function withContentType(
  headers: HttpDemands['headers'],
  settings: Settings,
  content: string | null,
): HttpDemands['headers'] {
  const contentType = readOptionalText(settings, 'content_type') ?? (content === null ? null : defaultContentType)
  const isGiven = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return contentType === null || isGiven ? headers : [readHeaderLine(`Content-Type: ${contentType}`), ...headers]
}

function readHeaderLine(line: string): readonly [string, string] {
  const [name, value] = split(line, ':')
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch (error) {
    throw new Failure('setting_invalid', `setting request_headers: ${JSON.stringify(line.trim())}: ${errorText(error)}`)
  }
  return [name, value]
}

/** The trimmed parts before and after the first separator; without one, everything is after it. */
function split(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()]
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
