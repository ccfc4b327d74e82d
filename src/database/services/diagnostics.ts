import sql from 'sql-template-tag'
import type { DiagnosticRequest } from '../../domain/services/diagnostic.ts'
import type { Executor } from '../connect.ts'

/** The payload on the channel `schedule` that announces a diagnostic instead of a round. */
export const diagnosticsWaiting = 'diagnostics'

/** Wakes the processes that send diagnostics to stations, once the transaction commits. */
export async function wakeDiagnosticians(transaction: Executor): Promise<void> {
  await transaction.execute(sql`select pg_notify('schedule', ${diagnosticsWaiting})`)
}

export interface ClaimedDiagnostic {
  readonly id: number
  readonly sensor_id: number
  readonly request: DiagnosticRequest
}

export interface DiagnosticClaimRequest {
  /** Sensors that this process reaches. */
  readonly sensorIds: readonly number[]
  readonly limit: number
  /** Unix milliseconds; later than any station may answer. */
  readonly leasedUntilAt: number
  /** The session that holds them (holders.ts); null: only the lease ends the claim. */
  readonly heldBy: string | null
}

/** Claims waiting diagnostics of the sensors. Any number of processes may call it at once. */
export function claimDiagnostics(
  executor: Executor,
  { sensorIds, limit, leasedUntilAt, heldBy }: DiagnosticClaimRequest,
) {
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

/** Finishes a running diagnostic; one that was deleted or given up meanwhile stays so. */
export async function finishDiagnostic(executor: Executor, id: number, { isOk, lines }: Diagnosis): Promise<void> {
  await executor.execute(sql`
    update diagnostics set status = ${isOk ? 'completed' : 'failed'}, lines = ${lines}, leased_until = null
    where id = ${id} and status = 'in_progress'`)
}

/** Whether a diagnostic waits or runs: hardly ever, so the turns that take and give up are worth a look first. */
export async function areDiagnosticsOpen(executor: Executor): Promise<boolean> {
  const [found] = await executor.query<{ is_open: boolean }>(
    sql`select exists (select from diagnostics where status in ('pending', 'in_progress')) as is_open`,
    'open-diagnostics',
  )
  return found?.is_open ?? false
}

/** Gives up diagnostics that nobody claimed, or whose process is gone. Their users must not wait for ever. */
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
