import type { Expiry } from '../domain/expiry/expiry.ts'
import type { DegradedReason } from '../domain/judging/degraded.ts'
import { type ErrorTypeSymbol, errorType, resultOfFailure } from '../domain/judging/error-types.ts'
import type { SettingValue } from '../domain/services/service-types.ts'
import { errorText } from '../domain/text/error-text.ts'
import { Failure } from '../outgoing/failure.ts'
import type { CheckEvidence, CheckResult, Phases, StepResult } from './protocol.ts'

/** A result without the ids of its job. */
export type CheckOutcome = Omit<CheckResult, 'serviceId' | 'sensorId' | 'startedAt'>

type Phase = keyof Phases
type Evidence = { -readonly [key in keyof CheckEvidence]: CheckEvidence[key] }
type TimeoutSymbol = ErrorTypeSymbol | (() => ErrorTypeSymbol)
/** Ends by calling `resolve` or `reject`. The returned function cancels the work. */
type Start<T> = (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void

/** One run of one check: its clock, its single absolute timer, its current phase, and its findings so far. */
export class Attempt {
  readonly timeoutMs: number
  readonly evidence: Evidence
  readonly facts: Record<string, SettingValue> = {}
  /** Why the target works, but not as well as it should; used only if the check succeeds. */
  readonly degraded: DegradedReason[] = []
  /** The end of the target's certificate or domain, as far as the check saw one. */
  expiry: Expiry | null = null
  /** A good outcome has the facts too. */
  tellsFacts = false
  dataSize: number | null = null
  steps: readonly StepResult[] | null = null
  /** Set if a check measures something narrower than the time since its start (ping: the round trip). */
  responseMs: number | null = null
  /** Completes the evidence; called only if the check did not succeed. Must not reject. */
  explain: ((failure: Failure) => void | Promise<void>) | null = null
  readonly #startedAt = performance.now()
  readonly #phases: { -readonly [key in Phase]: Phases[key] } = {
    dns: null,
    connect: null,
    tls: null,
    sent: null,
    first_byte: null,
    transfer: null,
  }
  #hasBegun = false
  #phase: Phase | null = null
  #phaseStartedAt = 0
  #endedAt: number | null = null
  readonly #moreMs: (limitMs: number) => number
  #grantedMs = 0
  #onTimeout: TimeoutSymbol = 'connection_timeout'
  #expired = false
  #timer: NodeJS.Timeout
  #interrupt: ((failure: Failure) => void) | null = null

  /** `moreMs` returns by how much an expired limit is extended. */
  constructor(baseUrl: string, timeoutMs: number, moreMs: (limitMs: number) => number = () => 0) {
    this.timeoutMs = timeoutMs
    this.#moreMs = moreMs
    this.evidence = {
      base_url: baseUrl,
      ip_address: null,
      status_code: null,
      response_headers: null,
      content_type: null,
      file_name: null,
      facts: this.facts,
      artifacts: [],
    }
    this.#timer = setTimeout(() => this.#end(), timeoutMs)
  }

  get elapsedMs(): number {
    return (this.#endedAt ?? performance.now()) - this.#startedAt
  }

  get remainingMs(): number {
    return Math.max(0, this.timeoutMs + this.#grantedMs - this.elapsedMs)
  }

  /** Null if the check ended before its first phase. */
  get phases(): Phases | null {
    return this.#hasBegun ? this.#phases : null
  }

  /**
   * Ends the current phase and begins this one; repeated phases, as in redirects, add up. `onTimeout` is the failure if
   * time runs out in this phase.
   */
  enter(phase: Phase, onTimeout: TimeoutSymbol): void {
    const now = performance.now()
    this.#closePhase(now)
    this.#hasBegun = true
    this.#phase = phase
    this.#phaseStartedAt = now
    this.#onTimeout = onTimeout
  }

  /** Replaces the phases timed here by those measured elsewhere, such as by a browser. */
  measured(phases: Phases): void {
    this.#hasBegun = true
    this.#phase = null
    Object.assign(this.#phases, phases)
  }

  /** Stops the clock and the timer, because the following work (judging, closing) is not the target's time. */
  stop(): void {
    if (this.#endedAt !== null) return
    this.#endedAt = performance.now()
    this.#closePhase(this.#endedAt)
    clearTimeout(this.#timer)
  }

  /** Waits for something that the deadline may interrupt. Only one wait runs at a time. */
  wait<T>(start: Start<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#expired) {
        reject(this.#timeout())
        return
      }
      let giveUp: (() => void) | null = null
      const interrupt = (failure: Failure): void => {
        giveUp?.()
        reject(failure)
      }
      // A late event of an earlier wait must not cancel the deadline of a later one.
      const settle = (): void => {
        if (this.#interrupt === interrupt) this.#interrupt = null
      }
      this.#interrupt = interrupt
      giveUp = start(
        (value) => {
          settle()
          resolve(value)
        },
        (reason) => {
          settle()
          reject(reason)
        },
      )
    })
  }

  #closePhase(now: number): void {
    if (this.#phase !== null) this.#phases[this.#phase] = (this.#phases[this.#phase] ?? 0) + now - this.#phaseStartedAt
    this.#phase = null
  }

  #timeout(): Failure {
    const symbol = typeof this.#onTimeout === 'function' ? this.#onTimeout() : this.#onTimeout
    const more = this.#grantedMs > 0 ? ` and ${Math.round(this.#grantedMs)} ms more for what this station missed` : ''
    return new Failure(symbol, `not finished within ${this.timeoutMs} ms${more}`)
  }

  /** An answer that arrived while this process did not run has not been read yet. */
  #end(): void {
    const moreMs = this.#moreMs(this.timeoutMs)
    if (moreMs <= 0) {
      this.#expire()
      return
    }
    this.#grantedMs += moreMs
    this.#timer = setTimeout(() => this.#end(), moreMs)
  }

  #expire(): void {
    this.#expired = true
    const interrupt = this.#interrupt
    this.#interrupt = null
    interrupt?.(this.#timeout())
  }
}

/** Runs the steps of a check and turns any outcome into a result value; never rejects. */
export async function observe(attempt: Attempt, steps: () => Promise<void>): Promise<CheckOutcome> {
  let failure: Failure | null = null
  try {
    await steps()
  } catch (error) {
    failure = error instanceof Failure ? error : new Failure('sensor_fault', errorText(error))
  }
  attempt.stop()
  if (failure === null) return outcome(attempt, null, attempt.tellsFacts ? attempt.evidence : null)
  if (failure.raw !== null) attempt.facts['library_error'] = failure.raw
  await attempt.explain?.(failure)
  return outcome(attempt, failure, attempt.evidence)
}

function outcome(attempt: Attempt, failure: Failure | null, evidence: CheckEvidence | null): CheckOutcome {
  const result = failure === null ? 'ok' : resultOfFailure(failure.symbol)
  const phases = attempt.phases
  return {
    result,
    responseTime: phases === null || result === 'unknown' ? null : Math.round(attempt.responseMs ?? attempt.elapsedMs),
    dataSize: attempt.dataSize,
    errorTypeId: failure === null ? null : errorType(failure.symbol).id,
    errorMessage: failure?.message ?? null,
    phases,
    steps: attempt.steps,
    evidence,
    ...(result !== 'ok' || attempt.degraded.length === 0 ? {} : { degraded: [...attempt.degraded] }),
    ...(attempt.expiry === null ? {} : { expiry: attempt.expiry }),
  }
}
