import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { recoveryNotice } from '../support/notices.ts'
import { newWorld, type World } from './world.ts'

const minute = 60_000
const addresses = Array.from({ length: 12 }, (_none, index) => ({ id: index, address: `reader${index}@example.com` }))

let world: World
let server: Mailbox
beforeAll(async () => {
  world = await newWorld()
  server = await startMailbox()
})
afterAll(async () => {
  await world.close()
  await server.stop()
})

async function tell(facts = {}): Promise<void> {
  for (const { id, address } of addresses) await world.intent({ addressId: id, address, ...facts })
}

test('mail that is down for ten minutes, in one way after the other, gives every notice afterwards, once and in order', async () => {
  const notifier = await world.notifier({
    smtpUrl: server.url,
    administratorContact: { addresses: ['boss@example.com'], language: 'en' },
  })
  const ways: readonly (() => void)[] = [
    () => (server.manners.refuseRecipient = () => '421 4.3.2 Closing down'),
    () => (server.manners.refuseRecipient = () => '451 4.3.0 Try later'),
    () => server.cut(),
    () => (server.manners.refuseMessage = () => '452 4.3.1 No room'),
    () => void server.stop(),
  ]
  server.manners.refuseRecipient = () => '421 4.3.2 Closing down'
  await tell()
  for (let passed = 0; passed < 10; passed += 1) {
    if (passed % 2 === 0) ways[passed / 2]?.()
    if (passed === 5) await tell({ facts: recoveryNotice() })
    await notifier.drain()
    world.advance(minute)
  }
  expect(server.mails).toEqual([])
  expect(world.lines.filter(({ text }) => text === 'A gateway is down')).toHaveLength(1)
  server = await startMailbox({ port: server.port })
  const all = 2 * addresses.length + 1
  for (let passed = 0; passed < 60 && server.mails.length < all; passed += 1) {
    await notifier.drain()
    world.advance(minute)
  }
  await notifier.drain()
  for (const { address } of addresses) {
    const subjects = server.mails.filter(({ to }) => to[0] === address).map(({ parsed }) => parsed.subject)
    expect(subjects).toEqual([expect.stringContaining('AWARIA'), expect.stringContaining('DZIAŁA')])
  }
  expect(server.mails.filter(({ to }) => to[0] === 'boss@example.com')).toHaveLength(1)
  expect(await world.database.query(sql`select id from failing_gateways`)).toEqual([])
})
