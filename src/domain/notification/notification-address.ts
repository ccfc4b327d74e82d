import type { PackageLimits } from '../access/limits.ts'
import type { Problem } from '../input/problem.ts'
import { isMailbox, mailboxPattern } from './mailbox.ts'

/** How often an address receives the older periodic reports (specification: Periodic report address). */
export const reportFrequencies = ['daily', 'weekly', 'monthly'] as const

/** Reports are sent by e-mail alone. Problems: incorrect_value. */
export function reportAddressProblems(address: string): readonly Problem[] {
  return mailboxPattern.test(address)
    ? []
    : [{ error: 'incorrect_value', field: 'data.address', facts: { detail: 'email_address' } }]
}

/** Checks the mailboxes that receive a finished report. Problems: incorrect_value at each that is not a mailbox. */
export function mailboxProblems(addresses: readonly string[], pointer: string): readonly Problem[] {
  return addresses.flatMap((address, index) =>
    isMailbox(address)
      ? []
      : [{ error: 'incorrect_value', field: `${pointer}[${index}]`, facts: { detail: 'email_address' } }],
  )
}

/** Checks that one more SMS number fits beside the account's `others`. Problems: limit_exceeded. */
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
