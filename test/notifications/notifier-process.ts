import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ownProgram } from '../support/own-program.ts'

export interface ChildSettings {
  readonly databaseUrl: string
  readonly smtpUrl: string
  /** Where the child's clock stands. */
  readonly now: number
}

export interface NotifierProcess {
  readonly pid: number
  /** Its warnings so far. */
  readonly warnings: readonly string[]
  /** SIGKILL; resolves when the process is gone, so nothing more comes from it. */
  readonly kill: () => Promise<void>
  readonly ended: Promise<unknown>
}

/** A notifier in a process of its own. */
export function startNotifierProcess(settings: ChildSettings): NotifierProcess {
  const child = spawn(process.execPath, [ownProgram('notifier-child'), JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const warnings: string[] = []
  child.on('message', (text) => warnings.push(String(text)))
  return {
    pid: child.pid ?? 0,
    warnings,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    ended,
  }
}
