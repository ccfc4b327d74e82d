import type { Database } from '../database/connect.ts'
import { type DueHost, mostHostsAtOnce, takeDueHosts, writeHostVerdict } from '../database/status-pages/page-hosts.ts'
import type { Clock } from '../domain/clock.ts'
import { hostRecord, hostVerdict, type RecordLookup } from '../domain/status-pages/page-host.ts'
import { systemTimers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'

const lookEveryMs = 10_000
/** After a look that took as many as it may. */
const shortPauseMs = 1000
const longestLookupMs = 5000
/** Another process may take hosts again that this one did not finish. */
const lease = 60_000

/** The texts of a name's TXT records; none if it has no such record. Rejects if no name server says. */
export type LookUpTexts = (name: string, timeoutMs: number) => Promise<readonly string[]>

export interface HostProofsParts {
  readonly database: Database
  readonly clock: Clock
  readonly lookUp: LookUpTexts
  readonly onFault: (error: unknown) => void
}

/** Looks up the records by which the owners of hosts prove them, again and again. */
export class HostProofs {
  readonly #parts: HostProofsParts
  readonly #turns = new Turns({ timers: systemTimers, take: () => this.#take() })

  constructor(parts: HostProofsParts) {
    this.#parts = parts
  }

  start(): void {
    this.#turns.start()
  }

  async stop(): Promise<void> {
    await this.#turns.stop()
  }

  /** Looks up the records that are due; true if more may be. */
  async look(): Promise<boolean> {
    const { database, clock } = this.#parts
    const due = await takeDueHosts(database, clock.now(), lease)
    await Promise.all(due.map((one) => this.#check(one)))
    return due.length === mostHostsAtOnce
  }

  async #take(): Promise<number> {
    try {
      return (await this.look()) ? shortPauseMs : lookEveryMs
    } catch (error) {
      this.#parts.onFault(error)
      return lookEveryMs
    }
  }

  async #check(due: DueHost): Promise<void> {
    const { database, clock } = this.#parts
    const lookup = await this.#lookup(due)
    const proof = { claimedAt: due.host_claimed_at, provenAt: due.host_proven_at, seenAt: due.host_seen_at }
    await writeHostVerdict(database, due, hostVerdict(proof, lookup, clock.now()), clock.now())
  }

  async #lookup({ host, host_token: token }: DueHost): Promise<RecordLookup> {
    const { name, value } = hostRecord(host, token)
    try {
      return (await this.#parts.lookUp(name, longestLookupMs)).includes(value) ? 'found' : 'missing'
    } catch {
      return 'unknown'
    }
  }
}
