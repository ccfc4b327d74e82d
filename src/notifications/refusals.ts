import { channelOf } from '../channels/index.ts'
import type { Database } from '../database/connect.ts'
import { countSms } from '../database/sms-days.ts'
import { leaseDuration } from '../outbox/claims.ts'
import { noAddress } from '../outbox/intents.ts'
import type { ClaimedIntent } from './intents.ts'
import { patience } from './retry.ts'

export interface Limits {
  readonly database: Database
  /** SMS that an account may send a day; none: no limit. */
  readonly smsLimit?: number
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

/** Each SMS is counted once, with its first attempt: what is tried again costs the account no second one. */
export async function mayBeSent({ database, smsLimit }: Limits, intent: ClaimedIntent) {
  if (
    channelOf(intent.notification_channel_id).isMetered !== true ||
    smsLimit === undefined ||
    intent.sms_counted_at !== null
  )
    return true
  return countSms(database, intent, smsLimit, claimedAt(intent))
}

export function tooMany({ smsLimit }: Limits): string {
  return `The account has sent as many SMS today (UTC) as it may: ${smsLimit}`
}

function tooLate({ error_message: last }: ClaimedIntent): string {
  return `It could not be delivered within 24 hours${last === null ? '' : `: ${last}`}`
}
