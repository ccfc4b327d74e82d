import type { DeliveryOutcome, Message, Progress, Transport } from '../channels/delivery.ts'
import type { Exchanged } from '../channels/exchanged.ts'
import { integrationOf } from '../channels/index.ts'
import { isNotice } from '../domain/notification/notice.ts'
import type { ClaimedIntent } from './intents.ts'
import { type Attempted, type GoesTo, refusedUnasked, unneeded } from './outbox-message.ts'
import { claimedAt, type Limits, limitMet } from './refusals.ts'
import { switchOff } from './switch-off.ts'

/** The outcome of a message, with what the far end was sent and answered. */
export interface Handed extends Attempted {
  /** Null: no far end of an integration was asked. */
  readonly exchanged: Exchanged | null
}

interface Handing {
  readonly channel: Transport
  /** Its address, its account, and the row that counts as the message. */
  readonly intent: ClaimedIntent
  readonly message: Message
  readonly progress: Progress
}

/** Hands a message to its channel, unless its kind or a limit keeps it back. A far end that is gone is switched off. */
export async function handToChannel(limits: Limits, { channel, intent, message, progress }: Handing): Promise<Handed> {
  if (integrationOf(intent.notification_channel_id)?.tells(message) === false) {
    return { ...unneeded('The channel does not take messages of this kind'), exchanged: null }
  }
  const met = await limitMet(limits, intent)
  if (met !== null) return { ...refusedUnasked(met, message.subject), exchanged: null }
  let exchanged: Exchanged | null = null
  const saw = (seen: Exchanged) => {
    exchanged = seen
  }
  const outcome = await channel.deliver(message, { ...progress, saw })
  if (isNotice(intent.facts) && isGone(outcome)) {
    await switchOff(limits.database, intent, outcome.error, claimedAt(intent))
  }
  return { subject: message.subject, outcome, exchanged }
}

function isGone(outcome: DeliveryOutcome): outcome is DeliveryOutcome & { readonly status: 'failed' } {
  return outcome.status === 'failed' && outcome.isGone === true
}

/** Where it goes, for far ends that users named. */
export function goesTo({ destination, account_id: accountId }: ClaimedIntent): { readonly goesTo?: GoesTo } {
  return destination === null ? {} : { goesTo: { destination: `${destination} ${accountId}`, accountId } }
}
