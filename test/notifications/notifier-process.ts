import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ChildSettings {
  readonly databaseUrl: string
  readonly smtpUrl: string
  /** Where the child's clock stands. */
  readonly now: number
}

export interface NotifierProcess {
  /** SIGKILL; resolves when the process is gone, so nothing more comes from it. */
  readonly kill: () => Promise<void>
  readonly ended: Promise<unknown>
}

/** A notifier in a process of its own. */
export function startNotifierProcess(settings: ChildSettings): NotifierProcess {
  const program = fileURLToPath(new URL('./notifier-child.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    ended,
  }
}
