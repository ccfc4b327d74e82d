import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ownProgram } from '../support/own-program.ts'

export interface ChildSettings {
  readonly databaseUrl: string
  /** Where the child's clock stands. */
  readonly now: number
  /** It kills itself at once after the first phase has ended. */
  readonly diesBetween: boolean
}

export interface ReporterProcess {
  readonly pid: number
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>
  /** Resolves with the signal that ended it, or null. */
  readonly ended: Promise<NodeJS.Signals | null>
}

/** A reporter in a process of its own, with processes of its own that make documents. */
export function startReporterProcess(settings: ChildSettings): ReporterProcess {
  const child = spawn(process.execPath, [ownProgram('reporter-child'), JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null)
  return {
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    ended,
  }
}
