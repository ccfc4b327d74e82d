import { effectiveSettings, type Formats, type StoredSettings } from '../domain/services/extended-settings.ts'
import { oneLine } from '../domain/text/one-line.ts'
import type { Answer, HttpRequest } from '../outgoing/exchange.ts'
import type { ElementText } from '../wording/catalogue.ts'
import type { Language } from '../wording/language.ts'
import type { Channel, Style } from './declare.ts'
import type { DeliveryOutcome, Message } from './delivery.ts'
import type { Field, FieldDeclarations, FieldValues } from './fields.ts'

/** A message before it is fitted to its destination. */
export type Notification = Omit<Message, 'channelId' | 'address' | 'settings' | 'html' | 'picture'> & {
  /** The moment of this attempt, Unix milliseconds. Default: when the message was decided. */
  readonly sentAt?: number
}

/** The body: an object sent as JSON, the fields of a form, or a text or bytes of a type; null: none. */
type Body =
  | { readonly json: object }
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly text: string | null; readonly type: string }
  | { readonly bytes: Uint8Array; readonly type: string }

/** The sender: facts about the installation for destinations. */
export interface Sender {
  /** The installation's public address. */
  readonly publicUrl: string
  /** The keys that identify it to browsers' push services. */
  readonly webPushKeys?: { readonly publicKey: string; readonly privateKey: string }
}

/** A sample message, to find out where one would go. */
const probe: Notification = {
  ...{ subject: '', text: '', attachment: null, link: null, serviceId: null },
  ...{ condition: 'test', decidedAt: 0, key: '', threadKey: '' },
}

/** An installation without a name or keys. */
const nobody: Sender = { publicUrl: '' }

/** A request to a destination. */
export type IntegrationRequest = Body & {
  readonly url: string
  /** Default: POST. */
  readonly method?: HttpRequest['method']
  readonly headers?: Readonly<Record<string, string>>
}

/** The meaning of an answer beyond its status; the status decides about absent members. */
export interface Meaning {
  /** False: the message was refused although the status says otherwise. */
  readonly isTaken?: boolean
  /** No retry would succeed. */
  readonly permanent?: boolean
  /** Milliseconds that the destination asked us to wait. */
  readonly retryAfter?: number
  /** The destination's reference to the accepted message, at most 200 characters. */
  readonly reference?: string
  /** The text for people; default: the text of the answer. */
  readonly said?: string
}

interface IntegrationDeclaration<Fields extends FieldDeclarations> {
  /** As in the dictionary `notification_channels`. */
  readonly id: string
  readonly words: Readonly<Record<Language, ElementText>>
  readonly style?: Style
  /** The fields of the channel's addresses. */
  readonly fields: Fields
  /** Fields of which at least one is required. */
  readonly needsOneOf?: readonly (keyof Fields & string)[]
  /** The vendor's address. The variable `<ID>_URL` replaces it. Null: each address names its own server. */
  readonly vendor: string | null
  /** Further addresses of the vendor, by a short name. The variable `<ID>_<NAME>_URL` replaces each. */
  readonly furtherVendors?: Readonly<Record<string, string>>
  /** The destination recognises a repeated message by its key. */
  readonly isIdempotent?: true
  /** Programs read it, or it keeps an incident per service, so every event is sent separately, even in a storm. */
  readonly isForPrograms?: true
  /** Messages without a meaning at the destination end unsent. Default: all are sent. */
  readonly tells?: (notification: Notification) => boolean
  /**
   * The destination hears of acknowledgements. `incident`: its incident is acknowledged. `reply`: only where it has a
   * reference to the message about the failure. Default: it hears nothing of them.
   */
  readonly acknowledgements?: 'incident' | 'reply'
  /** Statuses of a destination that no longer exists: the address is switched off. */
  readonly switchesOff?: readonly number[]
  /** Reports faults of values that are valid by themselves. */
  readonly problems?: (values: FieldValues<Fields>) => readonly FieldProblem[]
  /** The text by which people recognise the address. It holds no secret. */
  readonly label: (values: FieldValues<Fields>) => string
  /** The fields in a URL from the vendor or in Apprise's form; null: the URL belongs to another channel. */
  readonly detect?: ((pasted: URL) => Partial<FieldValues<Fields>> | null) | null
  /** The address that receives the messages. Default: the request's address. */
  readonly goesTo?: (values: FieldValues<Fields>) => string
  readonly request: (notification: Notification, values: FieldValues<Fields>, sender: Sender) => IntegrationRequest
  /**
   * A request that brings an earlier message up to date, before the new one is sent. It may be repeated, and if it
   * fails the new one is sent all the same. Null: nothing to change.
   */
  readonly amend?: (notification: Notification, values: FieldValues<Fields>) => IntegrationRequest | null
  readonly read?: (answer: Answer) => Meaning
}

export interface FieldProblem {
  readonly field: string
  /** The expected value, in words. */
  readonly expected: Readonly<Record<Language, string>>
}

