import sql, { type Sql } from 'sql-template-tag'
import type { MailContent, Mailer } from '../channels/email/mail.ts'
import { lettersGateway } from '../channels/index.ts'
import type { Wording } from '../channels/wording.ts'
import type { Database, Executor } from '../database/connect.ts'
import type {
  AddressOffFacts,
  AddressOffKind,
  FarewellKind,
  GatewayLetterFacts,
  GatewayLetterKind,
  LetterKind,
  SensorLetterFacts,
  SensorLetterKind,
  SmsLimitFacts,
  SmsLimitKind,
  UncheckedFacts,
  UncheckedKind,
} from '../domain/letter.ts'
import { timeZoneName } from '../domain/time-zones.ts'
import { languageOf } from '../wording/language.ts'
import { leaseDuration } from './intents.ts'
import {
  wordAddressOff,
  wordFarewell,
  wordGatewayLetter,
  wordLetter,
  wordSensorLetter,
  wordSmsLimit,
  wordUnchecked,
} from './letter-text.ts'
import { type Claim, type ClaimRequest, type Parcel, type Result, refusedUnasked } from './parcel.ts'

export interface LetterOptions {
  readonly database: Database
  /** Where people reach the program, without `/v3`. */
  readonly publicUrl: string
}

/** Letters to account holders, and to the administrator about sensors and gateways. */
export function lettersBy(options: LetterOptions, mailer: Mailer): Claim {
  return async (request) => {
    const letters = await claimLetters(options.database, request)
    return letters.map((letter) => parcelOf(options, mailer, letter, request.now))
  }
}

interface ClaimedRow {
  readonly id: number
  readonly address: string
  readonly attempts: number
  readonly created_at: number
  /** End of the lease; with `attempts` it tells this claim from every other. */
  readonly next_attempt_at: number
  readonly handed_over_at: number | null
}

interface AccountRow extends ClaimedRow {
  readonly sensor_id: null
  readonly gateway_id: null
  readonly account_id: number
  /** Of its link. Null when it has none, or has brought it. */
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
    | { readonly kind: LetterKind | FarewellKind; readonly facts: null }
    | { readonly kind: UncheckedKind; readonly facts: UncheckedFacts }
    | { readonly kind: SmsLimitKind; readonly facts: SmsLimitFacts }
    | { readonly kind: AddressOffKind; readonly facts: AddressOffFacts }
  )

interface SensorLetter extends ClaimedRow {
  readonly sensor_id: number
  readonly gateway_id: null
  readonly kind: SensorLetterKind
  readonly facts: SensorLetterFacts
}

interface GatewayLetter extends ClaimedRow {
  readonly sensor_id: null
  readonly gateway_id: string
  readonly kind: GatewayLetterKind
  readonly facts: GatewayLetterFacts
}

type ClaimedLetter = AccountLetter | SensorLetter | GatewayLetter

function isAboutAccount(letter: ClaimedLetter): letter is AccountLetter {
  return letter.sensor_id === null && letter.gateway_id === null
}

/** Takes due letters for the length of a lease. The return of a sensor or a gateway never overtakes its loss. */
function claimLetters(database: Executor, { now, heldBy, limit }: ClaimRequest): Promise<ClaimedLetter[]> {
  return database.query<ClaimedLetter>(sql`
    with due as (
      select id from letters letter where status = 'pending' and next_attempt_at <= ${new Date(now)}
        and not exists (
          select from letters earlier
          where earlier.sensor_id = letter.sensor_id and earlier.address = letter.address
            and earlier.status = 'pending' and earlier.id < letter.id
        )
        and not exists (
          select from letters earlier
          where earlier.gateway_id = letter.gateway_id and earlier.address = letter.address
            and earlier.status = 'pending' and earlier.id < letter.id
        )
      order by next_attempt_at, id limit ${limit} for update skip locked
    )
    update letters as letter
    set next_attempt_at = ${new Date(now + leaseDuration)}, held_by = ${heldBy},
        attempts = attempts + case when handed_over_at is null then 1 else 0 end
    from due left join lateral (
      select username, language_id, time_zone_id from accounts
      where accounts.id = (select account_id from letters where letters.id = due.id)
    ) reader on true
    where letter.id = due.id
    returning letter.id, account_id, sensor_id, gateway_id, kind, address, token, facts, attempts, created_at, expires_at, next_attempt_at,
      handed_over_at, reader.username, reader.language_id, reader.time_zone_id`)
}

function parcelOf({ database, publicUrl }: LetterOptions, mailer: Mailer, letter: ClaimedLetter, now: number): Parcel {
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
    markHandedOver: (at) => markHandedOver(database, letter, at),
    record: (result, at) => recordResult(database, letter, result, at),
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
    threadKey: threadOf(letter),
    address: letter.address,
    decidedAt: letter.created_at,
    headers: {},
  }
}

/** The same for a loss and the return from it. */
function threadOf(letter: ClaimedLetter): string | null {
  if (isAboutAccount(letter)) return null
  const subject = letter.gateway_id === null ? `sensor-${letter.sensor_id}` : `gateway-${letter.gateway_id}`
  return `${subject}-${letter.facts.sinceAt}`
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
  if (token === null || expiresAt === null) return null
  return wordLetter({ ...reader, kind: letter.kind, token, expiresAt })
}

function isClaim(letter: ClaimedLetter): Sql {
  return sql`id = ${letter.id} and status = 'pending' and attempts = ${letter.attempts}
    and next_attempt_at = ${new Date(letter.next_attempt_at)}`
}

async function markHandedOver(database: Executor, letter: ClaimedLetter, now: number): Promise<boolean> {
  const marked = await database.execute(sql`
    update letters set handed_over_at = ${new Date(now)} where ${isClaim(letter)} and handed_over_at is null`)
  return marked === 1
}

/** What is not going to be sent again needs its token no more. */
async function recordResult(database: Executor, letter: ClaimedLetter, result: Result, now: number): Promise<boolean> {
  const { status, subject, errorMessage, nextAttemptAt } = result
  const isOver = status !== 'pending'
  const recorded = await database.execute(sql`
    update letters
    set status = ${status}, subject = coalesce(${subject}, subject), error_message = ${errorMessage},
        token = case when ${isOver} then null else token end,
        next_attempt_at = ${nextAttemptAt === null ? null : new Date(nextAttemptAt)}, held_by = null,
        handed_over_at = case when ${status === 'sent'} then handed_over_at end,
        finished_at = ${isOver ? new Date(now) : null}
    where ${isClaim(letter)}`)
  return recorded === 1
}
