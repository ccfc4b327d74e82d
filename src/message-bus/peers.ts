import type { HeldSensor } from './announcement.ts'
import type { Peer } from './peer.ts'

/** How long to wait for a station that was told to connect to another process. */
const movingMs = 6000

/** Knows the process of each sensor. */
export class Peers {
  readonly #known = new Map<string, Peer>()
  /** The processes of each sensor; several processes may have stations of the same name on their own machines. */
  #places: ReadonlyMap<number, readonly Peer[]> = new Map()
  /** Until when to wait for moving sensors. */
  readonly #moving = new Map<number, number>()
  readonly #waiting = new Set<() => void>()
  #turn = 0

  all(): readonly Peer[] {
    return [...this.#known.values()]
  }

  get(processId: string): Peer | undefined {
    return this.#known.get(processId)
  }

  add(peer: Peer): void {
    this.#known.set(peer.id, peer)
  }

  remove(peer: Peer): void {
    this.#known.delete(peer.id)
    this.changed()
  }

  /** The process to ask for a sensor: the one of its latest connection; if there are several, they take turns. */
  placeOf(sensorId: number): Peer | undefined {
    const places = this.#places.get(sensorId)
    return places?.[this.#turn % places.length]
  }

  nextTurn(): void {
    this.#turn += 1
  }

  /** The sensors of a stopping process will connect elsewhere. Those on its own machine stop with it. */
  expectAgain(sensors: Iterable<HeldSensor>): void {
    const until = performance.now() + movingMs
    for (const { id, connectionNo } of sensors) if (connectionNo > 0) this.#moving.set(id, until)
  }

  isMoving(sensorId: number): boolean {
    const until = this.#moving.get(sensorId)
    if (until === undefined) return false
    if (performance.now() < until) return true
    this.#moving.delete(sensorId)
    return false
  }

  /** Resolves after any change, or when the time is up. */
  async change(longestMs: number): Promise<void> {
    let end = () => {}
    const changed = new Promise<void>((resolve) => {
      end = resolve
    })
    const timer = setTimeout(end, longestMs)
    this.#waiting.add(end)
    await changed
    clearTimeout(timer)
    this.#waiting.delete(end)
  }

  /** Call it after a process's announcement has changed. */
  changed(): void {
    const places = new Map<number, Peer[]>()
    const latest = new Map<number, number>()
    for (const peer of this.#known.values()) {
      if (peer.isLeaving) continue
      for (const { id, connectionNo } of peer.sensors.values()) {
        const before = latest.get(id) ?? -1
        if (connectionNo < before) continue
        if (connectionNo > before) places.set(id, [peer])
        else places.get(id)?.push(peer)
        latest.set(id, connectionNo)
      }
    }
    this.#places = places
    for (const id of places.keys()) this.#moving.delete(id)
    this.#loseOutdated(latest)
    for (const wake of [...this.#waiting]) wake()
  }

  /** A station that connected to another process no longer answers through the earlier one. */
  #loseOutdated(latest: ReadonlyMap<number, number>): void {
    for (const peer of this.#known.values()) {
      for (const { id, connectionNo } of peer.sensors.values()) {
        if (connectionNo < (latest.get(id) ?? 0)) peer.loseSensor(id)
      }
    }
  }
}
