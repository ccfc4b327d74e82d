import { errorText } from '../domain/error-text.ts'
import { type ErrorTypeSymbol, errorType, resultOfFailure } from '../domain/error-types.ts'
import type { SettingValue } from '../domain/service-types.ts'
import { Failure } from '../outgoing/failure.ts'
import type { CheckEvidence, CheckResult, Phases, StepResult } from './protocol.ts'

/** Everything of a result but whose it is. */
export type CheckOutcome = Omit<CheckResult, 'serviceId' | 'sensorId' | 'startedAt'>

type Phase = keyof Phases
type Evidence = { -readonly [key in keyof CheckEvidence]: CheckEvidence[key] }
type TimeoutSymbol = ErrorTypeSymbol | (() => ErrorTypeSymbol)
/** Ends by calling `resolve` or `reject`; the function it returns gives up what is under way. */
type Start<T> = (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void

/** One run of one check: its clock, its single absolute timer, the phase it is in, and what it has seen so far. */
export class Attempt {
  readonly timeoutMs: number
  readonly evidence: Evidence
  readonly facts: Record<string, SettingValue> = {}
  dataSize: number | null = null
  steps: readonly StepResult[] | null = null
  /** Set where a check measures something narrower than the time since its start (ping: the round trip). */
  responseMs: number | null = null
  /** Completes the evidence; called only when the check did not end well. Must not reject. */
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

  /** `moreMs` tells by how much a limit that is over is put off. */
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

  /** Null when the check ended before its first phase. */
  get phases(): Phases | null {
    return this.#hasBegun ? this.#phases : null
  }

  /** Ends the phase before and begins this one (repeats, as in redirects, add up). `onTimeout` names what it means if time runs out in it. */
  enter(phase: Phase, onTimeout: TimeoutSymbol): void {
    const now = performance.now()
    this.#closePhase(now)
    this.#hasBegun = true
    this.#phase = phase
    this.#phaseStartedAt = now
    this.#onTimeout = onTimeout
  }

  /** Puts parts that were measured elsewhere in place of those timed here: a browser tells them afterwards. */
  measured(phases: Phases): void {
    this.#hasBegun = true
    this.#phase = null
    Object.assign(this.#phases, phases)
  }

  /** Stops the clock and the timer: what follows (judging, saying goodbye) is not the target's time. */
  stop(): void {
    if (this.#endedAt !== null) return
    this.#endedAt = performance.now()
    this.#closePhase(this.#endedAt)
    clearTimeout(this.#timer)
  }

  /** Waits for something that the deadline may interrupt. One wait at a time. */
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
      // A late event of an earlier wait must not take the deadline away from a later one.
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

  /** An answer that came while this process did not run is not read yet. */
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

/** Runs the steps of a check and turns whatever happens into a result value; never rejects. */
export async function observe(attempt: Attempt, steps: () => Promise<void>): Promise<CheckOutcome> {
  let failure: Failure | null = null
  try {
    await steps()
  } catch (error) {
    failure = error instanceof Failure ? error : new Failure('sensor_fault', errorText(error))
  }
  attempt.stop()
  if (failure === null) return outcome(attempt, null, null)
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
  }
}
