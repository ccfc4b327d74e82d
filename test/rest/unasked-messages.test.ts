import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { writeSecurityLetter } from '../../src/auth/letters.ts'
import { destinationOf } from '../../src/channels/index.ts'
import { mailDestination } from '../../src/database/accounts/unasked.ts'
import { dayLength } from '../../src/domain/calendars/durations.ts'
import { unaskedLimit } from '../../src/domain/notification/unasked.ts'
import { switchOff } from '../../src/notifications/switch-off.ts'
import { type ConfirmingWorld, confirmingWorld, pathOf } from '../support/confirming.ts'
import type { Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'

/** A stranger's mailbox gets few messages a day, by whatever way and account. */
let world: ConfirmingWorld
let made = 0

beforeAll(async () => {
  world = await confirmingWorld()
})
afterAll(() => world.drop())
beforeEach(() => world.begin())

const { most } = unaskedLimit

async function invite(mailbox: string): Promise<number> {
  made += 1
  return idOf(
    await world.call('alice', 'POST', '/accounts', {
      username: `guest.${made}`,
      user_data: { email_address: mailbox },
    }),
  )
}

/** Invites `name+1@…`, `name+2@…` and so on. */
async function inviteOften(name: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await invite(`${name}+${count}@example.com`)
}

async function addressTo(mailbox: string, person: Person): Promise<readonly unknown[]> {
  const group = person === 'alice' ? { group_id: world.groupId() } : {}
  const body = { ...group, notification_channel_id: 'email', address: mailbox }
  const reply = await world.call(person, 'POST', '/notification_addresses', body)
  return (reply.body as { warnings: { warning: string }[] }).warnings.map(({ warning }) => warning)
}

async function messagesTo(name: string): Promise<number> {
  const [found] = await world.database.query<{ count: number }>(sql`
    select (select count(*) from messages left join status_page_subscribers s on s.id = subscriber_id
        where lower(coalesce(nullif(messages.address, ''), s.address)) like ${`${name}%`})::int
      + (select count(*) from notification_intents where lower(address) like ${`${name}%`})::int as count`)
  return found?.count ?? 0
}

test('invitations, codes and subscriptions to one mailbox count together', async () => {
  const page = await world.call('alice', 'POST', '/status_pages', { slug: 'unasked', title: 'Shop' })
  const subscribe = (address: string) =>
    world.call('alice', 'POST', '/status_page_subscribers', { status_page_id: idOf(page), kind: 'email', address })
  const first = most - 6
  await inviteOften('stranger', first)
  for (const person of ['alice', 'charlie', 'carol'] as const)
    expect(await addressTo(`Stranger+${person}@example.com`, person)).toEqual([])
  for (const word of ['a', 'b', 'c']) expect((await subscribe(`stranger+${word}@example.com`)).status).toBe(201)
  expect(await messagesTo('stranger')).toBe(most)

  await inviteOften('stranger', 2)
  expect(await addressTo('stranger+late@example.com', 'bob')).toEqual(['no_confirmation_code'])
  expect((await subscribe('stranger+d@example.com')).status).toBe(422)
  expect(await messagesTo('stranger')).toBe(most)

  await inviteOften('somebody.else', 1)
  expect(await messagesTo('somebody.else')).toBe(1)
  world.clock.advance(dayLength)
  await inviteOften('stranger', 1)
  expect(await messagesTo('stranger')).toBe(most + 1)
})

test('strangers do not keep the holder of an account from a new password and a code', async () => {
  await inviteOften('bob', most + 2)
  expect(await messagesTo('bob')).toBe(most)
  const asked = await world.call(null, 'POST', '/system/reset_password/initialize', { username: 'bob' })
  expect(asked.status).toBe(204)
  expect(await addressTo('bob@example.com', 'bob')).toEqual([])
  expect(await messagesTo('bob')).toBe(most + 2)
})

test('who makes a sub-account fills no mailbox with mails about it', async () => {
  const id = await invite('victim@example.com')
  await inviteOften('victim', most - 2)
  const now = world.clock.now()
  const tell = () =>
    world.database.transaction((transaction) =>
      writeSecurityLetter(transaction, { accountId: id, kind: 'passkey_added', facts: { name: 'key' }, now }),
    )
  await tell()
  await tell()
  expect(await messagesTo('victim')).toBe(most)
  const addressId = await world.add(['email', 'alice@example.com'])
  const off = {
    address_id: addressId,
    account_id: id,
    address: 'alice@example.com',
    notification_channel_id: 'email',
  }
  await switchOff(world.database, off, 'gone', now)
  expect(await messagesTo('victim')).toBe(most)
  const shown = (await world.call('alice', 'GET', pathOf(addressId))).body as { is_enabled: boolean }
  expect(shown.is_enabled).toBe(false)
})

test('alarms to confirmed addresses are not counted', async () => {
  const id = await world.add(['email', 'colleague@example.com'])
  expect((await world.confirm(id, await world.arrivingCode())).status).toBe(204)
  await inviteOften('colleague', most)
  for (let round = 0; round < 3; round += 1) expect(await world.told()).toEqual(['colleague@example.com'])
})

test('a mailbox is counted under the name that its channels give it', () => {
  for (const mailbox of ['Alice+x@Example.com', 'alice@example.com', 'zażółć@przykład.pl'])
    expect(mailDestination(mailbox)).toBe(destinationOf('email', mailbox))
})
