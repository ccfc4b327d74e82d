import { channelOf } from '../channels/index.ts'
import { countSms } from '../database/accounts/sms-days.ts'
import type { Database } from '../database/connect.ts'
import { leaseDuration } from '../outbox/claims.ts'
import { noAddress } from '../outbox/intents.ts'
import type { ClaimedIntent } from './intents.ts'
import type { NotifierLog } from './notifier-log.ts'
import { patience } from './retry.ts'

export interface Limits {
  readonly database: Database
  /** SMS that an account may send a day; none: no limit. */
  readonly smsLimit?: number
  /** SMS that all accounts together may send a day; none: no limit. */
  readonly smsDaily?: number | undefined
  readonly log: NotifierLog
}

/** When it was claimed: the lease tells it. */
export function claimedAt({ next_attempt_at: leaseEndsAt }: ClaimedIntent): number {
  return leaseEndsAt - leaseDuration
}

export function isTooLate(intent: ClaimedIntent): boolean {
  return claimedAt(intent) - intent.created_at >= patience
}

/** Why it must not be sent any more. */
export function refusalOf(intent: ClaimedIntent): string | null {
  if (isTooLate(intent)) return tooLate(intent)
  if (intent.is_enabled === false && intent.facts.condition !== 'test') return 'The address is switched off'
  if (intent.settings === null && intent.destination !== null) return 'The address was removed or changed'
  const isForAnybody = intent.facts.condition === 'confirmation'
  if (isOfRemovedContact(intent) && !isForAnybody) return 'The address was removed or changed'
  return intent.is_unconfirmed === true && !isForAnybody ? 'The address is not confirmed' : null
}

/** The contact was deleted since, or this address of it. A trial has no saved address. */
function isOfRemovedContact({ contact_id: contactId, address_id: addressId, is_enabled: isEnabled }: ClaimedIntent) {
  return contactId !== null && addressId !== noAddress && isEnabled === null
}

/**
 * Why a limit keeps the message back; null: it may be sent. Each SMS is counted once, with its first attempt: what is
 * tried again costs the account no second one.
 */
export async function limitMet(limits: Limits, intent: ClaimedIntent): Promise<string | null> {
  const { database, smsLimit, smsDaily } = limits
  const isMetered = channelOf(intent.notification_channel_id).isMetered === true
  if (!isMetered || smsLimit === undefined || intent.sms_counted_at !== null) return null
  const met = await countSms(database, intent, { perAccount: smsLimit, inAll: smsDaily }, claimedAt(intent))
  if (met === null) return null
  if (met.of === 'account') return `The account has sent as many SMS today (UTC) as it may: ${smsLimit}`
  if (met.isFirst) {
    limits.log.warn({ limit: smsDaily }, 'All accounts together have sent as many SMS today (UTC) as SMS_DAILY allows')
  }
  return `All accounts together have sent as many SMS today (UTC) as they may: ${smsDaily}`
}

function tooLate({ error_message: last }: ClaimedIntent): string {
  return `It could not be delivered within 24 hours${last === null ? '' : `: ${last}`}`
}
