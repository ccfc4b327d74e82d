import { dayLength, hourLength } from '../calendars/durations.ts'

/** A code proves that the person who adds a notification address reads what arrives there. */

/** Eight digits: too many to be found from a slow digest while the code is valid. */
export const codeDigits = 8
/** The life of a code after it was sent, in milliseconds. */
export const codeLife = 30 * 60_000
/** This many wrong tries end a code. */
export const maximumTries = 5
/** The period in which the codes of one account are counted, in milliseconds. */
export const codePeriod = dayLength
/**
 * The period in which codes to one destination are counted, over all accounts, in milliseconds. Filling this limit
 * locks others out for no longer than this.
 */
export const crowdPeriod = hourLength
/**
 * The largest counts of codes in those periods. `own`: one account to one destination; `crowd`: all accounts to it;
 * `account`: one account to all destinations.
 */
export const maximumCodes = { own: 5, crowd: 5, account: 20 } as const

/** The codes that were sent to a destination, the next one included. */
export interface SentCodes {
  readonly own: number
  readonly crowd: number
  readonly account: number
  /** True if the destination is the account's own e-mail address. */
  readonly isOwnMailbox: boolean
}

export interface CodeLimit {
  readonly value: number
  readonly period: '1 h' | '24 h'
}

/**
 * The limit that leaves no room for one more code; null if there is room. Other accounts never block an account's own
 * mailbox.
 */
export function codeLimit({ own, crowd, account, isOwnMailbox }: SentCodes): CodeLimit | null {
  if (own >= maximumCodes.own) return { value: maximumCodes.own, period: '24 h' }
  if (account >= maximumCodes.account) return { value: maximumCodes.account, period: '24 h' }
  return crowd >= maximumCodes.crowd && !isOwnMailbox ? { value: maximumCodes.crowd, period: '1 h' } : null
}
