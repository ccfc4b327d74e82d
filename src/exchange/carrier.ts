import type { Refusal } from './seal.ts'

/**
 * Carries messages between the processes of one core. A message may get lost, never changed, and nobody else reads or makes one; nothing is
 * said of its time.
 */
export interface Carrier {
  readonly name: string
  /** False while it can carry nothing: what it is given then is lost. */
  readonly isUp: boolean
  /** Everybody who was there when this process came has been heard, or is dead. */
  readonly isSettled: boolean
  /** The longest message. */
  readonly longestBytes: number
  /** What the way of a message usually takes at most, in milliseconds. */
  readonly usualMs: number
  /** Begins to listen. Does not wait until the carrier is up. */
  start(processId: string, ear: CarrierEar): Promise<void>
  /** Shows all others that this process is there, and what it says of itself. To be repeated: who is silent is taken for dead. */
  announce(announcement: string): void
  send(processId: string, message: Buffer): void
  /** Says goodbye and ends. Never rejects. */
  stop(): Promise<void>
}

export interface CarrierEar {
  /** A message for this process. */
  message(message: Buffer): void
  /** Another process is there. */
  present(processId: string, announcement: string): void
  /** Another process has said goodbye. */
  gone(processId: string): void
  /** Something came that is no message of another process. */
  refused(reason: Refusal): void
}
