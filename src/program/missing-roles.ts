import type { Role } from '../config/variables.ts'
import type { Log } from './log.ts'

const lookMs = 10_000

/** The consequence when no process has a role. */
const without: readonly (readonly [roles: readonly Role[], sentence: string])[] = [
  [['monitoring'], 'no process has the role monitoring: nothing is checked'],
  [['sensor', 'api'], 'no process has the role sensor or api: there are no stations, so nothing can be checked'],
  [['notifier'], 'no process has the role notifier: messages wait'],
  [['reporter'], 'no process has the role reporter: reports and plans wait'],
  [['api'], 'no process has the role api: nobody can log in, and no remote station can connect'],
]

/** One sentence for each missing role. */
export function missingRoles(present: ReadonlySet<string>): readonly string[] {
  return without.filter(([roles]) => !roles.some((role) => present.has(role))).map(([, sentence]) => sentence)
}

export interface RolesWatch {
  missing(): readonly string[]
  stop(): void
}

export interface RolesWatchParts {
  readonly own: readonly Role[]
  readonly others: () => ReadonlySet<string>
  /** True if no other process can join. */
  readonly isAlone: boolean
  readonly log: Pick<Log, 'warn' | 'info'>
}

/**
 * Logs when no process has a role any more, and when one has it again. Roles missing at the start are not logged:
 * `missing()` returns them.
 */
export function watchRoles({ own, others, isAlone, log }: RolesWatchParts): RolesWatch {
  const missing = () => missingRoles(new Set<string>([...own, ...others()]))
  let known: readonly string[] = missing()
  const look = () => {
    const now = missing()
    for (const sentence of now)
      if (!known.includes(sentence)) log.warn({ missing: sentence }, 'No process has this role')
    for (const sentence of known)
      if (!now.includes(sentence)) log.info({ missed: sentence }, 'A process has this role again')
    known = now
  }
  const timer = isAlone ? undefined : setInterval(look, lookMs).unref()
  return {
    missing: () =>
      isAlone ? missing().map((sentence) => `${sentence} (the embedded database serves one process)`) : missing(),
    stop: () => clearInterval(timer),
  }
}
