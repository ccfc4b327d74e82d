import type { StoredSettings } from '../domain/extended-settings.ts'
import type { Language } from '../wording/language.ts'
import type { EventBody } from './event.ts'
import type { Exchanged } from './exchanged.ts'
import type { Wording } from './wording.ts'

/** What far ends that keep incidents are told of; a service has one at a time. */
export interface Incident {
  /** The same for all failures of the service: short letters, digits and hyphens. */
  readonly key: string
  readonly isOver: boolean
}

/** One notice for one address. */
export interface Message extends Wording {
  /** The same for the same intent, however often it is tried. */
  readonly key: string
  /** The same for the notices of one failure and of its end. */
  readonly threadKey: string
  readonly channelId: string
  readonly address: string
  /** What an address of an integration consists of; for the others empty. */
  readonly settings: StoredSettings
  /** Where the reader finds more. */
  readonly link: string | null
  /** A page with one button that says that somebody knows of the failure. Default: nothing to acknowledge. */
  readonly acknowledgeLink?: string | null
  /** Null: it tells of no service. */
  readonly serviceId: number | null
  /** Absent: it tells of no service. */
  readonly serviceName?: string
  readonly condition: string
  readonly decidedAt: number
  /** As programs read it. Absent: no event of a service, and no test. */
  readonly event?: EventBody
  /** In which it is worded. Default: English. */
  readonly language?: Language
  /** What the far end calls the message that told the failure, if it told one. */
  readonly answers?: string
  /** Absent: it neither tells of a failure that lasts nor of its end. */
  readonly incident?: Incident
}

/** unconfirmed: it may have arrived, and must not be sent again. */
export type Outcome =
  | {
      readonly status: 'sent'
      /** What the far end calls the message. */
      readonly reference?: string
    }
  | { readonly status: 'unconfirmed'; readonly error: string }
  | {
      readonly status: 'failed'
      readonly permanent: boolean
      readonly error: string
      /** Milliseconds that the gateway asked to be left alone for. */
      readonly retryAfter?: number
      /** True: no other message would fare better now; false: it answered about this one; undefined: it was not asked. */
      readonly isGatewayDown?: boolean
      /** The far end is there no more: nothing is to be sent there again. */
      readonly isGone?: true
    }

export interface Progress {
  /**
   * Awaited before the act that cannot be taken back; after it the message is never sent again unless the gateway
   * refuses it. Rejects when the message is no longer ours: then that act must not happen.
   */
  handOver(): Promise<void>
  /** Hears what was sent and answered, without secrets. */
  saw?(exchanged: Exchanged): void
}

/** A gateway in use: carries the messages of all its notification channels. */
export interface Transport {
  readonly id: string
  readonly notificationChannelIds: readonly string[]
  /** How many messages may be under way at once. */
  readonly concurrency: number
  /** Never rejects for a failing gateway. */
  deliver(message: Message, progress: Progress): Promise<Outcome>
  /** Lets go of what it kept for the next message. */
  close(): void
}

/** It can never be sent. */
export function refused(error: string): Outcome {
  return { status: 'failed', permanent: true, error }
}

/** No message would fare better now. */
export function gatewayDown(error: string): Outcome {
  return { status: 'failed', permanent: false, isGatewayDown: true, error }
}
