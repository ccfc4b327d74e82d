import type { SealRefusal } from './seal.ts'

/**
 * Carries messages between the processes of one core. A message may get lost or be late. It is never changed, and
 * outsiders can neither read nor make one.
 */
export interface Carrier {
  readonly name: string
  /** False while it cannot carry messages; those given to it are lost. */
  readonly isUp: boolean
  /** True once every process that was already running has been heard, or is dead. */
  readonly isSettled: boolean
  /** The longest message in bytes. */
  readonly longestBytes: number
  /** The usual upper limit of a message's travel time, in milliseconds. */
  readonly usualMs: number
  /** Begins to listen. Does not wait until the carrier is up. */
  start(processId: string, listener: CarrierListener): Promise<void>
  /** Announces this process to all others. Repeat it, because a silent process counts as dead. */
  announce(announcement: string): void
  send(processId: string, message: Buffer): void
  /** Announces the end and stops. Never rejects. */
  stop(): Promise<void>
}

export interface CarrierListener {
  /** A message for this process. */
  message(message: Buffer): void
  /** Another process is there. */
  present(processId: string, announcement: string): void
  /** Another process has announced its end. */
  gone(processId: string): void
  /** Something arrived that is not a message of another process. */
  refused(reason: SealRefusal): void
}
