import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'
import { sessionName } from './session-name.ts'

/** The one row about the watched directory: who applies it, and how that ended. */

export interface DirectoryHolder {
  /** The name of the session on which the process listens. */
  readonly session: string
  readonly now: number
}

/** A process that stalls for longer has lost the directory to another one. */
export const directoryLeaseMs = 60_000

/** True if this process applies the directory until the lease ends: nobody else does, or that process has died. */
export async function claimDirectory(executor: Executor, { session, now }: DirectoryHolder): Promise<boolean> {
  const claimed = await executor.execute(sql`
    update config_directory set held_by = ${session}, leased_until = ${new Date(now + directoryLeaseMs)}
    where id = 1 and (held_by is null or held_by = ${session} or leased_until <= ${new Date(now)}
      or not exists (select from pg_stat_activity where ${sessionName} = held_by
        or (backend_start is null and starts_with(held_by, pid || '@'))))`)
  return claimed === 1
}

/** Lets another process take the directory at once. */
export async function leaveDirectory(executor: Executor, session: string): Promise<void> {
  await executor.execute(sql`
    update config_directory set held_by = null, leased_until = null where id = 1 and held_by = ${session}`)
}

export interface DirectoryEnd {
  readonly directory: string
  readonly account: string
  readonly result: string
  readonly mark: string | null
  readonly files: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  readonly left: number
  readonly faults: readonly object[]
  readonly endedAt: number
}

/** The result of a complete run; every other one is a failure. */
export const completeResult = 'applied'

/** Writes how a run ended, unless another process has the directory by now. */
export async function noteDirectoryEnd(executor: Executor, session: string, end: DirectoryEnd): Promise<void> {
  const endedAt = new Date(end.endedAt)
  const isComplete = end.result === completeResult
  await executor.execute(sql`
    update config_directory set directory = ${end.directory}, account = ${end.account}, result = ${end.result},
      mark = ${end.mark}, files = ${end.files}, changed = ${end.changed}, unchanged = ${end.unchanged},
      failed = ${end.failed}, left_over = ${end.left}, faults = ${JSON.stringify(end.faults)}, ended_at = ${endedAt},
      succeeded_at = case when ${isComplete}::boolean then ${endedAt} else succeeded_at end,
      failed_at = case when ${isComplete}::boolean then failed_at else ${endedAt} end
    where id = 1 and held_by = ${session}`)
}

export interface DirectoryState extends Omit<DirectoryEnd, 'left' | 'endedAt'> {
  readonly left_over: number
  readonly ended_at: number
  readonly succeeded_at: number | null
  readonly failed_at: number | null
}

/** How the last run ended; null: no directory was ever applied. */
export async function readDirectoryState(executor: Executor): Promise<DirectoryState | null> {
  const [row] = await executor.query<DirectoryState>(sql`
    select directory, account, result, mark, files, changed, unchanged, failed, left_over, faults, ended_at,
      succeeded_at, failed_at
    from config_directory where id = 1 and ended_at is not null`)
  return row ?? null
}
