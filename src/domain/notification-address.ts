import type { notificationChannelIds } from './dictionaries.ts'
import { jabberPattern } from './jabber-address.ts'
import type { PackageLimits } from './limits.ts'
import { isMailbox, mailboxPattern } from './mailbox.ts'
import type { Problem } from './problem.ts'
import type { ProblemDetail } from './problem-codes.ts'

interface Form {
  readonly pattern: RegExp
  readonly detail: ProblemDetail
}

const email: Form = { pattern: mailboxPattern, detail: 'email_address' }

const forms: Readonly<Record<(typeof notificationChannelIds)[number], Form>> = {
  email,
  email_short: email,
  email_extended: email,
  email_dedicated: email,
  jabber: { pattern: jabberPattern, detail: 'jabber_address' },
  sms: { pattern: /^\+?[0-9][0-9 -]{5,18}[0-9]$/, detail: 'phone_number' },
  gadu_gadu: { pattern: /^[0-9]{1,15}$/, detail: 'account_number' },
}

const formOf: ReadonlyMap<string, Form> = new Map(Object.entries(forms))

/** How often an address receives the older reports (specification: Periodic report address). */
export const reportFrequencies = ['daily', 'weekly', 'monthly'] as const

/** Reports are sent by e-mail alone. Problems: incorrect_value. */
export function reportAddressProblems(address: string): readonly Problem[] {
  return destinationProblems('email', address)
}

/** Mailboxes to which a finished report is sent. Problems: incorrect_value at each that is none. */
export function mailboxProblems(addresses: readonly string[], pointer: string): readonly Problem[] {
  return addresses.flatMap((address, index) =>
    isMailbox(address)
      ? []
      : [{ error: 'incorrect_value', field: `${pointer}[${index}]`, facts: { detail: email.detail } }],
  )
}

/** Has the address the form of its channel? Problems: incorrect_value. */
export function destinationProblems(channelId: string, address: string): readonly Problem[] {
  const form = formOf.get(channelId)
  if (form === undefined || form.pattern.test(address)) return []
  return [{ error: 'incorrect_value', field: 'data.address', facts: { detail: form.detail } }]
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
