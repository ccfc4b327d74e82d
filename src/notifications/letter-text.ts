import { channelOf } from '../channels/index.ts'
import type { Wording } from '../channels/wording.ts'
import type {
  AddressOffFacts,
  AdministratorContact,
  DiskLetterKind,
  GatewayLetterFacts,
  GatewayLetterKind,
  LetterKind,
  SecurityFacts,
  SensorLetterFacts,
  SensorLetterKind,
  SmsLimitFacts,
  UncheckedFacts,
} from '../domain/notification/letter.ts'
import { oneLine } from '../domain/text/one-line.ts'
import { deliveryErrorText } from '../wording/delivery-errors.ts'
import { fill } from '../wording/fill.ts'
import type { Language } from '../wording/language.ts'
import { formatMoment } from '../wording/moments.ts'
import { catalogues } from '../wording/texts.ts'
import { unknownReasonText } from '../wording/unknown-reasons.ts'

interface Reader {
  readonly accountId: number
  readonly username: string
  /** Where people reach the program, without `/v3`. */
  readonly publicUrl: string
  readonly language: Language
  /** IANA name. */
  readonly zone: string
}

export interface LetterFacts extends Reader {
  readonly kind: LetterKind
  readonly token: string
  readonly expiresAt: number
  /** The page that the link leads to; null: our own. */
  readonly page?: string | null
}

/** Words a letter as plain text. */
export function wordLetter(letter: LetterFacts): Wording {
  const texts = catalogues[letter.language].letters[letter.kind]
  const facts = {
    username: letter.username,
    link: linkOf(letter),
    until: `${formatMoment(letter.expiresAt, letter.zone)} (${letter.zone})`,
  }
  return { subject: fill([texts.subject], facts), text: `${fill([texts.text], facts)}\n`, attachment: null }
}

/** Words what the old mailbox is told. The new one is not named: the old one may be somebody else's by now. */
export function wordFarewell({
  username,
  language,
  zone,
  changedAt,
}: Reader & { readonly changedAt: number }): Wording {
  const { subject, text } = catalogues[language].letters.address_changed
  const facts = { username, changed: `${formatMoment(changedAt, zone)} (${zone})` }
  return { subject: fill([subject], facts), text: `${fill([text], facts)}\n`, attachment: null }
}

/** Words which of an account's services nobody checks, and why. */
export function wordUnchecked({ username, language }: Reader, { services, count }: UncheckedFacts): Wording {
  const { subject, text } = catalogues[language].letters.services_unchecked
  const lines = services.map(
    ({ id, name, reason }) => `- ${oneLine(name, 200)} (${id}): ${unknownReasonText(reason, language)}`,
  )
  const rest = count > services.length ? [`… +${count - services.length}`] : []
  const facts = { username, count, services: [...lines, ...rest].join('\n') }
  return { subject: fill([subject], facts), text: `${fill([text], facts)}\n`, attachment: null }
}

/** Words that somebody added a passkey to the account. */
export function wordPasskey(
  { username, language, zone, addedAt }: Reader & { readonly addedAt: number },
  { name }: SecurityFacts,
): Wording {
  const { subject, text } = catalogues[language].letters.passkey_added
  const facts = { username, name: oneLine(name, 200), added: `${formatMoment(addedAt, zone)} (${zone})` }
  return { subject: fill([subject], facts), text: `${fill([text], facts)}\n`, attachment: null }
}

/** Words that an account has sent as many SMS as it may today. */
export function wordSmsLimit({ username, language }: Reader, { limit }: SmsLimitFacts): Wording {
  const { subject, text } = catalogues[language].letters.sms_limit_reached
  const facts = { username, limit }
  return { subject: fill([subject], facts), text: `${fill([text], facts)}\n`, attachment: null }
}

/** Words that an address is told nothing more. */
export function wordAddressOff(
  { username, language }: Reader,
  { address, channelId, reason }: AddressOffFacts,
): Wording {
  const { subject, text } = catalogues[language].letters.address_switched_off
  const channel = channelOf(channelId).words[language].name
  const facts = { username, channel, address: oneLine(address, 200), reason: deliveryErrorText(reason, language) }
  return { subject: fill([subject], facts), text: `${fill([text], facts)}\n`, attachment: null }
}

/** Each leads to a page with a form: programs that follow links in mails change nothing. */
const linkPaths: Readonly<Record<LetterKind, string>> = {
  activation: '/activate',
  password_reset: '/password',
  invitation: '/password',
  email_change: '/email',
}

function linkOf({ kind, token, publicUrl, page = null }: LetterFacts): string {
  if (page !== null) {
    const url = new URL(page)
    url.searchParams.set('token', token)
    return url.href
  }
  return `${publicUrl.replace(/\/+$/, '')}${linkPaths[kind]}?token=${token}`
}

/** Words what the administrator reads of a station. The installation has no time zone: its moments are UTC. */
export function wordSensorLetter(
  kind: SensorLetterKind,
  { sensor, sinceAt, returnedAt, language }: SensorLetterFacts,
): Wording {
  const texts = catalogues[language].letters[kind]
  const moment = (at: number) => formatMoment(at, 'UTC')
  const facts = {
    id: sensor.id,
    sensor: [sensor.name, sensor.city, sensor.country].filter((part) => part !== '').join(', '),
    since: moment(sinceAt),
    returned: returnedAt === null ? null : moment(returnedAt),
  }
  return { subject: fill([texts.subject], facts), text: `${fill([texts.text], facts)}\n`, attachment: null }
}

/** Words what the administrator reads of a gateway, in UTC. */
export function wordGatewayLetter(
  kind: GatewayLetterKind,
  { gateway, sinceAt, returnedAt, error, language }: GatewayLetterFacts,
): Wording {
  const { letters } = catalogues[language]
  const facts = {
    gateway: channelOf(gateway).words[language].name,
    since: formatMoment(sinceAt, 'UTC'),
    returned: returnedAt === null ? null : formatMoment(returnedAt, 'UTC'),
    error: oneLine(error, 500),
  }
  const { subject, text } = letters[kind]
  return { subject: fill([subject], facts), text: `${fill([text], facts)}\n`, attachment: null }
}

/** The facts of a mail about the disk; each process tells its own, since nothing can be stored. */
export interface DiskLetterFacts {
  readonly sinceAt: number
  /** When work on the database succeeded again; null while the disk is full. */
  readonly returnedAt: number | null
  readonly machine: string
  readonly process: number
}

/** Words what the administrator reads of a full disk, in UTC. */
export function wordDiskLetter(
  kind: DiskLetterKind,
  { sinceAt, returnedAt, ...rest }: DiskLetterFacts,
  language: AdministratorContact['language'],
): Wording {
  const { subject, text } = catalogues[language].letters[kind]
  const facts = {
    ...rest,
    since: formatMoment(sinceAt, 'UTC'),
    returned: returnedAt === null ? null : formatMoment(returnedAt, 'UTC'),
  }
  return { subject: fill([subject], facts), text: `${fill([text], facts)}\n`, attachment: null }
}
