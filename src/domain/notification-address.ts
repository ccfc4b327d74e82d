import type { notificationChannelIds } from './dictionaries.ts'
import type { PackageLimits } from './limits.ts'
import type { Problem } from './problem.ts'

const mailbox = /^[^\s@<>",;:()]+@[^\s@<>",;:()]+$/
const phoneNumber = /^\+?[0-9][0-9 -]{5,18}[0-9]$/
const accountNumber = /^[0-9]{1,15}$/

const forms: Readonly<Record<(typeof notificationChannelIds)[number], RegExp>> = {
  email: mailbox,
  email_short: mailbox,
  email_extended: mailbox,
  email_dedicated: mailbox,
  jabber: mailbox,
  sms: phoneNumber,
  gadu_gadu: accountNumber,
}

const formOf: ReadonlyMap<string, RegExp> = new Map(Object.entries(forms))

/** How often an address receives the older reports (specification: Periodic report address). */
export const reportFrequencies = ['daily', 'weekly', 'monthly'] as const

/** Reports are sent by e-mail alone. Problems: incorrect_value. */
export function reportAddressProblems(address: string): readonly Problem[] {
  return destinationProblems('email', address)
}

/** Mailboxes to which a finished report is sent. Problems: incorrect_value at each that is none. */
export function mailboxProblems(addresses: readonly string[], pointer: string): readonly Problem[] {
  return addresses.flatMap((address, index) =>
    mailbox.test(address) ? [] : [{ error: 'incorrect_value', field: `${pointer}[${index}]` }],
  )
}

/** Has the address the form of its channel? Problems: incorrect_value. */
export function destinationProblems(channelId: string, address: string): readonly Problem[] {
  return formOf.get(channelId)?.test(address) === false ? [{ error: 'incorrect_value', field: 'data.address' }] : []
}

/** One more SMS number beside `others` of the account. Problems: limit_exceeded. */
export function smsProblems(limits: PackageLimits, others: number): readonly Problem[] {
  const most = limits.maximum_sms_numbers
  if (most === null || others < most) return []
  return [
    {
      error: 'limit_exceeded',
      field: 'data.notification_channel_id',
      facts: { limit: 'maximum_sms_numbers', value: most },
    },
  ]
}
