import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { meteredChannelIds } from '../../channels/index.ts'
import type { Executor } from '../../database/connect.ts'
import { hourLength } from '../../domain/calendars/durations.ts'
import type { Row } from '../../domain/queries/condition.ts'
import {
  countTestIntents,
  readTestOutcome,
  type TestOutcome,
  type TestTarget,
  writeTestIntents,
} from '../../outbox/intents.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { deliveryErrorText } from '../../wording/delivery-errors.ts'

export type AddressResource = 'notification_addresses' | 'contact_addresses'
type Tried = 'groups' | 'services' | AddressResource

const whose: Readonly<Record<Tried, string>> = {
  groups: "to the group's numbers",
  services: "to the numbers that the service's notices go to",
  notification_addresses: 'to the address',
  contact_addresses: 'to the address',
}

const metered = { channelIds: meteredChannelIds } as const

/** Null: nothing could ever be sent there. */
function targetOf(tried: Tried, row: Row): TestTarget | null {
  const id = Number(row['id'])
  switch (tried) {
    case 'groups':
      return { ...metered, groupId: id, service: null }
    case 'notification_addresses':
    case 'contact_addresses':
      return { ...metered, addressId: id, service: null }
    case 'services':
      return (row['notification_channel_ids'] as readonly string[]).some((id) => meteredChannelIds.includes(id))
        ? { ...metered, groupId: Number(row['group_id']), service: { id, name: String(row['name']) } }
        : null
  }
}

/** Test messages of one account an hour: each costs the operator money and may ring anybody's telephone. */
export const maximumAnHour = 30

export async function countTest(transaction: Executor, accountId: number, nowAt: number): Promise<void> {
  const sentLately = await countTestIntents(transaction, accountId, nowAt - hourLength)
  if (sentLately >= maximumAnHour) refuse('test_sms_limit_exceeded', undefined, { value: maximumAnHour, period: '1 h' })
}

/** `POST /{resource}/{_id}/send_test_sms_notification` (answers §10) */
export function sendTestSmsOf(tried: Tried): Operation {
  return {
    id: `${tried}.send_test_sms_notification`,
    scope: 'notifications',
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
        await countTest(transaction, Number(row['owner_id']), call.nowAt)
        const target = targetOf(tried, row)
        const sent =
          target === null ? 0 : await writeTestIntents(transaction, target, `test:${randomUUID()}`, call.nowAt)
        if (sent === 0) refuse('no_sms_address')
      })
      return { status: 204 }
    },
  }
}

/** Seconds that the call waits for the message to be sent; then it says that it is pending. */
const testPatience = 15
const lookEveryMs = 150

export async function outcomeOf(call: Call, eventId: string, addressId: number): Promise<TestOutcome> {
  const until = performance.now() + testPatience * 1000
  let outcome = await readTestOutcome(call.database, eventId, addressId)
  while (outcome.status === 'pending' && performance.now() < until) {
    await delay(lookEveryMs)
    outcome = await readTestOutcome(call.database, eventId, addressId)
  }
  return outcome
}

export const outcomeSchema = {
  type: 'object',
  required: ['status', 'error_message'],
  properties: {
    status: { type: 'string', enum: ['sent', 'failed', 'pending'] },
    error_message: { type: ['string', 'null'] },
  },
  example: { status: 'sent', error_message: null },
}

/** For descriptions of operations. */
export const errorLanguage =
  'Its `error_message` is in the language of the request, but for what a far end said itself. '
export const waits = `The call waits up to ${testPatience} seconds; \`pending\` says that the message is still on its way or is tried again`

/** `POST /{resource}/{_id}/send_test_notification` (extensions §4) */
export const sendTestNotification = (resource: AddressResource): Operation => ({
  id: `${resource}.send_test_notification`,
  method: 'POST',
  path: `/${resource}/{_id}/send_test_notification`,
  tag: resource,
  summary: 'Send a test message to the address and say what became of it',
  about:
    `Any channel; to a phone number only of one's own group, as each SMS costs its owner. At most ${maximumAnHour} an hour together with test SMS. ` +
    `${errorLanguage}${waits}, and the log of notifications tells the rest.`,
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: { 200: { about: 'The outcome of the message.', schema: outcomeSchema } },
  async handle(call) {
    const eventId = `test:${randomUUID()}`
    const addressId = await call.database.transaction(async (transaction) => {
      const addresses = call.registry.get(resource)
      const row = await lockForWrite(addresses, transaction, call, 'update')
      if (meteredChannelIds.includes(String(row['notification_channel_id'])))
        await lockForWrite(addresses, transaction, call, 'send_test_sms_notifications')
      if (row['is_confirmed'] !== true) refuse('address_is_not_confirmed')
      await countTest(transaction, Number(row['owner_id']), call.nowAt)
      const id = Number(row['id'])
      await writeTestIntents(transaction, { addressId: id, channelIds: null, service: null }, eventId, call.nowAt)
      return id
    })
    return shownOutcome(call, await outcomeOf(call, eventId, addressId))
  },
})

export function shownOutcome({ language }: Call, { status, error_message: kept }: TestOutcome) {
  return { status: 200, body: { status, error_message: kept === null ? null : deliveryErrorText(kept, language) } }
}
