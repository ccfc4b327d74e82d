import sql from 'sql-template-tag'
import { commentPermissions } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { always } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import { one, resource, table } from '../../rest/declare.ts'
import { identifier, integer, moment, text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { createdSchema } from '../../rest/routes.ts'
import { lockPlans } from '../../service-state/statuses.ts'
import { lockFailure } from './acknowledgement.ts'

const path = '/services/{_id}/history/status_changes/{_change_id}/comments'

const textField = text({
  about: 'Plain text.',
  multiline: true,
  required: true,
  minimumLength: 1,
  maximumLength: 5000,
  contains: true,
  example: 'The disk was full; it has been cleaned.',
})

async function addComment(call: Call) {
  const { values, problems } = readBody({ text: textField }, call.body, call.nowAt)
  refuseAny(problems)
  const id = await call.database.transaction(async (transaction) => {
    const { service_id: serviceId, change_key: changeId } = await lockFailure(transaction, call)
    const [there] = await transaction.query<{ count: number }>(sql`
      select count(*) as count from change_comments where service_id = ${serviceId} and change_id = ${changeId}`)
    if ((there?.count ?? 0) >= countLimits.changeComments)
      refuse('limit_exceeded', undefined, { limit: 'comments', value: countLimits.changeComments })
    const [made] = await transaction.query<{ id: number }>(sql`
      insert into change_comments (service_id, change_id, account_id, time, text)
      values (${serviceId}, ${changeId}, ${call.caller.account_id}, ${new Date(call.nowAt)}, ${values['text']})
      returning id`)
    return made?.id ?? refuse('internal_error')
  })
  const { _id: service, _change_id: change } = call.parameters
  const location = `${call.baseUrl}/services/${service}/history/status_changes/${change}/comments/${id}`
  return { status: 201, body: { id }, headers: { Location: location } }
}

export const changeComments = resource('change_comments', {
  about: 'Comments of a failure, written by those who may modify the service.',
  singular: 'comment',
  tag: 'history',
  path,
  parent: 'status_changes',
  bound: { _id: 'service_id', _change_id: 'change_key', _comment_id: 'id' },
  storedKey: { service_id: 'service_id', change_id: 'change_key', id: 'id' },
  source: table(
    'change_comments',
    () => sql`select cc.*, cc.change_id as change_key, s.owner_id, s.group_id
      from change_comments cc join services s on s.id = cc.service_id`,
  ),
  fields: {
    id: identifier(),
    time: moment({ readOnly: true, filter: true, sort: true }),
    account_id: integer({
      about: 'The account that wrote it; it may be gone.',
      nullable: true,
      readOnly: true,
      filter: true,
      sort: true,
    }),
    text: textField,
    service_id: integer({ internal: true }),
    change_key: integer({ internal: true }),
    owner_id: integer({ internal: true }),
    group_id: integer({ internal: true }),
  },
  relations: { account: one('accounts', 'account_id') },
  embed: ['account', 'permissions'],
  search: ['text'],
  visible: () => always(true),
  permissions: commentPermissions,
  operations: ['list', 'read', 'remove', 'permissions'],
  write: { lockedBy: { field: 'service_id', lock: (transaction, serviceId) => lockPlans(transaction, [serviceId]) } },
  actions: [
    {
      id: 'change_comments.create',
      method: 'POST',
      path,
      tag: 'history',
      summary: 'Comment a failure',
      about: 'Needs the right to modify the service. The author alone may delete it.',
      access: 'customer',
      parameters: pathParameters(path),
      body: { text: textField },
      answers: {
        201: { about: 'Created.', schema: createdSchema, headers: { Location: 'Address of the created object.' } },
      },
      handle: addComment,
    },
  ],
})
