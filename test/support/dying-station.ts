// Stands in for the probing process: it dies, runs wild, falls asleep or keeps silent as the job's address says.
import { errorType } from '../../src/domain/judging/error-types.ts'
import type { ToProcess } from '../../src/sensor/messages.ts'
import type { CheckJob, CheckResult } from '../../src/sensor/protocol.ts'

function obey([number, job]: readonly [number, CheckJob]): void {
  if (job.address === 'die') process.exit(3)
  if (job.address === 'hang') for (;;) Math.sqrt(2)
  if (job.address === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (job.address === 'pid') answer(number, job, String(process.pid))
  if (isOwnFault(job.address))
    answer(number, job, job.address, { result: 'unknown', errorTypeId: errorType(job.address).id })
}

const ownFaults = ['browser_busy', 'pattern_late', 'pattern_budget_used'] as const

function isOwnFault(address: string): address is (typeof ownFaults)[number] {
  return ownFaults.some((symbol) => symbol === address)
}

function answer(
  number: number,
  { serviceId, sensorId, startAt }: CheckJob,
  errorMessage: string,
  more: Partial<CheckResult> = {},
): void {
  const result = {
    serviceId,
    sensorId,
    result: 'ok',
    startedAt: startAt,
    responseTime: 1,
    dataSize: null,
    errorTypeId: null,
    errorMessage,
    phases: null,
    steps: null,
    evidence: null,
    ...more,
  }
  process.send?.({ kind: 'results', results: [[number, result]] })
}

process.on('message', (message: ToProcess) => {
  if (message.kind === 'start') process.send?.({ kind: 'ready' })
  else if (message.kind === 'jobs') for (const job of message.jobs) obey(job)
  // A diagnosis is more than this station survives.
  else process.exit(1)
})
process.on('disconnect', () => process.exit(0))
setInterval(() => process.send?.({ kind: 'alive' }), 100)
process.send?.({ kind: 'hello' })
