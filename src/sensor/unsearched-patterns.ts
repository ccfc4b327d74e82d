import { errorType } from '../domain/judging/error-types.ts'
import type { LogFacts, LogLevel } from './messages.ts'
import type { CheckResult } from './protocol.ts'
import { Shortage } from './shortage.ts'

/** The number of patterns that were not searched, by reason. */
export type UnsearchedCounts = Readonly<Record<'late' | 'budget', number>>

const late = errorType('pattern_late').id
const budgetUsed = errorType('pattern_budget_used').id
/** A round without a verdict for this reason is repeated within a minute. */
const overAfterMs = 90_000

/** Counts the checks of a station whose patterns were not searched, and logs when that begins and ends. */
export class UnsearchedPatterns {
  readonly #log: (level: LogLevel, message: string, facts?: LogFacts) => void
  readonly #counts = { late: 0, budget: 0 }
  #serviceId = 0
  readonly #late = new Shortage(overAfterMs, (isShort) => {
    if (isShort)
      this.#tell('error', 'This station has no time for all patterns: checks that wait for theirs are unknown.')
    else this.#log('info', 'This station has time for all patterns again.')
  })
  readonly #budget = new Shortage(overAfterMs, (isShort) => {
    if (isShort) this.#tell('warn', 'An account has used its time for patterns: its checks that need more are unknown.')
    else this.#log('info', 'All accounts have processing time for their patterns again.')
  })

  constructor(log: (level: LogLevel, message: string, facts?: LogFacts) => void) {
    this.#log = log
  }

  get counts(): UnsearchedCounts {
    return { ...this.#counts }
  }

  /** True if checks recently had no turn in time although their account had time left. */
  get isStationLate(): boolean {
    return this.#late.isOn
  }

  note({ errorTypeId, serviceId }: Pick<CheckResult, 'errorTypeId' | 'serviceId'>, now: number): void {
    if (errorTypeId !== late && errorTypeId !== budgetUsed) return
    this.#serviceId = serviceId
    const reason = errorTypeId === late ? 'late' : 'budget'
    this.#counts[reason] += 1
    if (reason === 'late') this.#late.meet(now)
    else this.#budget.meet(now)
  }

  /** Call it regularly. */
  look(now: number): void {
    this.#late.look(now)
    this.#budget.look(now)
  }

  /** The service's id leads the operator to the account. */
  #tell(level: LogLevel, message: string): void {
    this.#log(level, message, { service_id: this.#serviceId })
  }
}
