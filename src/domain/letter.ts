/** A mail to the holder of an account with a link, about the account itself; what tells of services is a notice. */
export const letterKinds = ['activation', 'password_reset', 'invitation', 'email_change'] as const
export type LetterKind = (typeof letterKinds)[number]

/** A mail about the account to a mailbox that is its holder's no more; it brings no link. */
export type FarewellKind = 'address_changed'

/** A mail to an account about services that nobody can check until somebody does something about it; it brings no link. */
export type UncheckedKind = 'services_unchecked'

/** What such a letter tells. */
export interface UncheckedFacts {
  /** Those that it names; `reason` says why nobody checks them (domain/unknown-reason.ts). */
  readonly services: readonly { readonly id: number; readonly name: string; readonly reason: string }[]
  readonly count: number
}

/** A mail to an account that has sent as many SMS as it may in a day; it brings no link. */
export type SmsLimitKind = 'sms_limit_reached'

/** What such a letter tells. */
export interface SmsLimitFacts {
  /** SMS a day. */
  readonly limit: number
}

/** A mail to an account that one of its notification addresses was switched off; it brings no link. */
export type AddressOffKind = 'address_switched_off'

/** What such a letter tells. */
export interface AddressOffFacts {
  readonly address: string
  readonly channelId: string
  readonly reason: string
}

/** How long the link in a letter works, in seconds. */
export const linkLifeSeconds: Readonly<Record<LetterKind, number>> = {
  activation: 7 * 86_400,
  password_reset: 3600,
  invitation: 7 * 86_400,
  email_change: 86_400,
}

/** A mail to the administrator about a station: one for each loss, one for each return. */
export type SensorLetterKind = 'sensor_lost' | 'sensor_returned'

/** What such a letter tells. */
export interface SensorLetterFacts {
  readonly sensor: { readonly id: number; readonly name: string; readonly city: string; readonly country: string }
  /** When it last reported in before it was lost. Unix milliseconds. */
  readonly sinceAt: number
  /** When it was heard again; null while it is lost. */
  readonly returnedAt: number | null
  readonly language: AdministratorContact['language']
}

/** A mail to the administrator about a gateway: one when it is down, one when it is back. */
export type GatewayLetterKind = 'gateway_down' | 'gateway_returned'

/** What such a letter tells. */
export interface GatewayLetterFacts {
  /** Named by the notification channel that it is known for. */
  readonly gateway: string
  /** The first failure. Unix milliseconds. */
  readonly sinceAt: number
  /** When it served again; null while it is down. */
  readonly returnedAt: number | null
  /** What it failed with. */
  readonly error: string
  readonly language: AdministratorContact['language']
}

/** Whom the installation tells what concerns no account. */
export interface AdministratorContact {
  /** E-mail addresses; none: it is only logged. */
  readonly addresses: readonly string[]
  readonly language: 'pl' | 'en'
}
