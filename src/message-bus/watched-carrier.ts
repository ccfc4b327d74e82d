import type { Carrier } from './carrier.ts'
import type { SealRefusal } from './seal.ts'

/** The events that the message bus reports for telemetry. No method may throw. */
export interface MessageBusWatch {
  sent(carrier: string): void
  received(carrier: string): void
  /** Something arrived that is not a message of another process. */
  refused(carrier: string, reason: SealRefusal): void
  /** Reports whether the carrier works now, after a change. */
  changed(carrier: string, isUp: boolean): void
  /** Reports the time from sending a frame to its acknowledgement. */
  acknowledged(carrier: string, afterMs: number): void
  /** A frame was not acknowledged in time and is sent again. */
  sentAgain(): void
}

/** Wraps a carrier so that its changes and refusals are reported. */
export function watchedCarrier(carrier: Carrier, watch: MessageBusWatch): Carrier {
  const { name, usualMs } = carrier
  let wasUp: boolean | null = null
  function look(): boolean {
    const { isUp } = carrier
    if (isUp !== wasUp) watch.changed(name, isUp)
    wasUp = isUp
    return isUp
  }
  return {
    ...{ name, usualMs },
    get isUp() {
      return look()
    },
    get isSettled() {
      return carrier.isSettled
    },
    get longestBytes() {
      return carrier.longestBytes
    },
    start: (processId, listener) =>
      carrier.start(processId, {
        ...listener,
        message(message) {
          watch.received(name)
          listener.message(message)
        },
        refused(reason) {
          watch.refused(name, reason)
          listener.refused(reason)
        },
      }),
    announce(announcement) {
      // At least once a second, even without traffic.
      look()
      carrier.announce(announcement)
    },
    send(processId, message) {
      watch.sent(name)
      carrier.send(processId, message)
    },
    stop: () => carrier.stop(),
  }
}
