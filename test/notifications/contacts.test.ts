import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDialler } from '../../src/outgoing/dial.ts'
import { newWorld, type World } from './world.ts'

/** Delivery to the addresses of contacts. */
let world: World
let owner: number

beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.reset()
  owner = await world.holder('owner@example.com', 'pl')
})

interface Told {
  readonly contactId: number
  readonly addressId: number
}

interface Address {
  readonly channelId: string
  readonly address: string
  /** For an integration. */
  readonly settings?: object
  readonly destination?: string
}

/** A contact in New York who reads English, with an address for which a message about a failure waits. */
async function waiting(name: string, told: Address): Promise<Told> {
  const { channelId, address, settings = {}, destination = null } = told
  const [made] = await world.database.query<{ contact_id: number; id: number }>(sql`
    with contact as (insert into contacts (owner_id, name, language_id, time_zone_id)
      values (${owner}, ${name}, 'en', 'america_new_york') returning id)
    insert into notification_addresses (contact_id, notification_channel_id, address, settings, destination)
    select id, ${channelId}, ${address}, ${JSON.stringify(settings)}::jsonb, ${destination} from contact returning contact_id, id`)
  const { contact_id: contactId = 0, id: addressId = 0 } = made ?? {}
  const where = destination === null ? {} : { destination }
  await world.intent({ accountId: owner, addressId, channelId, address, ...where })
  await world.database.execute(sql`
    update notification_intents set contact_id = ${contactId} where address_id = ${addressId}`)
  return { contactId, addressId }
}

const mailTo = (name: string): Address => ({ channelId: 'email', address: `${name}@example.com` })

test('a message has the language and the time zone of the contact, not those of the account', async () => {
  await waiting('anna', mailTo('anna'))
  await world.intent({ accountId: owner, address: 'group@example.com' })
  await (await world.notifier()).drain()
  const told = new Map(world.mailbox.mails.map(({ to: [address], parsed }) => [address, parsed]))
  const readBy = (name: string) =>
    `${told.get(`${name}@example.com`)?.subject} ${told.get(`${name}@example.com`)?.text}`
  expect(readBy('anna')).toMatch(/FAILURE[\s\S]* -05:00/)
  expect(readBy('group')).toMatch(/AWARIA[\s\S]* \+01:00/)
})

test('a contact that was deleted, or its address, is told nothing more on any channel', async () => {
  const { contactId } = await waiting('anna', mailTo('anna'))
  const { addressId } = await waiting('john', mailTo('john'))
  await waiting('eva', mailTo('eva'))
  await world.database.execute(sql`delete from contacts where id = ${contactId}`)
  await world.database.execute(sql`delete from notification_addresses where id = ${addressId}`)
  await (await world.notifier()).drain()
  expect((await world.rows()).map(({ address, error_message: error }) => [address, error])).toEqual([
    ['anna@example.com', 'The address was removed or changed'],
    ['john@example.com', 'The address was removed or changed'],
    ['eva@example.com', null],
  ])
  expect(world.mailbox.mails.flatMap(({ to }) => to)).toEqual(['eva@example.com'])
})

test('an address of a contact whose far end is gone is switched off, and its account is told once', async () => {
  const gone = createServer((_, response) => response.writeHead(410).end())
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const host = `hook.example.com:${(gone.address() as AddressInfo).port}`
  const settings = { url: `http://${host}/latarnik` }
  const { addressId } = await waiting('anna', { channelId: 'webhook', address: host, settings, destination: host })
  const dialler = createDialler({ allow: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] })
  const notifier = await world.notifier({ integrations: { dialler, vendorUrls: new Map() } })
  await notifier.drain()
  // The letter was written meanwhile.
  await notifier.drain()
  gone.close()
  const [address] = await world.database.query(sql`
    select is_enabled, disabled_reason from notification_addresses where id = ${addressId}`)
  expect(address).toEqual({ is_enabled: false, disabled_reason: 'Webhook answered 410' })
  expect(world.mailbox.mails.flatMap(({ to }) => to)).toEqual(['owner@example.com'])
})
