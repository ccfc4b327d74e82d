import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { tell } from '../database/services/stream-events.ts'
import { type AcknowledgedFailure, tellAcknowledgement } from '../outbox/acknowledgement-intents.ts'
import { acknowledgeEscalation, resumeEscalation } from '../outbox/escalations.ts'

/** Somebody says that they know of a failure. The transaction has locked the service's plan. */
export type Acknowledgement = AcknowledgedFailure

/**
 * Keeps the first acknowledgement. While the failure lasts, it is not notified again, and its escalation stops.
 * @returns whether it was the first
 */
export async function acknowledgeChange(transaction: Executor, given: Acknowledgement): Promise<boolean> {
  const { serviceId, changeId, at, accountId, name, comment } = given
  const marked = await transaction.execute(sql`
    update status_changes set acknowledged_at = ${new Date(at)}, acknowledged_by_account_id = ${accountId},
      acknowledged_by_name = ${name}, acknowledgement_comment = ${comment}
    where service_id = ${serviceId} and change_id = ${changeId} and status = 'failure' and acknowledged_at is null`)
  if (marked === 0) return false
  await transaction.execute(sql`
    update service_statuses set acknowledged_change_id = ${changeId}
    where service_id = ${serviceId} and state_change_id = ${changeId}`)
  await acknowledgeEscalation(transaction, serviceId, changeId)
  await tellAcknowledgement(transaction, given)
  await tellOf(transaction, serviceId, changeId)
  return true
}

/**
 * Repetitions of the failure's notification continue, and so does its escalation.
 *
 * @param failure at: Unix milliseconds
 */
export async function unacknowledgeChange(
  transaction: Executor,
  failure: Pick<Acknowledgement, 'serviceId' | 'changeId' | 'at'>,
): Promise<void> {
  const { serviceId, changeId, at } = failure
  await transaction.execute(sql`
    update status_changes set acknowledged_at = null, acknowledged_by_account_id = null, acknowledged_by_name = null,
      acknowledgement_comment = null
    where service_id = ${serviceId} and change_id = ${changeId}`)
  await transaction.execute(sql`
    update service_statuses set acknowledged_change_id = null
    where service_id = ${serviceId} and acknowledged_change_id = ${changeId}`)
  await resumeEscalation(transaction, { serviceId, changeId, now: at })
  await tellOf(transaction, serviceId, changeId)
}

/** Listeners see the mark at once. */
function tellOf(transaction: Executor, serviceId: number, changeId: number): Promise<void> {
  return tell(transaction, [
    { kind: 'service_status', serviceId, subjectId: serviceId },
    { kind: 'status_change', serviceId, subjectId: changeId },
  ])
}
