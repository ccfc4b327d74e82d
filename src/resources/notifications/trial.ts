import { randomUUID } from 'node:crypto'
import { destinationHost } from '../../channels/addressing.ts'
import { integrationOf, meteredChannelIds } from '../../channels/index.ts'
import type { StoredSettings } from '../../domain/services/extended-settings.ts'
import { noAddress, writeTrialIntent } from '../../outbox/intents.ts'
import type { Call, Operation } from '../../rest/call.ts'
import type { Fields } from '../../rest/fields.ts'
import { acceptNew } from '../../rest/operations/create.ts'
import { refuse } from '../../rest/problems.ts'
import type { AddressFacts } from './address-write.ts'
import {
  type AddressResource,
  countTest,
  errorLanguage,
  maximumAnHour,
  outcomeOf,
  outcomeSchema,
  shownOutcome,
  waits,
} from './test-messages.ts'

interface TriedAddress {
  readonly group_id?: number
  readonly contact_id?: number
  readonly notification_channel_id: string
  readonly address: string
  readonly settings: StoredSettings
}

/** Holds the address to all that a new one is held to, and writes the test message. */
async function writeTrial(call: Call, name: AddressResource, mustConfirm: boolean, eventId: string): Promise<void> {
  const addresses = call.registry.get(name)
  await call.database.transaction(async (transaction) => {
    const { row, facts } = await acceptNew(addresses, transaction, call)
    // An accepted row has these members.
    const tried = row as unknown as TriedAddress
    const { notification_channel_id: channelId, address, settings } = tried
    const isConfirmedByCode = mustConfirm && integrationOf(channelId) === undefined
    if (isConfirmedByCode || meteredChannelIds.includes(channelId)) refuse('address_is_not_confirmed')
    const accountId = (facts as AddressFacts).parent.ownerId ?? 0
    await countTest(transaction, accountId, call.nowAt)
    const destination = destinationHost(channelId, settings)
    const place = tried.contact_id === undefined ? { groupId: tried.group_id ?? 0 } : { contactId: tried.contact_id }
    const unsaved = { accountId, place, channelId, address, settings, destination }
    await writeTrialIntent(transaction, unsaved, eventId, call.nowAt)
  })
}

/** `POST /{resource}/trial` (extensions §4). `mustConfirm`: an address that takes a code is refused. */
export function addressTrial(resource: AddressResource, body: Fields, mustConfirm: boolean): Operation {
  return {
    id: `${resource}.trial`,
    method: 'POST',
    path: `/${resource}/trial`,
    tag: resource,
    summary: 'Send a test message to an address before it is saved',
    about:
      'The body and the rights are those of a creation. Nothing is kept but a line in the log of notifications. Telephones, and where addresses are confirmed ' +
      `all that take a code, are tried after they are saved. At most ${maximumAnHour} an hour together with other test messages. ${errorLanguage}${waits}.`,
    access: 'customer',
    body,
    answers: { 200: { about: 'The outcome of the message.', schema: outcomeSchema } },
    async handle(call) {
      const eventId = `test:${randomUUID()}`
      await writeTrial(call, resource, mustConfirm, eventId)
      return shownOutcome(call, await outcomeOf(call, eventId, noAddress))
    },
  }
}
