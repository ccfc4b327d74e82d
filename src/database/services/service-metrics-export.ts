import sql from 'sql-template-tag'
import type { Executor } from '../connect.ts'

/** The one row about sending the metrics of services: which process does so, and until when it is sure to. */

export interface ExportHolder {
  readonly holder: string
  readonly now: number
  readonly leaseMs: number
}

/** True if this process sends until the lease ends: no other one does, or that one has ended or stalls. */
export async function claimExport(executor: Executor, { holder, now, leaseMs }: ExportHolder): Promise<boolean> {
  const claimed = await executor.execute(sql`
    update service_metrics_export set held_by = ${holder}, leased_until = ${new Date(now + leaseMs)}
    where id = 1 and (held_by is null or held_by = ${holder} or leased_until <= ${new Date(now)})`)
  return claimed === 1
}

/** Lets another process send at once. */
export async function leaveExport(executor: Executor, holder: string): Promise<void> {
  await executor.execute(sql`
    update service_metrics_export set held_by = null, leased_until = null where id = 1 and held_by = ${holder}`)
}
