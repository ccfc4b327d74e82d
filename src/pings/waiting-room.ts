import type { ReceivedPing } from '../service-state/pings.ts'
import { Shares } from './shares.ts'

export interface RoomSize {
  readonly pings: number
  /** The size of all bodies. */
  readonly bytes: number
}

const usualSize: RoomSize = { pings: 20_000, bytes: 64 * 2 ** 20 }

/** The part of the room that is left and that one heartbeat may have. */
const heartbeatPart = 0.25
/** The part of the room for pings of heartbeats that were not heard lately: there may be no such heartbeats. */
const strangersPart = 0.5
/** Heartbeats that were heard lately. */
const mostKnown = 100_000

/** A ping with the network that it comes from. */
export interface ArrivedPing {
  readonly ping: ReceivedPing
  readonly network: string
}

/** Divides the room among the networks, among the heartbeats, and between known heartbeats and all others. */
class Divided {
  readonly #networks: Shares
  readonly #heartbeats: Shares
  readonly #strangers: Shares

  constructor(room: number) {
    this.#networks = new Shares(room)
    this.#heartbeats = new Shares(room)
    this.#strangers = new Shares(strangersPart * room)
  }

  /** Nobody could have that much. */
  isFull(amount: number): boolean {
    return amount > heartbeatPart * this.#networks.left
  }

  fits({ ping, network }: ArrivedPing, amount: number, isKnown: boolean): boolean {
    const isPermitted = isKnown || this.#strangers.fits(network, amount)
    return (
      isPermitted && this.#networks.fits(network, amount) && this.#heartbeats.fits(ping.uuid, amount, heartbeatPart)
    )
  }

  move({ ping, network }: ArrivedPing, amount: number, isKnown: boolean): void {
    this.#networks.move(network, amount)
    this.#heartbeats.move(ping.uuid, amount)
    if (!isKnown) this.#strangers.move(network, amount)
  }
}

/** A ping that waits, with the room that it takes. */
interface Place {
  readonly bytes: number
  readonly isKnown: boolean
}

/** The room for pings that wait to be stored. A noisy network or heartbeat is refused, and nobody else is. */
export class WaitingRoom {
  readonly #pings: Divided
  readonly #bytes: Divided
  readonly #known = new Set<string>()
  readonly #places = new Map<ArrivedPing, Place>()

  constructor({ pings, bytes }: RoomSize = usualSize) {
    this.#pings = new Divided(pings)
    this.#bytes = new Divided(bytes)
  }

  /** `full`: there is no room for anybody. `too_many`: this caller has its share already. */
  enter(arrived: ArrivedPing): 'entered' | 'full' | 'too_many' {
    const bytes = arrived.ping.body?.length ?? 0
    const isKnown = this.#known.has(arrived.ping.uuid)
    if (this.#pings.isFull(1) || this.#bytes.isFull(bytes)) return 'full'
    if (!this.#pings.fits(arrived, 1, isKnown) || !this.#bytes.fits(arrived, bytes, isKnown)) return 'too_many'
    this.#pings.move(arrived, 1, isKnown)
    this.#bytes.move(arrived, bytes, isKnown)
    this.#places.set(arrived, { bytes, isKnown })
    return 'entered'
  }

  leave(arrived: ArrivedPing): void {
    const place = this.#places.get(arrived)
    if (place === undefined) return
    this.#places.delete(arrived)
    this.#pings.move(arrived, -1, place.isKnown)
    this.#bytes.move(arrived, -place.bytes, place.isKnown)
  }

  /** The heartbeat was heard. */
  know(uuid: string): void {
    this.#known.delete(uuid)
    this.#known.add(uuid)
    if (this.#known.size <= mostKnown) return
    const [oldest] = this.#known
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
