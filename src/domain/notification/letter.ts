/** A mail with a link to the holder of an account, about the account itself. Messages about services are notices. */
export const letterKinds = ['activation', 'password_reset', 'invitation', 'email_change'] as const
export type LetterKind = (typeof letterKinds)[number]

/** A mail about the account to a mailbox that its holder has just given up; it has no link. */
export type FarewellKind = 'address_changed'

/** A mail to an account about its credentials; it has no link. */
export type SecurityKind = 'passkey_added'

/** The facts of such a mail. */
export interface SecurityFacts {
  /** The name that the person gave to the passkey. */
  readonly name: string
}

/** A mail to an account about services that cannot be checked until somebody acts; it has no link. */
export type UncheckedKind = 'services_unchecked'

/** The facts of such a mail. */
export interface UncheckedFacts {
  /** The services that the mail names; `reason` says why nobody checks them (domain/judging/unknown-reason.ts). */
  readonly services: readonly { readonly id: number; readonly name: string; readonly reason: string }[]
  readonly count: number
}

/** A mail to an account that has reached its daily limit of SMS; it has no link. */
export type SmsLimitKind = 'sms_limit_reached'

/** The facts of such a mail. */
export interface SmsLimitFacts {
  /** The limit of SMS per day. */
  readonly limit: number
}

/** A mail to an account whose notification address was switched off; it has no link. */
export type AddressOffKind = 'address_switched_off'

/** The facts of such a mail. */
export interface AddressOffFacts {
  readonly address: string
  readonly channelId: string
  readonly reason: string
}

/** How long the link in a mail works, in seconds. */
export const linkLifeSeconds: Readonly<Record<LetterKind, number>> = {
  activation: 7 * 86_400,
  password_reset: 3600,
  invitation: 7 * 86_400,
  email_change: 86_400,
}

/** A mail to the administrator about a station: one for each loss, one for each return. */
export type SensorLetterKind = 'sensor_lost' | 'sensor_returned'

/** The facts of such a mail. */
export interface SensorLetterFacts {
  readonly sensor: { readonly id: number; readonly name: string; readonly city: string; readonly country: string }
  /** The station's last report before it was lost. Unix milliseconds. */
  readonly sinceAt: number
  /** When the station reported again; null while it is lost. */
  readonly returnedAt: number | null
  readonly language: AdministratorContact['language']
}

/** A mail to the administrator about a gateway: one when it is down, one when it is back. */
export type GatewayLetterKind = 'gateway_down' | 'gateway_returned'

/** The facts of such a mail. */
export interface GatewayLetterFacts {
  /** The notification channel that the gateway serves. */
  readonly gateway: string
  /** When the first failure happened. Unix milliseconds. */
  readonly sinceAt: number
  /** When the gateway served again; null while it is down. */
  readonly returnedAt: number | null
  /** The gateway's error. */
  readonly error: string
  readonly language: AdministratorContact['language']
}

/** A mail to the administrator about the disk of the database: one when it is full, one when it has room again. */
export type DiskLetterKind = 'disk_full' | 'disk_has_room'

/** The recipients of messages that concern no single account. */
export interface AdministratorContact {
  /** E-mail addresses; if there are none, such messages are only logged. */
  readonly addresses: readonly string[]
  readonly language: 'pl' | 'en'
}
