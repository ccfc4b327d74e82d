import { createBatch, type Numbered } from '../sensor/messages.ts'
import { Pending } from '../sensor/pending.ts'
import { unanswered } from '../sensor/probing-process.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult } from '../sensor/protocol.ts'
import type { Announcement, HeldSensor } from './announcement.ts'
import { encodeFrames, type Frame } from './frames.ts'
import type { Line } from './line.ts'

const batchMs = 2
/** An expired job is forgotten this much later, because its station itself reports that it is late. */
const graceMs = 1500

const nothingSaid: Announcement = { revision: 0, roles: [], isLeaving: false, sensors: [] }

/** Another process of the core: its announcement, and the jobs sent to it. */
export class Peer {
  readonly id: string
  readonly line: Line
  readonly #checks = new Pending<CheckJob, CheckResult>(unanswered)
  readonly #diagnostics = new Pending<DiagnosticJob, DiagnosticResult>((_job, _symbol, message) => ({
    isOk: false,
    lines: [message],
  }))
  readonly #sendJob = createBatch<Numbered<CheckJob>>(batchMs, (items) => this.#send({ kind: 'jobs', items }))
  readonly #sendResult = createBatch<Numbered<CheckResult>>(batchMs, (items) => {
    this.#resultsToSend -= items.length
    this.#send({ kind: 'results', items })
  })
  #resultsToSend = 0
  #announcement: Announcement = nothingSaid
  #text = ''
  #sensors: ReadonlyMap<number, HeldSensor> = new Map()
  #lastNumber = 0

  constructor(id: string, line: Line) {
    this.id = id
    this.line = line
  }

  get roles(): readonly string[] {
    return this.#announcement.roles
  }

  get isLeaving(): boolean {
    return this.#announcement.isLeaving
  }

  get sensors(): ReadonlyMap<number, HeldSensor> {
    return this.#sensors
  }

  /** True if every answer was sent and acknowledged, those included that still wait for a batch. */
  get hasHeardAll(): boolean {
    return this.#resultsToSend === 0 && this.line.underWay === 0
  }

  /** Returns false if the announcement brings nothing new. */
  believe(text: string, read: () => Announcement | null): boolean {
    if (text === this.#text) return false
    const announcement = read() ?? nothingSaid
    if (announcement.revision < this.#announcement.revision) return false
    this.#text = text
    this.#announcement = announcement
    this.#sensors = new Map(this.#announcement.sensors.map((sensor) => [sensor.id, sensor]))
    return true
  }

  check(job: CheckJob): Promise<CheckResult> {
    this.#lastNumber += 1
    this.#sendJob([this.#lastNumber, job])
    return this.#checks.wait(this.#lastNumber, job)
  }

  diagnose(job: DiagnosticJob): Promise<DiagnosticResult> {
    this.#lastNumber += 1
    this.#send({ kind: 'diagnose', items: [[this.#lastNumber, job]] })
    return this.#diagnostics.wait(this.#lastNumber, job)
  }

  leadMs(sensorId: number): number {
    return (this.#sensors.get(sensorId)?.leadMs ?? 0) + this.line.usualMs
  }

  /** Answers a job that it sent to this process. */
  answer(number: number, result: CheckResult): void {
    this.#resultsToSend += 1
    this.#sendResult([number, result])
  }

  answerDiagnosis(number: number, result: DiagnosticResult): void {
    this.#send({ kind: 'diagnoses', items: [[number, result]] })
  }

  /** Returns false if nobody waits for the result: it is too late. */
  settle(number: number, result: CheckResult): boolean {
    const job = this.#checks.jobOf(number)
    // Numbers start over when a process that was considered dead is heard again, so a late answer may belong to another
    // job.
    if (job?.serviceId !== result.serviceId || job.sensorId !== result.sensorId) return false
    this.#checks.settle(number, result)
    return true
  }

  settleDiagnosis(number: number, result: DiagnosticResult): void {
    this.#diagnostics.settle(number, result)
  }

  /** The sensor's open jobs get no answer from here any more. */
  loseSensor(sensorId: number): void {
    this.#checks.lose((job) => job.sensorId === sensorId, 'the sensor has connected to another process')
  }

  sweep(now: number): void {
    this.line.sweep()
    this.#checks.sweep(now - graceMs)
    this.#diagnostics.sweep(now - graceMs)
  }

  /** The process is gone. Returns how many checks were lost with it. */
  end(): number {
    this.#sensors = new Map()
    this.line.close()
    const lost = this.#checks.loseAll('the process that the sensor is connected to was lost')
    this.#diagnostics.loseAll('the process that the sensor is connected to was lost')
    return lost
  }

  #send(frame: Frame): void {
    for (const one of encodeFrames(frame)) this.line.send(one)
  }
}
