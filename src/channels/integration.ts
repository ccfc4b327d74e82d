import { effectiveSettings, type Formats, type StoredSettings } from '../domain/extended-settings.ts'
import { oneLine } from '../domain/one-line.ts'
import type { Answer, HttpRequest } from '../outgoing/exchange.ts'
import type { ElementText } from '../wording/catalogue.ts'
import type { Language } from '../wording/language.ts'
import type { Channel, Style } from './declare.ts'
import type { Message, Outcome } from './delivery.ts'
import type { Field, FieldDeclarations, FieldValues } from './fields.ts'

/** Where a message goes, as its sender made it. */
export type Notification = Omit<Message, 'channelId' | 'address' | 'settings' | 'html' | 'picture'> & {
  /** When this attempt is made, Unix milliseconds. Default: when the message was decided. */
  readonly sentAt?: number
}

/** The body: an object sent as JSON, the fields of a form, or a text or bytes of a type; null: none. */
type Body =
  | { readonly json: object }
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly text: string | null; readonly type: string }
  | { readonly bytes: Uint8Array; readonly type: string }

/** Who sends: what far ends are told of the installation. */
export interface Sender {
  /** Where people reach the installation. */
  readonly publicUrl: string
  /** What push services of browsers know it by. */
  readonly webPushKeys?: { readonly publicKey: string; readonly privateKey: string }
}

/** Tells where a message would go. */
const probe: Notification = {
  ...{ subject: '', text: '', attachment: null, link: null, serviceId: null },
  ...{ condition: 'test', decidedAt: 0, key: '', threadKey: '' },
}

/** An installation without a name or keys. */
const nobody: Sender = { publicUrl: '' }

/** What is sent. */
export type IntegrationRequest = Body & {
  readonly url: string
  /** Default: POST. */
  readonly method?: HttpRequest['method']
  readonly headers?: Readonly<Record<string, string>>
}

/** What an answer says beyond its status; what is left out, the status says. */
export interface Meaning {
  /** False: the message was not taken, though the status says so. */
  readonly isTaken?: boolean
  /** No other attempt would fare better. */
  readonly permanent?: boolean
  /** Milliseconds that the far end asked to be left alone for. */
  readonly retryAfter?: number
  /** What the far end calls the message that it took, at most 200 characters. */
  readonly reference?: string
  /** What people read of it; default: the text of the answer. */
  readonly said?: string
}

interface IntegrationDeclaration<Fields extends FieldDeclarations> {
  /** As in the dictionary `notification_channels` (extensions §4). */
  readonly id: string
  readonly words: Readonly<Record<Language, ElementText>>
  readonly style?: Style
  /** What an address of the channel consists of. */
  readonly fields: Fields
  /** Fields of which one is needed at least. */
  readonly needsOneOf?: readonly (keyof Fields & string)[]
  /** Where the vendor takes messages. The variable `<ID>_URL` names another place. Null: each address names its own server. */
  readonly vendor: string | null
  /** The same message twice is one message there, by its key. */
  readonly isIdempotent?: true
  /** Programs read it, or it keeps an incident for each service: every event goes by itself, even in a storm. */
  readonly isForPrograms?: true
  /** Messages that have no meaning there end unsent. Default: all are sent. */
  readonly tells?: (notification: Notification) => boolean
  /** Statuses that say that the far end is gone: the address is switched off. */
  readonly switchesOff?: readonly number[]
  /** What is wrong with values that are right by themselves. */
  readonly problems?: (values: FieldValues<Fields>) => readonly FieldProblem[]
  /** What people recognise the address by. Holds no secret. */
  readonly label: (values: FieldValues<Fields>) => string
  /** The fields that an address holds that the vendor, or Apprise, hands out; null: it is none of this channel. */
  readonly detect?: ((pasted: URL) => Partial<FieldValues<Fields>> | null) | null
  /** The address that messages go to. Default: that of the request. */
  readonly goesTo?: (values: FieldValues<Fields>) => string
  readonly request: (notification: Notification, values: FieldValues<Fields>, sender: Sender) => IntegrationRequest
  readonly read?: (answer: Answer) => Meaning
}

export interface FieldProblem {
  readonly field: string
  /** What is expected instead, for the user. */
  readonly expected: Readonly<Record<Language, string>>
}

/** A channel whose far end the user names. */
export interface Integration extends Formats {
  readonly channel: Channel
  readonly vendor: string | null
  readonly isIdempotent: boolean
  readonly tells: (notification: Notification) => boolean
  readonly fields: readonly (readonly [name: string, field: Field])[]
  readonly needsOneOf: readonly string[]
  readonly problems: (settings: StoredSettings) => readonly FieldProblem[]
  readonly label: (settings: StoredSettings) => string
  readonly detect: ((pasted: URL) => StoredSettings | null) | null
  /** The address that messages go to. */
  readonly goesTo: (settings: StoredSettings) => string
  readonly request: (notification: Notification, settings: StoredSettings, sender?: Sender) => HttpRequest
  readonly read: (answer: Answer) => Outcome
}

export function integration<const Fields extends FieldDeclarations>(
  declaration: IntegrationDeclaration<Fields>,
): Integration {
  const { id, words, style = 'text', isForPrograms, fields, vendor, isIdempotent, label, detect } = declaration
  const { needsOneOf = [], tells = () => true, switchesOff = [], problems, goesTo, request, read } = declaration
  const named = Object.entries(fields)
  const settings = named.map(([name, { format }]) => ({ ...format, setting_id: name }))
  // What is stored has passed the formats of these fields.
  const valuesOf = (stored: StoredSettings) => effectiveSettings({ settings }, stored) as FieldValues<Fields>
  return {
    channel: { id, words, style, address: null, ...(isForPrograms === undefined ? {} : { isForPrograms }) },
    ...{ vendor, settings, fields: named },
    isIdempotent: isIdempotent === true,
    ...{ tells, needsOneOf },
    problems: (stored) => problems?.(valuesOf(stored)) ?? [],
    label: (stored) => oneLine(label(valuesOf(stored)), longestLabel),
    detect: detect === undefined || detect === null ? null : (pasted) => detect(pasted) as StoredSettings | null,
    goesTo: (stored) => goesTo?.(valuesOf(stored)) ?? request(probe, valuesOf(stored), nobody).url,
    request(notification, stored, sender = nobody) {
      const { url, method = 'POST', headers = {}, ...given } = request(notification, valuesOf(stored), sender)
      const { type, ...content } = written(given)
      const isEmpty = content.body === null && content.bytes === undefined
      return {
        url,
        method,
        headers: { 'User-Agent': 'Latarnik', ...withType(headers, isEmpty ? null : type) },
        ...content,
      }
    },
    read(answer) {
      const outcome = outcomeOf(answer, words.en.name, read ?? (() => ({})))
      return outcome.status === 'failed' && switchesOff.includes(answer.status) ? { ...outcome, isGone: true } : outcome
    },
  }
}

const longestLabel = 254

/** The server that a user named, in front of a path. */
export function serverOf(url: string): string {
  return url.replace(/\/+$/, '')
}

export function basicAuthorization(user: string, password: string): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

/** A type that the user named stays as it is. */
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

/** Too early, too many, or the far end's own trouble: another time it may work. */
function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500
}

/** What an answer says of a message (channels.md, Outcomes). */
function outcomeOf(answer: Answer, name: string, read: (answer: Answer) => Meaning): Outcome {
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
