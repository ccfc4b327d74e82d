import type { Carrier } from './carrier.ts'
import type { Refusal } from './seal.ts'

/** What the exchange tells of its work. Nothing here may throw. */
export interface ExchangeWatch {
  sent(carrier: string): void
  received(carrier: string): void
  /** Something came that is no message of another process. */
  refused(carrier: string, reason: Refusal): void
  /** The carrier works, or does not, since it was looked at last. */
  changed(carrier: string, isUp: boolean): void
  /** A frame was acknowledged so long after it was handed to the carrier. */
  acknowledged(carrier: string, afterMs: number): void
  /** A frame was not acknowledged in time, and goes once more. */
  sentAgain(): void
}

/** The same carrier, seen by whoever watches. */
export function watchedCarrier(carrier: Carrier, watch: ExchangeWatch): Carrier {
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
    start: (processId, ear) =>
      carrier.start(processId, {
        ...ear,
        message(message) {
          watch.received(name)
          ear.message(message)
        },
        refused(reason) {
          watch.refused(name, reason)
          ear.refused(reason)
        },
      }),
    announce(announcement) {
      // Once a second at least, also while nothing is asked.
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
