import sql from 'sql-template-tag'
import type { MailContent, Mailer, MailThread } from '../channels/email/mail.ts'
import { lettersGateway } from '../channels/index.ts'
import type { Wording } from '../channels/wording.ts'
import type { Database, Executor } from '../database/connect.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import type {
  AddressOffFacts,
  AddressOffKind,
  FarewellKind,
  GatewayLetterFacts,
  GatewayLetterKind,
  LetterKind,
  SecurityFacts,
  SecurityKind,
  SensorLetterFacts,
  SensorLetterKind,
  SmsLimitFacts,
  SmsLimitKind,
  UncheckedFacts,
  UncheckedKind,
} from '../domain/notification/letter.ts'
import type { ClaimRequest } from '../outbox/claims.ts'
import { type ClaimedMessage, claiming, endingOf } from '../outbox/messages.ts'
import { languageOf } from '../wording/language.ts'
import {
  wordAddressOff,
  wordFarewell,
  wordGatewayLetter,
  wordLetter,
  wordPasskey,
  wordSensorLetter,
  wordSmsLimit,
  wordUnchecked,
} from './letter-text.ts'
import { type ClaimMessages, type OutboxMessage, refusedUnasked } from './outbox-message.ts'

export interface LetterOptions {
  readonly database: Database
  /** Where people reach the program, without `/v3`. */
  readonly publicUrl: string
}

/** Letters to account holders, and to the administrator about sensors and gateways. */
export function lettersBy(options: LetterOptions, mailer: Mailer): ClaimMessages {
  return async (request) => {
    const letters = await claimLetters(options.database, request)
    return letters.map((letter) => outboxMessageOf(options, mailer, letter, request.now))
  }
}

interface AccountRow extends ClaimedMessage {
  readonly sensor_id: null
  readonly gateway_id: null
  readonly account_id: number
  /** The token of its link. Null if it has no link, or has delivered it. */
  readonly token: string | null
  /** Null when it brings no link. */
  readonly expires_at: number | null
  /** Null when the account is gone. */
  readonly username: string | null
  readonly language_id: string | null
  readonly time_zone_id: string | null
}

type AccountLetter = AccountRow &
  (
    | { readonly kind: LetterKind | FarewellKind; readonly facts: { readonly page: string } | null }
    | { readonly kind: UncheckedKind; readonly facts: UncheckedFacts }
    | { readonly kind: SmsLimitKind; readonly facts: SmsLimitFacts }
    | { readonly kind: AddressOffKind; readonly facts: AddressOffFacts }
    | { readonly kind: SecurityKind; readonly facts: SecurityFacts }
  )

interface SensorLetter extends ClaimedMessage {
  readonly sensor_id: number
  readonly gateway_id: null
  readonly kind: SensorLetterKind
  readonly facts: SensorLetterFacts
}

interface GatewayLetter extends ClaimedMessage {
  readonly sensor_id: null
  readonly gateway_id: string
  readonly kind: GatewayLetterKind
  readonly facts: GatewayLetterFacts
}

type ClaimedLetter = AccountLetter | SensorLetter | GatewayLetter

function isAboutAccount(letter: ClaimedLetter): letter is AccountLetter {
  return letter.sensor_id === null && letter.gateway_id === null
}

function claimLetters(database: Executor, request: ClaimRequest): Promise<ClaimedLetter[]> {
  return database.query<ClaimedLetter>(sql`
    with ${claiming('letter', request)}
    select claimed.id, account_id, sensor_id, gateway_id, kind, address, token, facts, attempts, claimed.created_at, expires_at,
      next_attempt_at, handed_over_at, reader.username, reader.language_id, reader.time_zone_id
    from claimed left join accounts reader on reader.id = claimed.account_id`)
}

function outboxMessageOf(
  { database, publicUrl }: LetterOptions,
  mailer: Mailer,
  letter: ClaimedLetter,
  now: number,
): OutboxMessage {
  return {
    what: 'letter',
    channel: lettersGateway.id,
    analysis: null,
    identity: { letter_id: letter.id, ...subjectOf(letter), kind: letter.kind },
    attempts: letter.attempts,
    createdAt: letter.created_at,
    handedOverAt: letter.handed_over_at,
    async send(progress) {
      if (isAboutAccount(letter) && letter.expires_at !== null && letter.expires_at <= now) {
        return refusedUnasked('The link in it has expired')
      }
      const content = contentOf(letter, publicUrl)
      if (content === null) return refusedUnasked('The account no longer exists')
      return { subject: content.subject, outcome: await mailer.send(content, progress) }
    },
    ...endingOf(database, letter),
  }
}

function subjectOf(letter: ClaimedLetter) {
  if (isAboutAccount(letter)) return { account_id: letter.account_id }
  return letter.gateway_id === null ? { sensor_id: letter.sensor_id } : { gateway_id: letter.gateway_id }
}

function contentOf(letter: ClaimedLetter, publicUrl: string): MailContent | null {
  const worded = wordingOf(letter, publicUrl)
  if (worded === null) return null
  return {
    ...worded,
    key: `letter-${letter.id}`,
    thread: threadOf(letter),
    address: letter.address,
    decidedAt: letter.created_at,
    headers: {},
  }
}

/** The return from a loss answers the letter of the loss. */
function threadOf(letter: ClaimedLetter): MailThread | null {
  if (isAboutAccount(letter)) return null
  const subject = letter.gateway_id === null ? `sensor-${letter.sensor_id}` : `gateway-${letter.gateway_id}`
  const isLoss = letter.kind === 'sensor_lost' || letter.kind === 'gateway_down'
  return { kind: isLoss ? 'first' : 'answer', key: `${subject}-${letter.facts.sinceAt}-${letter.address}` }
}

/** Null: the account is gone. */
function wordingOf(letter: ClaimedLetter, publicUrl: string): Wording | null {
  if (isAboutAccount(letter)) return accountWording(letter, publicUrl)
  if (letter.gateway_id !== null) return wordGatewayLetter(letter.kind, letter.facts)
  return wordSensorLetter(letter.kind, letter.facts)
}

function accountWording(letter: AccountLetter, publicUrl: string): Wording | null {
  const { username, token, language_id, time_zone_id, expires_at: expiresAt } = letter
  if (username === null) return null
  const reader = {
    accountId: letter.account_id,
    username,
    publicUrl,
    language: languageOf(language_id),
    zone: timeZoneName(time_zone_id ?? '') ?? 'UTC',
  }
  if (letter.kind === 'address_changed') return wordFarewell({ ...reader, changedAt: letter.created_at })
  if (letter.kind === 'services_unchecked') return wordUnchecked(reader, letter.facts)
  if (letter.kind === 'sms_limit_reached') return wordSmsLimit(reader, letter.facts)
  if (letter.kind === 'address_switched_off') return wordAddressOff(reader, letter.facts)
  if (letter.kind === 'passkey_added') return wordPasskey({ ...reader, addedAt: letter.created_at }, letter.facts)
  if (token === null || expiresAt === null) return null
  return wordLetter({ ...reader, kind: letter.kind, token, expiresAt, page: letter.facts?.page ?? null })
}
