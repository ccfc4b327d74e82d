import type { Clock } from '../domain/clock.ts'
import type { Seat } from '../domain/judging/analysis.ts'
import { errorType } from '../domain/judging/error-types.ts'
import type { CheckJob, CheckResult, Stations } from '../sensor/protocol.ts'
import type { Timers } from '../turns/timers.ts'
import type { AnalysisListener } from './analysis.ts'
import { storableResult } from './storable.ts'

/** Only the core can notice this fault of a station. */
const sensorLost = { errorTypeId: errorType('sensor_lost').id, errorMessage: 'The sensor is not connected.' }
const sensorLate = { errorTypeId: errorType('sensor_late').id, errorMessage: 'The sensor did not answer in time.' }

type Question = Omit<CheckJob, 'sensorId' | 'wantsScreenshot'>

export interface Asked {
  readonly question: Question
  /** After it only a round without a verdict goes on waiting, so a full station does not hold up the others. */
  readonly usualDeadlineAt: number
  /** The seat whose station takes a picture of a good page; null: none. */
  readonly pictureSeat: number | null
  readonly isEnough: (results: readonly CheckResult[]) => boolean
  readonly listener: AnalysisListener | null
  /** A free station in place of a lost one, each once; null: there is none. */
  readonly replace: (lostId: number) => number | null
}

interface AskParts {
  readonly stations: Pick<Stations, 'check'>
  readonly clock: Clock
  readonly timers: Timers
}

/**
 * A result for every seat; a missing or late station counts as `unknown`. A station that is lost before its answer is
 * replaced while there is time. Never rejects.
 */
export function askStations(seats: readonly Seat[], asked: Asked, parts: AskParts): Promise<CheckResult[]> {
  return new Promise((resolve) => new Asking(seats, asked, { ...parts, resolve }).begin())
}

interface AskingParts extends AskParts {
  readonly resolve: (results: CheckResult[]) => void
}

/** A round whose stations are asked. It resolves once. */
class Asking {
  readonly #seats: readonly Seat[]
  readonly #asked: Asked
  readonly #parts: AskingParts
  readonly #results: CheckResult[]
  /** The seats whose results the listener has not heard. */
  readonly #unheard: Set<number>
  #timeouts: readonly (() => void)[] = []
  #missing = 0
  #isOver = false
  #isBeyondUsual = false

  constructor(seats: readonly Seat[], asked: Asked, parts: AskingParts) {
    this.#seats = seats
    this.#asked = asked
    this.#parts = parts
    // A seat that is asked replaces its result at once.
    this.#results = seats.map(({ sensorId }) => unknownResult(asked.question, sensorId, sensorLost))
    this.#unheard = new Set(seats.keys())
  }

  begin(): void {
    const { question, usualDeadlineAt, listener } = this.#asked
    const { clock, timers } = this.#parts
    const timeouts = [timers.after(question.deadlineAt - clock.now(), this.#end)]
    if (usualDeadlineAt < question.deadlineAt)
      timeouts.push(timers.after(usualDeadlineAt - clock.now(), () => this.#passUsualDeadline()))
    this.#timeouts = timeouts
    for (const [seat, { sensorId, isAvailable }] of this.#seats.entries()) if (isAvailable) this.#ask(seat, sensorId)
    listener?.ended.addEventListener('abort', this.#end)
    if (this.#missing === 0 || listener?.ended.aborted === true) this.#end()
  }

  #ask(seat: number, sensorId: number): void {
    const { question, pictureSeat } = this.#asked
    const { serviceId } = question
    this.#missing++
    this.#results[seat] = unknownResult(question, sensorId, sensorLate)
    const picture = seat === pictureSeat ? ({ wantsScreenshot: true } as const) : {}
    this.#parts.stations.check({ ...question, sensorId, ...picture }).then(
      (result) => this.#answered(seat, isOf(result, serviceId, sensorId) ? result : { ...result, serviceId, sensorId }),
      () => this.#answered(seat, unknownResult(question, sensorId, sensorLost)),
    )
  }

  #answered(seat: number, result: CheckResult): void {
    if (this.#isOver) return
    const replacementId = isLost(result) ? this.#asked.replace(result.sensorId) : null
    this.#missing--
    if (replacementId === null) {
      this.#results[seat] = storableResult(result)
      this.#tell(seat)
    } else this.#ask(seat, replacementId)
    if (this.#missing === 0 || (this.#isBeyondUsual && this.#asked.isEnough(this.#results))) this.#end()
  }

  #passUsualDeadline(): void {
    this.#isBeyondUsual = true
    if (this.#asked.isEnough(this.#results)) this.#end()
  }

  readonly #end = (): void => {
    if (this.#isOver) return
    this.#isOver = true
    for (const cancel of this.#timeouts) cancel()
    this.#asked.listener?.ended.removeEventListener('abort', this.#end)
    for (const seat of [...this.#unheard]) this.#tell(seat)
    this.#parts.resolve([...this.#results])
  }

  /** Tells each result once; nobody hears those of a round that nobody waits for any more. */
  #tell(seat: number): void {
    const { listener } = this.#asked
    const result = this.#results[seat]
    if (this.#unheard.delete(seat) && result !== undefined && listener?.ended.aborted === false) listener.heard(result)
  }
}

function isOf(result: CheckResult, serviceId: number, sensorId: number): boolean {
  return result.serviceId === serviceId && result.sensorId === sensorId
}

function isLost({ result, errorTypeId }: CheckResult): boolean {
  return result === 'unknown' && errorTypeId === sensorLost.errorTypeId
}

function unknownResult(question: Question, sensorId: number, reason: typeof sensorLost): CheckResult {
  return {
    serviceId: question.serviceId,
    sensorId,
    result: 'unknown',
    startedAt: question.startAt,
    responseTime: null,
    dataSize: null,
    errorTypeId: reason.errorTypeId,
    errorMessage: reason.errorMessage,
    phases: null,
    steps: null,
    evidence: null,
  }
}
