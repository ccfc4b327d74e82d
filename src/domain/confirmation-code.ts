import { dayLength, hourLength } from './durations.ts'

/** A code proves that who adds a notification address reads what arrives there. */

/** Eight digits: too many to be found from a slow digest while the code holds. */
export const codeDigits = 8
/** How long a code holds after it was sent, in milliseconds. */
export const codeLife = 30 * 60_000
/** Wrong ones end a code. */
export const maximumTries = 5
/** How far back codes of one account are counted, in milliseconds. */
export const codePeriod = dayLength
/** How far back codes to one destination are counted, whosever they are: who fills it locks nobody out for longer. In milliseconds. */
export const crowdPeriod = hourLength
/** Codes in those times: of one account to one destination, of all accounts to it, of one account to all destinations. */
export const maximumCodes = { own: 5, crowd: 5, account: 20 } as const

/** What was sent to a destination, or is about to be. */
export interface SentCodes {
  readonly own: number
  readonly crowd: number
  readonly account: number
  /** The destination is the e-mail address of the account itself. */
  readonly isOwnMailbox: boolean
}

export interface CodeLimit {
  readonly value: number
  readonly period: '1 h' | '24 h'
}

/** The limit that leaves no room for one more code; null: there is room. What others do leaves an account its own mailbox. */
export function codeLimit({ own, crowd, account, isOwnMailbox }: SentCodes): CodeLimit | null {
  if (own >= maximumCodes.own) return { value: maximumCodes.own, period: '24 h' }
  if (account >= maximumCodes.account) return { value: maximumCodes.account, period: '24 h' }
  return crowd >= maximumCodes.crowd && !isOwnMailbox ? { value: maximumCodes.crowd, period: '1 h' } : null
}
