import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { channelIds } from '../../channels/index.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { always } from '../../domain/queries/condition.ts'
import { writeRedelivery } from '../../outbox/redeliveries.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { type Resource, resource, view } from '../../rest/declare.ts'
import { identifier, integer, json, moment, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { deliveryErrorText } from '../../wording/delivery-errors.ts'
import { type AddressResource, countTest, maximumAnHour } from './test-messages.ts'

/** Days for which they are kept (monitoring/retention.ts). */
const keptDays = 30

const column = { readOnly: true, filter: true, sort: true } as const
const texts = { type: 'object', additionalProperties: { type: 'string' } } as const

const requestSchema = {
  type: 'object',
  required: ['method', 'url', 'headers', 'body'],
  properties: {
    method: { type: 'string' },
    url: { type: 'string' },
    headers: texts,
    body: { type: ['string', 'null'] },
  },
} as const

const responseSchema = {
  type: ['object', 'null'],
  required: ['status', 'headers', 'body'],
  properties: { status: { type: 'integer', maximum: 999 }, headers: texts, body: { type: 'string' } },
} as const

const fields = {
  id: identifier(),
  time: moment({ ...column, about: 'When the attempt ended.', sortBy: 'id' }),
  notification_id: integer({ ...column, about: 'In the log of notifications: one has several attempts.' }),
  notification_channel_id: text({ ...column, oneOf: channelIds, about: 'As it was then.', example: 'webhook' }),
  attempt: integer({ ...column, minimum: 1, about: 'Counts the attempts of one notification.', example: 1 }),
  status: text({
    ...column,
    oneOf: ['sent', 'unconfirmed', 'retried', 'failed'],
    about: 'unconfirmed: no answer was seen, and it is not sent again. retried: another attempt follows.',
    example: 'sent',
  }),
  error_message: text({
    ...column,
    contains: true,
    nullable: true,
    about: 'In the language of the request; filters and search look at the English text.',
    example: null,
    shown: (kept, _row, language) => (kept === null ? null : deliveryErrorText(String(kept), language)),
  }),
  duration: integer({ ...column, minimum: 0, about: 'Milliseconds, from dialling to the end of the answer.' }),
  response_status: integer({
    ...column,
    nullable: true,
    about: 'HTTP status; null: no answer was seen.',
    example: 204,
  }),
  request: json({
    readOnly: true,
    about: '`***` stands for what is secret, and for headers that may be. Of the body its first 20,000 characters.',
    schema: { written: requestSchema, shown: requestSchema },
    example: { method: 'POST', url: 'https://example.com/hook', headers: {}, body: '{}' },
  }),
  response: json({
    readOnly: true,
    about: 'Null: no answer was seen. Of the body its first 4,000 characters.',
    schema: { written: responseSchema, shown: responseSchema },
    example: { status: 204, headers: {}, body: '' },
  }),
  address_id: integer({ internal: true }),
}

/** The resources with addresses of integrations, and the resource of their deliveries. */
const ofParent: Readonly<Record<AddressResource, string>> = {
  notification_addresses: 'deliveries',
  contact_addresses: 'contact_deliveries',
}

/** The attempts to deliver messages to the addresses of a resource, with request and answer. */
export function deliveriesOf(parent: AddressResource): Resource {
  return resource(ofParent[parent], {
    about:
      `Attempts to deliver messages to an address of an integration, newest first: the last ${countLimits.deliveries.toLocaleString('en')} of ` +
      `${keptDays} days. Lists are shorter with \`fields\`.`,
    singular: 'delivery',
    tag: parent,
    path: `/${parent}/{_id}/deliveries`,
    parent,
    bound: { _id: 'address_id', _delivery_id: 'id' },
    // An address that came to another group shows its readers nothing of the one before.
    source: view(
      () => sql`
        select d.id, d.address_id, d.time, d.notification_id, d.notification_channel_id, d.attempt, d.status, d.error_message,
          (d.exchanged->>'durationMs')::int as duration, (d.exchanged->'response'->>'status')::int as response_status,
          d.exchanged->'request' as request, d.exchanged->'response' as response
        from deliveries d
        join notification_addresses a on a.id = d.address_id
        left join groups g on g.id = a.group_id
        left join contacts c on c.id = a.contact_id
        where d.account_id = coalesce(g.owner_id, c.owner_id) and (a.group_id is null or a.group_id = d.group_id)`,
    ),
    fields,
    sort: ['-id'],
    search: ['error_message'],
    scope: 'notifications',
    visible: () => always(true),
    operations: ['list', 'read'],
    actions: [redeliverOf(parent)],
  })
}

function redeliverOf(parent: AddressResource): Operation {
  const path = `/${parent}/{_id}/deliveries/{_delivery_id}/redeliver`
  return {
    id: `${ofParent[parent]}.redeliver`,
    method: 'POST',
    path,
    tag: parent,
    summary: 'Send the message of a delivery once more',
    about:
      'The same message under the same key (`webhook-id`), with a fresh time and signature, to the address as it is now. It is a notification of its own ' +
      `in the log. Needs the right to change the address. At most ${maximumAnHour} an hour together with test messages.`,
    access: 'customer',
    parameters: pathParameters(path),
    answers: {
      202: {
        about: 'It will be sent at once.',
        schema: {
          type: 'object',
          required: ['notification_id'],
          properties: { notification_id: { type: 'integer', format: 'int64' } },
          example: { notification_id: 1 },
        },
      },
    },
    handle: (call) => redeliver(call, parent),
  }
}

async function redeliver(call: Call, parent: AddressResource) {
  const { registry, database, nowAt } = call
  const notificationId = await database.transaction(async (transaction) => {
    const address = await lockForWrite(registry.get(parent), transaction, call, 'update')
    const delivery = await locatedRow(registry.get(ofParent[parent]), call, { flags: [] }, transaction)
    await countTest(transaction, Number(address['owner_id']), nowAt)
    const eventId = `redelivery:${delivery['id']}:${randomUUID()}`
    const written = await writeRedelivery(transaction, Number(delivery['notification_id']), eventId, nowAt)
    return written ?? refuse('delivery_cannot_be_repeated')
  })
  return { status: 202, body: { notification_id: notificationId } }
}
