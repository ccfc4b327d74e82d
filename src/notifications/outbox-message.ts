import { type DeliveryOutcome, type Progress, refused } from '../channels/delivery.ts'
import type { Queue } from '../database/enqueue.ts'
import type { ClaimRequest, DeliveryRecord } from '../outbox/claims.ts'
import type { Delivery } from '../telemetry/port.ts'

export interface Attempted {
  readonly subject: string | null
  readonly outcome: DeliveryOutcome
  /** False: the program refused it by itself, and no gateway was asked. Default: true. */
  readonly isAsked?: boolean
  /** True: nobody waits for it any more, which is no failure. Default: false. */
  readonly isUnneeded?: boolean
}

export interface GoesTo {
  /** The key of one account and host, as `Avoiding` names it. */
  readonly destination: string
  readonly accountId: number
}

/** A stored row that is to be delivered exactly once, claimed for the length of a lease. */
export interface OutboxMessage {
  readonly what: 'notification' | Queue
  /** How it travels, one of few words. */
  readonly channel: string
  /** The analysis that it is about. */
  readonly analysis: Delivery['analysis']
  /** For the log: tells it from every other. Nothing secret. */
  readonly identity: object
  /** Where it goes, for far ends that users named. */
  readonly goesTo?: GoesTo
  readonly attempts: number
  readonly createdAt: number
  /** Set by an earlier claim that ended without an outcome. */
  readonly handedOverAt: number | null
  /** Rejects when the message cannot be made. */
  send(progress: Progress): Promise<Attempted>
  /** Puts on record that the next step cannot be taken back. False when the row is somebody else's by now. */
  markHandedOver(now: number): Promise<boolean>
  /** Ends the claim. False when it had ended before. */
  record(record: DeliveryRecord, now: number): Promise<boolean>
}

/** Where messages of one kind come from: takes due ones for the length of a lease. */
export type ClaimMessages = (request: ClaimRequest) => Promise<readonly OutboxMessage[]>

/** It can never be sent, and nobody was asked. */
export function refusedUnasked(error: string, subject: string | null = null): Attempted {
  return { subject, outcome: refused(error), isAsked: false }
}

/** The message means nothing any more, and nobody was asked. */
export function unneeded(reason: string): Attempted {
  return { ...refusedUnasked(reason), isUnneeded: true }
}
