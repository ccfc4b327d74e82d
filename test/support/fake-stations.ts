import type { CheckResultValue } from '../../src/domain/judging/analysis.ts'
import type { CheckJob, CheckResult, DiagnosticJob, DiagnosticResult, Stations } from '../../src/sensor/protocol.ts'

/** silent: never answers. An object lays over a plain error. */
export type Answer = CheckResultValue | 'silent' | Partial<CheckResult>

export interface FakeStations extends Stations {
  /** Everything that was asked, in order. */
  readonly jobs: CheckJob[]
  /** The stations' answers; `ok` at first. */
  answer: (job: CheckJob) => Answer
  /** Every diagnosis that was asked for, in order. */
  readonly diagnostics: DiagnosticJob[]
  /** The stations' diagnoses; null: never any. */
  diagnosis: (job: DiagnosticJob) => DiagnosticResult | null
  connect(...sensorIds: number[]): void
  disconnect(...sensorIds: number[]): void
  /** Resolves once so many jobs were asked in all. */
  asked(count: number): Promise<void>
}

/** Stations that answer at once whatever the test wants. */
export function fakeStations(): FakeStations {
  const connected = new Set<number>()
  const jobs: CheckJob[] = []
  const watchers = new Set<() => void>()
  const stations: FakeStations = {
    jobs,
    answer: () => 'ok',
    diagnostics: [],
    diagnosis: ({ request }) => ({ isOk: true, lines: [`${request.kind} ${request.host}`] }),
    connect(...sensorIds) {
      for (const id of sensorIds) connected.add(id)
    },
    disconnect(...sensorIds) {
      for (const id of sensorIds) connected.delete(id)
    },
    isConnected: (sensorId) => connected.has(sensorId),
    leadMs: () => 0,
    async check(job) {
      jobs.push(job)
      for (const notice of watchers) notice()
      const answer = stations.answer(job)
      return answer === 'silent' ? new Promise<CheckResult>(() => {}) : resultOf(job, answer)
    },
    async diagnose(job) {
      stations.diagnostics.push(job)
      return stations.diagnosis(job) ?? new Promise<DiagnosticResult>(() => {})
    },
    asked: (count) =>
      new Promise((resolve) => {
        const notice = () => {
          if (jobs.length < count) return
          watchers.delete(notice)
          resolve()
        }
        watchers.add(notice)
        notice()
      }),
  }
  return stations
}

function resultOf(job: CheckJob, answer: CheckResultValue | Partial<CheckResult>): CheckResult {
  const result = typeof answer === 'string' ? answer : (answer.result ?? 'error')
  const isOk = result === 'ok'
  return {
    serviceId: job.serviceId,
    sensorId: job.sensorId,
    result,
    startedAt: job.startAt,
    responseTime: isOk ? 12 : null,
    dataSize: isOk ? 345 : null,
    errorTypeId: isOk ? null : 2001,
    errorMessage: isOk ? null : 'The connection was refused.',
    phases: isOk ? { dns: 0.5, connect: 1.25, tls: null, sent: 0.1, first_byte: 9, transfer: 1 } : null,
    steps: null,
    evidence: null,
    ...(typeof answer === 'string' ? {} : answer),
  }
}
