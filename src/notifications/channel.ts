import type { GatewayId } from '../domain/letter.ts'
import type { Wording } from './message.ts'

/** One notice for one address. */
export interface Message extends Wording {
  /** The same for the same intent, however often it is tried. */
  readonly key: string
  /** The same for the notices of one failure and of its end. */
  readonly threadKey: string
  readonly channelId: string
  readonly address: string
  /** Null: it tells of no service. */
  readonly serviceId: number | null
  readonly condition: string
  readonly decidedAt: number
}

/** unconfirmed: it may have arrived, and must not be sent again. */
export type Outcome =
  | { readonly status: 'sent' }
  | { readonly status: 'unconfirmed'; readonly error: string }
  | {
      readonly status: 'failed'
      readonly permanent: boolean
      readonly error: string
      /** Milliseconds that the gateway asked to be left alone for. */
      readonly retryAfter?: number
      /** True: no other message would fare better now; false: it answered about this one; undefined: it was not asked. */
      readonly isGatewayDown?: boolean
    }

export interface Progress {
  /**
   * Awaited before the act that cannot be taken back; after it the message is never sent again unless the gateway
   * refuses it. Rejects when the message is no longer ours: then that act must not happen.
   */
  handOver(): Promise<void>
}

/** One gateway, with all the notification channels that go through it. */
export interface Channel {
  readonly id: GatewayId | 'nobody'
  readonly notificationChannelIds: readonly string[]
  /** How many messages may be under way at once. */
  readonly concurrency: number
  /** Never rejects for a failing gateway. */
  deliver(message: Message, progress: Progress): Promise<Outcome>
  /** Lets go of what it kept for the next message. */
  close(): void
}
