import { randomUUID } from 'node:crypto'
import { destinationHost } from '../channels/addressing.ts'
import { integrationOf, meteredChannelIds } from '../channels/index.ts'
import type { StoredSettings } from '../domain/extended-settings.ts'
import { noAddress, writeTrialIntent } from '../outbox/intents.ts'
import type { Call, Operation } from '../rest/call.ts'
import type { Fields } from '../rest/fields.ts'
import { acceptNew } from '../rest/operations/create.ts'
import { refuse } from '../rest/problems.ts'
import {
  countTest,
  errorLanguage,
  maximumAnHour,
  outcomeOf,
  outcomeSchema,
  shownOutcome,
  waits,
} from './test-messages.ts'

interface TriedAddress {
  readonly group_id: number
  readonly notification_channel_id: string
  readonly address: string
  readonly settings: StoredSettings
}

/** Holds the address to all that a new one is held to, and writes the test message. */
async function writeTrial(call: Call, mustConfirm: boolean, eventId: string): Promise<void> {
  const addresses = call.registry.get('notification_addresses')
  await call.database.transaction(async (transaction) => {
    const { row, facts } = await acceptNew(addresses, transaction, call)
    // What the resource accepted has these members.
    const { group_id: groupId, notification_channel_id: channelId, address, settings } = row as unknown as TriedAddress
    const isConfirmedByCode = mustConfirm && integrationOf(channelId) === undefined
    if (isConfirmedByCode || meteredChannelIds.includes(channelId)) refuse('address_is_not_confirmed')
    await countTest(transaction, (facts as { readonly group: { readonly owner_id: number } }).group, call.nowAt)
    const destination = destinationHost(channelId, settings)
    await writeTrialIntent(transaction, { groupId, channelId, address, settings, destination }, eventId, call.nowAt)
  })
}

/** `POST /notification_addresses/trial` (extensions §4). `mustConfirm`: an address that takes a code is refused. */
export function addressTrial(body: Fields, mustConfirm: boolean): Operation {
  return {
    id: 'notification_addresses.trial',
    method: 'POST',
    path: '/notification_addresses/trial',
    tag: 'notification_addresses',
    summary: 'Send a test message to an address before it is saved',
    about:
      'The body and the rights are those of a creation. Nothing is kept but a line in the log of notifications. Telephones, and where addresses are confirmed ' +
      `all that take a code, are tried after they are saved. At most ${maximumAnHour} an hour together with other test messages. ${errorLanguage}${waits}.`,
    access: 'customer',
    body,
    answers: { 200: { about: 'What became of the message.', schema: outcomeSchema } },
    async handle(call) {
      const eventId = `test:${randomUUID()}`
      await writeTrial(call, mustConfirm, eventId)
      return shownOutcome(call, await outcomeOf(call, eventId, noAddress))
    },
  }
}
