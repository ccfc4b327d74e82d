import type { StoredSettings } from '../domain/services/extended-settings.ts'
import type { Language } from '../wording/language.ts'
import type { EventBody } from './event.ts'
import type { Exchanged } from './exchanged.ts'
import type { Wording } from './wording.ts'

/** The incident for destinations that manage incidents; a service has one at a time. */
export interface Incident {
  /** The same for all failures of the service: few characters, only letters, digits and hyphens. */
  readonly key: string
  readonly isOver: boolean
  /** Somebody knows of it. Absent: nobody does, or the message is about something else. */
  readonly isAcknowledged?: true
}

/** One message for one address. */
export interface Message extends Wording {
  /** The same for the same intent, however often it is tried. */
  readonly key: string
  /** The same for the messages about one failure and its end. */
  readonly threadKey: string
  /** The messages of its thread have no first one among them. */
  readonly isOfSeries?: true
  readonly channelId: string
  readonly address: string
  /** The fields of an integration's address; empty for other channels. */
  readonly settings: StoredSettings
  /** A link to the details. */
  readonly link: string | null
  /** A page whose one button acknowledges the failure. Default: nothing to acknowledge. */
  readonly acknowledgeLink?: string | null
  /** A page where the reader changes what is sent, or leaves. */
  readonly changeLink?: string
  /** Null: the message is not about a service. */
  readonly serviceId: number | null
  /** Absent: the message is not about a service. */
  readonly serviceName?: string
  readonly condition: string
  readonly decidedAt: number
  /** The event for programs. Absent: neither an event of a service nor a test. */
  readonly event?: EventBody
  /** The language of the message. Default: English. */
  readonly language?: Language
  /** The destination's reference to the message about the failure, if there was one. */
  readonly answers?: string
  /** Absent: the message is neither about a lasting failure nor about its end. */
  readonly incident?: Incident
}

/** unconfirmed: it may have arrived, so it must not be sent again. */
export type DeliveryOutcome =
  | {
      readonly status: 'sent'
      /** The destination's reference to the message. */
      readonly reference?: string
    }
  | { readonly status: 'unconfirmed'; readonly error: string }
  | {
      readonly status: 'failed'
      readonly permanent: boolean
      readonly error: string
      /** Milliseconds that the gateway asked us to wait. */
      readonly retryAfter?: number
      /**
       * True: no other message would succeed now. False: the gateway answered about this message. Undefined: it was not
       * asked.
       */
      readonly isGatewayDown?: boolean
      /** The destination no longer exists; nothing is sent there again. */
      readonly isGone?: true
    }

export interface Progress {
  /**
   * Awaited before the irrevocable step. After it the message is never sent again unless the gateway refuses it.
   * Rejects if the message is no longer ours: then that step must not happen.
   */
  handOver(): Promise<void>
  /** Called with the request and the answer, without secrets. */
  saw?(exchanged: Exchanged): void
}

/** A connected gateway that carries the messages of all its channels. */
export interface Transport {
  readonly id: string
  readonly notificationChannelIds: readonly string[]
  /** The largest number of messages in progress at once. */
  readonly concurrency: number
  /** Never rejects for a failing gateway. */
  deliver(message: Message, progress: Progress): Promise<DeliveryOutcome>
  /** Closes connections kept for the next message. */
  close(): void
}

/** The outcome of a message that can never be sent. */
export function refused(error: string): DeliveryOutcome {
  return { status: 'failed', permanent: true, error }
}

/** The outcome when no message would succeed now. */
export function gatewayDown(error: string): DeliveryOutcome {
  return { status: 'failed', permanent: false, isGatewayDown: true, error }
}
