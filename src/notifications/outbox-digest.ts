import type { Transport } from '../channels/delivery.ts'
import type { Exchanged } from '../channels/exchanged.ts'
import { digestOf } from './digest-message.ts'
import { goesTo, handToChannel } from './hand-to-channel.ts'
import { type ClaimedIntent, markHandedOver, recordDeliveries } from './intents.ts'
import { type OutboxMessage, refusedUnasked } from './outbox-message.ts'
import type { Diagnose } from './reader.ts'
import { type Limits, refusalOf } from './refusals.ts'

export interface DigestOptions extends Limits {
  readonly publicUrl: string
  readonly diagnose: Diagnose
}

/** At least two events of one condition for one address, in the order of the log; all were claimed at once. */
export type Gathered = readonly [ClaimedIntent, ClaimedIntent, ...ClaimedIntent[]]

/** Several events that go to one address as one message: handed over together, and ended together. */
export function outboxDigest(options: DigestOptions, channel: Transport, intents: Gathered): OutboxMessage {
  const { database } = options
  const [first] = intents
  const { notification_channel_id: channelId, address_id } = first
  let exchanged: Exchanged | null = null
  let reference: string | null = null
  // An SMS that an earlier attempt has counted is not counted again.
  const countedAt = intents.find(({ sms_counted_at: at }) => at !== null)?.sms_counted_at ?? null
  return {
    what: 'notification',
    channel: channelId,
    analysis: null,
    identity: { digest: intents.length, event_id: first.event_id, address_id, notification_channel_id: channelId },
    ...goesTo(first),
    attempts: first.attempts,
    createdAt: first.created_at,
    handedOverAt: null,
    async send(progress) {
      const refusal = refusalOf(first)
      if (refusal !== null) return refusedUnasked(refusal)
      const message = digestOf(intents, options)
      if (message === null) return refusedUnasked('The account no longer exists')
      const counted = { ...first, sms_counted_at: countedAt }
      const handed = await handToChannel(options, { channel, intent: counted, message, progress })
      exchanged = handed.exchanged
      // Only a mail may be answered about one of its events: other channels mark the whole message as over.
      if (channelId.startsWith('email') && handed.outcome.status === 'sent')
        reference = handed.outcome.reference ?? null
      return handed
    },
    async markHandedOver(at) {
      const marked = await markHandedOver(database, intents, at)
      return marked.every((isOurs) => isOurs)
    },
    async record(delivery, at) {
      const [lead, ...others] = intents.map((intent) => ({ intent, delivery, reference }))
      if (lead === undefined) return false
      const ended = [{ ...lead, exchanged }, ...others.map((other) => ({ ...other, digestOf: first.id }))]
      const recorded = await recordDeliveries(database, ended, at)
      return recorded.every((isOurs) => isOurs)
    },
  }
}

/**
 * Groups claimed messages into digests. Messages that an earlier claim handed over, that waited too long, or that have
 * no companions go out separately.
 */
export function gathered(
  intents: readonly ClaimedIntent[],
  goesAlone: (intent: ClaimedIntent) => boolean,
): readonly (ClaimedIntent | Gathered)[] {
  const together = new Map<string, ClaimedIntent[]>()
  for (const intent of intents.filter((candidate) => !goesAlone(candidate))) {
    const key = `${intent.address_id} ${intent.notification_condition_id} ${intent.attempts}`
    const found = together.get(key)
    if (found === undefined) together.set(key, [intent])
    else found.push(intent)
  }
  const digests = [...together.values()].map((found): ClaimedIntent | Gathered | undefined => {
    const [first, second, ...others] = found.toSorted((one, other) => one.id - other.id)
    return first === undefined || second === undefined ? first : [first, second, ...others]
  })
  return [...intents.filter(goesAlone), ...digests.filter((digest) => digest !== undefined)]
}
