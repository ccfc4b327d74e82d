import { performance } from 'node:perf_hooks'
import { errorText } from '../domain/text/error-text.ts'
import type { LogFacts, LogLevel } from '../sensor/messages.ts'
import { type Announcement, decodeAnnouncement } from './announcement.ts'
import type { Answering } from './answering.ts'
import type { Carrier } from './carrier.ts'
import { Line } from './line.ts'
import { decodeMessage } from './message.ts'
import { Peer } from './peer.ts'
import type { Peers } from './peers.ts'
import type { MessageBusWatch } from './watched-carrier.ts'

export interface NeighboursOptions {
  /** The id of this process. */
  readonly me: string
  readonly carriers: readonly Carrier[]
  readonly peers: Peers
  readonly answering: Answering
  /** Called for each new process, which wants to know who else is there. */
  readonly met: () => void
  /** Called to check whether a sensor of this process is now connected there. */
  readonly learnt: (peer: Peer) => void
  readonly watch: MessageBusWatch | undefined
  readonly log: (level: LogLevel, message: string, facts?: LogFacts) => void
}

/** A process that sent a forbidden message is ignored for this long. */
const shunnedMs = 60_000
const longestReason = 500
const processName = /^[\w-]{1,64}$/

/** The other processes of the core, from their arrival to their end. */
export class Neighbours {
  readonly #options: NeighboursOptions
  /** Until when processes are ignored. */
  readonly #shunned = new Map<string, number>()

  constructor(options: NeighboursOptions) {
    this.#options = options
  }

  hear(carrier: Carrier, bytes: Buffer): void {
    const message = decodeMessage(bytes)
    if (message === null) {
      this.#options.log('error', 'Received something that is not a message.', { carrier: carrier.name })
      return
    }
    this.#guard(message.from, () => {
      const { line } = this.#peer(message.from)
      line.heardBy(carrier)
      line.receive(message)
    })
  }

  see(carrier: Carrier, processId: string, text: string): void {
    this.#guard(processId, () => this.#look(carrier, processId, text))
  }

  goodbye(processId: string): void {
    this.end(processId, true)
  }

  #look(carrier: Carrier, processId: string, text: string): void {
    const { peers, met, learnt, log } = this.#options
    const isNew = peers.get(processId) === undefined
    const peer = this.#peer(processId)
    peer.line.heardBy(carrier)
    if (isNew) met()
    const before = [...peer.sensors.values()]
    if (!peer.believe(text, () => this.#understood(processId, text))) return
    if (peer.isLeaving) peers.expectAgain(before)
    peers.changed()
    learnt(peer)
    if (isNew) log('info', 'Another process is there.', { process: processId, roles: peer.roles.join(',') })
  }

  /** A faulty message loses its sender's own jobs and disturbs nobody else. */
  #guard(processId: string, work: () => void): void {
    if (!processName.test(processId) || this.#isShunned(processId)) return
    try {
      work()
    } catch (error) {
      this.#shun(processId, errorText(error).slice(0, longestReason))
    }
  }

  #shun(processId: string, reason: string): void {
    const { peers, log } = this.#options
    this.#shunned.set(processId, performance.now() + shunnedMs)
    const peer = peers.get(processId)
    const lost = peer === undefined ? 0 : this.#forget(peer)
    const facts = { process: processId, error: reason, seconds: shunnedMs / 1000, lost_checks: lost }
    log('error', 'Another process sent an invalid frame; it is ignored for a while.', facts)
  }

  /** Returns how many checks were lost with it. */
  #forget(peer: Peer): number {
    this.#options.peers.remove(peer)
    return peer.end()
  }

  #isShunned(processId: string): boolean {
    const until = this.#shunned.get(processId)
    if (until === undefined) return false
    if (performance.now() < until) return true
    this.#shunned.delete(processId)
    return false
  }

  end(processId: string, hasLeft: boolean): void {
    const { peers, log } = this.#options
    const peer = peers.get(processId)
    if (peer === undefined) return
    if (hasLeft) peers.expectAgain(peer.sensors.values())
    const facts = { process: processId, roles: peer.roles.join(','), lost_checks: this.#forget(peer) }
    if (hasLeft) log('info', 'Another process has left.', facts)
    else log('warn', 'Another process is silent; what was asked of it is lost.', facts)
  }

  #understood(processId: string, text: string): Announcement | null {
    const announcement = decodeAnnouncement(text)
    if (announcement === null)
      this.#options.log('warn', 'A process of another version is ignored.', { process: processId })
    return announcement
  }

  #peer(processId: string): Peer {
    const { me, carriers, peers, answering, watch } = this.#options
    const known = peers.get(processId)
    if (known !== undefined) return known
    const line = new Line({ me, peer: processId, carriers, watch, take: (frame) => answering.take(peer, frame) })
    const peer: Peer = new Peer(processId, line)
    peers.add(peer)
    return peer
  }
}
