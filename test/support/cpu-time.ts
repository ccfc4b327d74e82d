import { keepRunTime } from '../../src/child-process/run-delay.ts'

/** Milliseconds of CPU since the call: unlike a time on the clock, a busy machine does not change them much. */
export function cpuOfProcess(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}

/** The same of the main thread alone, on which the event loop runs; of the process where the system does not tell. */
export function cpuOfThisThread(): () => number {
  const runTime = keepRunTime(`${process.pid}/task/${process.pid}`)
  const before = runTime.read()
  const ofProcess = cpuOfProcess()
  return () => {
    const ranMs = runTime.read()
    runTime.close()
    return before === null || ranMs === null ? ofProcess() : ranMs - before
  }
}
