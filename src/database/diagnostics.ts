import sql from 'sql-template-tag'
import type { DiagnosticRequest } from '../domain/diagnostic.ts'
import type { Executor } from './connect.ts'

/** What a wake-up on the channel `schedule` says when it is no round that waits. */
export const diagnosticsWaiting = 'diagnostics'

/** Wakes those who hand diagnostics to stations when the transaction commits. */
export async function wakeDiagnosticians(transaction: Executor): Promise<void> {
  await transaction.execute(sql`select pg_notify('schedule', ${diagnosticsWaiting})`)
}

export interface ClaimedDiagnostic {
  readonly id: number
  readonly sensor_id: number
  readonly request: DiagnosticRequest
}

export interface ClaimWishes {
  /** Sensors that this process reaches. */
  readonly sensorIds: readonly number[]
  readonly limit: number
  /** Unix milliseconds; longer than any station may take. */
  readonly leasedUntilAt: number
  /** The session that holds them (holders.ts); null: only the lease ends the claim. */
  readonly heldBy: string | null
}

/** Takes what waits for one of the sensors. Any number of processes may do it at once. */
export function claimDiagnostics(executor: Executor, { sensorIds, limit, leasedUntilAt, heldBy }: ClaimWishes) {
  return executor.query<ClaimedDiagnostic>(
    sql`
    update diagnostics set status = 'in_progress', leased_until = ${new Date(leasedUntilAt)}, held_by = ${heldBy}
    where id = any(array(
      select id from diagnostics where status = 'pending' and sensor_id = any(${sensorIds}::int[])
      order by id limit ${limit} for update skip locked))
    returning id, sensor_id, request`,
    'claim-diagnostics',
  )
}

export interface Diagnosis {
  readonly isOk: boolean
  readonly lines: readonly string[]
}

/** Ends what is under way; what was deleted or given up meanwhile stays so. */
export async function finishDiagnostic(executor: Executor, id: number, { isOk, lines }: Diagnosis): Promise<void> {
  await executor.execute(sql`
    update diagnostics set status = ${isOk ? 'completed' : 'failed'}, lines = ${lines}, leased_until = null
    where id = ${id} and status = 'in_progress'`)
}

/** Ends what nobody took, and what a process took that is gone. Their makers must not wait for ever. */
export async function giveUpDiagnostics(executor: Executor, now: number, patienceMs: number): Promise<void> {
  await executor.execute(
    sql`
    update diagnostics set status = 'failed', leased_until = null,
      lines = array[case status when 'pending' then 'the sensor was not connected in time' else 'the sensor was lost meanwhile' end]
    where (status = 'pending' and created_at < ${new Date(now - patienceMs)})
      or (status = 'in_progress' and leased_until < ${new Date(now)})`,
    'give-up-diagnostics',
  )
}
