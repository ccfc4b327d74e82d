import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { tell } from '../../database/stream-events.ts'
import type { Row } from '../../domain/condition.ts'
import { acknowledgeEscalation, resumeEscalation } from '../../outbox/escalations.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { integer, moment, text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'

const path = '/services/{_id}/history/status_changes/{_change_id}'
const column = { nullable: true, readOnly: true, computed: true, filter: true, sort: true, example: null } as const

/** Of a status change: who knows of the failure, and since when. */
export const acknowledgementFields = {
  acknowledged_at: moment({ ...column, about: 'Null while nobody acknowledged it.' }),
  acknowledged_by_account_id: integer({ ...column, about: 'Who acknowledged it first; that account may be gone.' }),
  acknowledgement_comment: text({
    ...column,
    filter: false,
    sort: false,
    about: 'As it was acknowledged; plain text.',
  }),
}

const commentField = text({
  about: 'Plain text.',
  multiline: true,
  maximumLength: 1000,
  nullable: true,
  typical: true,
  example: 'Anna restarts the server.',
})

/** Locks the failure with its service's plan; refuses what may not be written, and what is no failure. */
export async function lockFailure(transaction: Executor, call: Call): Promise<Row> {
  const change = await lockForWrite(call.registry.get('status_changes'), transaction, call, 'update')
  if (change['status'] !== 'failure') refuse('status_change_is_not_failure')
  return change
}

/** Listeners see the mark at once. */
function tellOf(transaction: Executor, serviceId: number, changeId: number): Promise<void> {
  return tell(transaction, [
    { kind: 'service_status', serviceId, subjectId: serviceId },
    { kind: 'status_change', serviceId, subjectId: changeId },
  ])
}

async function acknowledge(call: Call) {
  const { values, problems } = readBody({ comment: commentField }, call.body ?? {}, call.nowAt)
  refuseAny(problems)
  await call.database.transaction(async (transaction) => {
    const { service_id: serviceId, change_key: changeId, acknowledged_at: at } = await lockFailure(transaction, call)
    if (at !== null) return
    await transaction.execute(sql`
      update status_changes set acknowledged_at = ${new Date(call.nowAt)},
        acknowledged_by_account_id = ${call.caller.account_id}, acknowledgement_comment = ${values['comment'] ?? null}
      where service_id = ${serviceId} and change_id = ${changeId}`)
    await transaction.execute(sql`
      update service_statuses set acknowledged_change_id = ${changeId}
      where service_id = ${serviceId} and state_change_id = ${changeId}`)
    await acknowledgeEscalation(transaction, Number(serviceId), Number(changeId))
    await tellOf(transaction, Number(serviceId), Number(changeId))
  })
  return { status: 204 }
}

async function unacknowledge(call: Call) {
  await call.database.transaction(async (transaction) => {
    const { service_id: serviceId, change_key: changeId } = await lockFailure(transaction, call)
    await transaction.execute(sql`
      update status_changes set acknowledged_at = null, acknowledged_by_account_id = null, acknowledgement_comment = null
      where service_id = ${serviceId} and change_id = ${changeId}`)
    await transaction.execute(sql`
      update service_statuses set acknowledged_change_id = null
      where service_id = ${serviceId} and acknowledged_change_id = ${changeId}`)
    const failure = { serviceId: Number(serviceId), changeId: Number(changeId) }
    await resumeEscalation(transaction, { ...failure, now: call.nowAt })
    await tellOf(transaction, Number(serviceId), Number(changeId))
  })
  return { status: 204 }
}

const common = { method: 'POST', tag: 'history', access: 'customer', answers: noContent } as const

export const acknowledgements: readonly Operation[] = [
  {
    ...common,
    id: 'status_changes.acknowledge',
    path: `${path}/acknowledge`,
    summary: 'Acknowledge a failure',
    about:
      'Says that somebody knows of it: the notifications that repeat it and the steps of its escalation stop until it ends. A further one changes nothing. The next failure is told as ever. Needs the right to modify the service.',
    parameters: pathParameters(`${path}/acknowledge`),
    body: { comment: commentField },
    isBodyOptional: true,
    handle: acknowledge,
  },
  {
    ...common,
    id: 'status_changes.unacknowledge',
    path: `${path}/unacknowledge`,
    summary: 'Take back the acknowledgement of a failure',
    about: 'The notifications that repeat it and its escalation go on. Its comments stay.',
    parameters: pathParameters(`${path}/unacknowledge`),
    handle: unacknowledge,
  },
]
