import { acknowledgedChannelIds } from '../../channels/index.ts'
import type { Executor } from '../../database/connect.ts'
import type { Row } from '../../domain/queries/condition.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { integer, moment, text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { acknowledgeChange, unacknowledgeChange } from '../../service-state/acknowledgements.ts'

const path = '/services/{_id}/history/status_changes/{_change_id}'
const column = { nullable: true, readOnly: true, computed: true, filter: true, sort: true, example: null } as const

/** For a status change: who knows of the failure, and since when. */
export const acknowledgementFields = {
  acknowledged_at: moment({ ...column, about: 'Null while nobody acknowledged it.' }),
  acknowledged_by_account_id: integer({
    ...column,
    about: 'The account that acknowledged it first; it may be gone. Null where it was done by the link of a message.',
  }),
  acknowledged_by_name: text({
    ...column,
    filter: false,
    sort: false,
    about:
      'Whose message had the link by which it was acknowledged: the contact or the address, as it was called then.',
  }),
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

function commentOf({ comment }: Readonly<Record<string, unknown>>): string | null {
  return typeof comment === 'string' ? comment : null
}

async function acknowledge(call: Call) {
  const { values, problems } = readBody({ comment: commentField }, call.body ?? {}, call.nowAt)
  refuseAny(problems)
  await call.database.transaction(async (transaction) => {
    const { service_id: serviceId, change_key: changeId } = await lockFailure(transaction, call)
    await acknowledgeChange(transaction, {
      ...{ serviceId: Number(serviceId), changeId: Number(changeId), at: call.nowAt },
      ...{ accountId: call.caller.account_id, name: null, comment: commentOf(values) },
      channels: acknowledgedChannelIds,
    })
  })
  return { status: 204 }
}

async function unacknowledge(call: Call) {
  await call.database.transaction(async (transaction) => {
    const { service_id: serviceId, change_key: changeId } = await lockFailure(transaction, call)
    const failure = { serviceId: Number(serviceId), changeId: Number(changeId), at: call.nowAt }
    await unacknowledgeChange(transaction, failure)
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
