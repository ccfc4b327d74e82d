import { randomUUID } from 'node:crypto'
import { countTestIntents, type TestTarget, writeTestIntents } from '../database/intents.ts'
import type { Row } from '../domain/condition.ts'
import { hourLength } from '../domain/durations.ts'
import type { Operation } from '../rest/call.ts'
import { lockForWrite } from '../rest/operations/write.ts'
import { pathParameters } from '../rest/parameter-descriptions.ts'
import { refuse } from '../rest/problems.ts'
import { noContent } from '../rest/routes.ts'

type Tried = 'groups' | 'services' | 'notification_addresses'

const whose: Readonly<Record<Tried, string>> = {
  groups: "to the group's numbers",
  services: "to the numbers that the service's notices go to",
  notification_addresses: 'to the address',
}

/** Null: nothing could ever be sent there. */
function targetOf(tried: Tried, row: Row): TestTarget | null {
  const id = Number(row['id'])
  switch (tried) {
    case 'groups':
      return { groupId: id, addressId: null, service: null }
    case 'notification_addresses':
      return { groupId: Number(row['group_id']), addressId: id, service: null }
    case 'services':
      return (row['notification_channel_ids'] as readonly string[]).includes('sms')
        ? { groupId: Number(row['group_id']), addressId: null, service: { id, name: String(row['name']) } }
        : null
  }
}

/** Test messages of one account an hour: each costs the operator money and may ring anybody's telephone. */
const maximumAnHour = 30

/** `POST /{resource}/{_id}/send_test_sms_notification` (answers §10) */
export function sendTestSmsOf(tried: Tried): Operation {
  return {
    id: `${tried}.send_test_sms_notification`,
    method: 'POST',
    path: `/${tried}/{_id}/send_test_sms_notification`,
    tag: tried,
    summary: `Send a test SMS ${whose[tried]}`,
    about: `Only to numbers of own groups and services; at most ${maximumAnHour} an hour.`,
    access: 'customer',
    parameters: pathParameters('{_id}'),
    answers: noContent,
    async handle(call) {
      await call.database.transaction(async (transaction) => {
        const flag = 'send_test_sms_notifications'
        const row = await lockForWrite(call.registry.get(tried), transaction, call, flag)
        if (row['is_archived'] === true) refuse('service_is_archived')
        const sentLately = await countTestIntents(transaction, Number(row['owner_id']), call.nowAt - hourLength)
        if (sentLately >= maximumAnHour) {
          refuse('test_sms_limit_exceeded', undefined, { value: maximumAnHour, period: '1 h' })
        }
        const target = targetOf(tried, row)
        const sent =
          target === null ? 0 : await writeTestIntents(transaction, target, `test:${randomUUID()}`, call.nowAt)
        if (sent === 0) refuse('no_sms_address')
      })
      return { status: 204 }
    },
  }
}
