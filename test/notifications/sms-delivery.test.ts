import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recoveryNotice } from '../support/notices.ts'
import { smsThrough, startSmsGateway, type TestGateway } from '../support/sms-gateway.ts'
import { newWorld, type World } from './world.ts'

let world: World
let gateway: TestGateway

beforeAll(async () => {
  world = await newWorld()
  gateway = await startSmsGateway()
})
afterEach(async () => {
  await world.reset()
  gateway.calls.length = 0
  gateway.manners.answer = undefined
})
afterAll(async () => {
  await world.close()
  await gateway.stop()
})

const notice = { channelId: 'sms', address: '+48500100200' }

test('a notice by SMS is sent once and on record, beside the mail of the same event', async () => {
  await world.intent({ ...notice, addressId: 1 })
  await world.intent({ addressId: 2 })
  const notifier = await world.notifier({ beside: [smsThrough(gateway.url)] })
  await notifier.drain()
  await notifier.drain()
  expect(gateway.calls).toHaveLength(1)
  expect(world.mailbox.mails).toHaveLength(1)
  expect(await world.rows()).toMatchObject([
    { status: 'sent', attempts: 1, subject: 'Sklep: AWARIA: Połączenie odrzucone', handed_over_at: world.now() },
    { status: 'sent', attempts: 1 },
  ])
})

test('a gateway that asks for patience gets it, and then the notice under the same id, before the recovery', async () => {
  gateway.manners.answer = (_, response) => response.writeHead(429, { 'Retry-After': '300' }).end()
  await world.intent(notice)
  await world.intent({ ...notice, facts: recoveryNotice() })
  const notifier = await world.notifier({ beside: [smsThrough(gateway.url)] })
  await notifier.drain()
  const [row] = await world.rows()
  expect(row).toMatchObject({ status: 'pending', attempts: 1, handed_over_at: null })
  expect((row?.next_attempt_at ?? 0) - world.now()).toBeGreaterThanOrEqual(300_000)
  expect((row?.next_attempt_at ?? 0) - world.now()).toBeLessThanOrEqual(360_000)

  gateway.manners.answer = undefined
  world.advance(361_000)
  await notifier.drain()
  expect(await world.rows()).toMatchObject([
    { status: 'sent', attempts: 2 },
    { status: 'sent', attempts: 1 },
  ])
  const ids = gateway.calls.map(({ headers }) => headers['idempotency-key'])
  expect(ids).toEqual([ids[0], ids[0], expect.not.stringMatching(String(ids[0]))])
})

test('an answer that was not seen ends the delivery and says so, as the message may have arrived', async () => {
  gateway.manners.answer = (_, response) => response.destroy()
  await world.intent(notice)
  const notifier = await world.notifier({ beside: [smsThrough(gateway.url)] })
  await notifier.drain()
  world.advance(86_400_000)
  await notifier.drain()
  expect(gateway.calls).toHaveLength(1)
  expect(await world.rows()).toMatchObject([
    { status: 'sent', attempts: 1, error_message: expect.stringContaining('answer was not seen') },
  ])
})

test('a gateway that is down holds up no mail', async () => {
  await world.intent({ ...notice, addressId: 1 })
  await world.intent({ addressId: 2 })
  const notifier = await world.notifier({ beside: [smsThrough('http://127.0.0.1:1/')] })
  await notifier.drain()
  expect(await world.rows()).toMatchObject([{ status: 'pending' }, { status: 'sent' }])
})