/** A channel whose destination the user names. */
export interface Integration extends Formats {
  readonly channel: Channel
  readonly vendor: string | null
  readonly furtherVendors: Readonly<Record<string, string>>
  readonly isIdempotent: boolean
  readonly acknowledgements: 'incident' | 'reply' | null
  readonly tells: (notification: Notification) => boolean
  readonly fields: readonly (readonly [name: string, field: Field])[]
  readonly needsOneOf: readonly string[]
  readonly problems: (settings: StoredSettings) => readonly FieldProblem[]
  readonly label: (settings: StoredSettings) => string
  readonly detect: ((pasted: URL) => StoredSettings | null) | null
  /** The address that receives the messages. */
  readonly goesTo: (settings: StoredSettings) => string
  readonly request: (notification: Notification, settings: StoredSettings, sender?: Sender) => HttpRequest
  /** A request that brings an earlier message up to date; it may be repeated. Null: nothing to change. */
  readonly amend: (notification: Notification, settings: StoredSettings) => HttpRequest | null
  readonly read: (answer: Answer) => DeliveryOutcome
}

export function integration<const Fields extends FieldDeclarations>(
  declaration: IntegrationDeclaration<Fields>,
): Integration {
  const { id, words, style = 'text', isForPrograms, fields, vendor, isIdempotent, label, detect } = declaration
  const { needsOneOf = [], tells = () => true, switchesOff = [], problems, goesTo, request, amend, read } = declaration
  const { acknowledgements = null, furtherVendors = {} } = declaration
  const named = Object.entries(fields)
  const settings = named.map(([name, { format }]) => ({ ...format, setting_id: name }))
  // Stored values have passed the formats of these fields.
  const valuesOf = (stored: StoredSettings) => effectiveSettings({ settings }, stored) as FieldValues<Fields>
  return {
    channel: { id, words, style, address: null, ...(isForPrograms === undefined ? {} : { isForPrograms }) },
    ...{ vendor, furtherVendors, settings, fields: named },
    isIdempotent: isIdempotent === true,
    ...{ acknowledgements, needsOneOf },
    tells: (notification) => hearsOf(notification, acknowledgements) && tells(notification),
    problems: (stored) => problems?.(valuesOf(stored)) ?? [],
    label: (stored) => oneLine(label(valuesOf(stored)), longestLabel),
    detect: detect === undefined || detect === null ? null : (pasted) => detect(pasted) as StoredSettings | null,
    goesTo: (stored) => goesTo?.(valuesOf(stored)) ?? request(probe, valuesOf(stored), nobody).url,
    request: (notification, stored, sender = nobody) => httpRequest(request(notification, valuesOf(stored), sender)),
    amend(notification, stored) {
      const amending = amend?.(notification, valuesOf(stored)) ?? null
      return amending === null ? null : httpRequest(amending)
    },
    read(answer) {
      const outcome = outcomeOf(answer, words.en.name, read ?? (() => ({})))
      return outcome.status === 'failed' && switchesOff.includes(answer.status) ? { ...outcome, isGone: true } : outcome
    },
  }
}

const longestLabel = 254

function hearsOf({ condition, answers }: Notification, takes: 'incident' | 'reply' | null): boolean {
  if (condition !== 'acknowledgement') return true
  return takes === 'incident' || (takes === 'reply' && answers !== undefined)
}

function httpRequest({ url, method = 'POST', headers = {}, ...given }: IntegrationRequest): HttpRequest {
  const { type, ...content } = written(given)
  const isEmpty = content.body === null && content.bytes === undefined
  return {
    url,
    method,
    headers: { 'User-Agent': 'Latarnik', ...withType(headers, isEmpty ? null : type) },
    ...content,
  }
}

/** The user's own server, without a trailing slash, to be followed by a path. */
export function serverOf(url: string): string {
  return url.replace(/\/+$/, '')
}

export function basicAuthorization(user: string, password: string): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

/** The user's own content type is kept. */
function withType(headers: Readonly<Record<string, string>>, type: string | null): Readonly<Record<string, string>> {
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return isNamed || type === null ? headers : { 'Content-Type': type, ...headers }
}

function written(given: Body): { readonly type: string } & Pick<HttpRequest, 'body' | 'bytes'> {
  if ('bytes' in given) return { type: given.type, body: null, bytes: given.bytes }
  if ('text' in given) return { type: given.type, body: given.text }
  return 'json' in given
    ? { type: 'application/json; charset=utf-8', body: JSON.stringify(given.json) }
    : { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(given.form).toString() }
}

/** True if another try may succeed: too early, too many requests, or the destination's own fault. */
function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500
}

/** The outcome of a message by the answer: its status decides, unless the channel reads more from the answer. */
function outcomeOf(answer: Answer, name: string, read: (answer: Answer) => Meaning): DeliveryOutcome {
  const { status, text } = answer
  const meaning = read(answer)
  const { reference } = meaning
  if (status >= 200 && status < 300 && meaning.isTaken !== false)
    return { status: 'sent', ...(reference === undefined ? {} : { reference: reference.slice(0, 200) }) }
  const passes = isPassing(status)
  const { permanent = !passes, retryAfter = answer.retryAfter, said = text } = meaning
  const shown = oneLine(said, 200)
  return {
    ...{ status: 'failed', permanent, isGatewayDown: passes && !permanent },
    error: `${name} answered ${status}${shown === '' ? '' : `: ${shown}`}`,
    ...(retryAfter === null ? {} : { retryAfter }),
  }
}
