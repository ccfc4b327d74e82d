import { dayLength } from './durations.ts'

/** A code proves that who adds a notification address reads what arrives there. */

/** Eight digits: too many to be found from a slow digest while the code holds. */
export const codeDigits = 8
/** How long a code holds after it was sent, in milliseconds. */
export const codeLife = 30 * 60_000
/** Wrong ones end a code. */
export const maximumTries = 5
/** How far back codes are counted, in milliseconds. */
export const codePeriod = dayLength
/** Codes in that time: to one destination from all accounts, and of one account to all destinations. */
export const maximumCodes = { destination: 5, account: 20 } as const

export interface SentCodes {
  readonly destination: number
  readonly account: number
}

/** The limit that leaves no room for one more code; null: there is room. */
export function codeLimit(sent: SentCodes): number | null {
  if (sent.destination >= maximumCodes.destination) return maximumCodes.destination
  return sent.account >= maximumCodes.account ? maximumCodes.account : null
}

/** The same text for the same telephone, mailbox or account, however it is written. */
export function destinationOf(channelId: string, address: string): string {
  if (channelId === 'sms') return `sms:${address.replaceAll(/\D/g, '').replace(/^00/, '')}`
  // Most mail servers put what has a `+` and a word behind the name into the mailbox of that name.
  if (channelId.startsWith('email')) return `email:${address.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@')}`
  return `${channelId}:${address.toLowerCase()}`
}
