import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startMailbox } from '../support/mailbox.ts'
import { smsThrough, startSmsGateway, type TestGateway } from '../support/sms-gateway.ts'
import { newWorld, type World } from './world.ts'

const minute = 60_000
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
  await gateway.stop()
  await world.close()
})

const contact = { addresses: ['boss@example.com'], language: 'en' } as const

function notifier() {
  return world.notifier({ beside: [smsThrough(gateway.url)], administratorContact: contact })
}

function breakDown() {
  gateway.manners.answer = (_, response) => response.writeHead(503).end('out of order')
}

async function waitingSms(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await world.intent({ channelId: 'sms', addressId: index, address: '+48500100200' })
  }
}

async function attempts(): Promise<number[]> {
  return (await world.rows()).map((row) => row.attempts).toSorted()
}

function lettersTo(address: string): (string | undefined)[] {
  return world.mailbox.mails.filter(({ to }) => to[0] === address).map(({ parsed }) => parsed.subject)
}

describe('a gateway that is down', () => {
  test('is not asked for every notice that waits, and costs these no attempt', async () => {
    breakDown()
    await waitingSms(30)
    const worker = await notifier()
    await worker.drain()
    expect(gateway.calls.length).toBeLessThan(10)
    const asked = gateway.calls.length
    await worker.drain()
    expect(gateway.calls).toHaveLength(asked)

    world.advance(minute)
    await worker.drain()
    expect(gateway.calls).toHaveLength(asked + 1)
    expect((await attempts()).filter((count) => count === 0).length).toBeGreaterThanOrEqual(20)

    gateway.manners.answer = undefined
    world.advance(2 * minute)
    await worker.drain()
    expect((await world.rows()).every(({ status }) => status === 'sent')).toBe(true)
    expect(Math.max(...(await attempts()))).toBeLessThanOrEqual(3)
  })

  test('is told to the administrator once, and once when it is back, however many notifiers find out', async () => {
    breakDown()
    await waitingSms(8)
    const workers = [await notifier(), await notifier()]
    for (let round = 0; round < 6; round += 1) {
      for (const worker of workers) await worker.drain()
      world.advance(minute)
    }
    expect(lettersTo('boss@example.com')).toEqual(['Gateway SMS: DOWN'])
    expect(world.mailbox.mails[0]?.parsed.text).toContain('The SMS gateway answered 503: out of order')
    expect(world.lines.filter(({ text }) => text === 'A gateway is down')).toHaveLength(1)

    gateway.manners.answer = undefined
    for (let round = 0; round < 3; round += 1) {
      world.advance(minute)
      for (const worker of workers) await worker.drain()
    }
    expect(lettersTo('boss@example.com')).toEqual(['Gateway SMS: DOWN', 'Gateway SMS: back'])
    const [down, back] = world.mailbox.mails
    expect([down?.parsed.inReplyTo, down?.parsed.references]).toEqual([undefined, undefined])
    expect(back?.parsed.inReplyTo).toBe(down?.parsed.messageId)
    expect(back?.parsed.references).toBe(down?.parsed.messageId)
  })

  test('for seconds only is told to nobody', async () => {
    breakDown()
    await waitingSms(8)
    const worker = await notifier()
    await worker.drain()
    gateway.manners.answer = undefined
    world.advance(30_000)
    await worker.drain()
    expect((await world.rows()).map(({ status }) => status)).toEqual(Array(8).fill('sent'))
    expect(world.mailbox.mails).toEqual([])
  })

  test('is still known to be after a restart: one notice tries it first', async () => {
    breakDown()
    await world.database.execute(sql`
      insert into failing_gateways (id, failing_since, error_message) values ('sms', ${new Date(world.now())}, 'x')`)
    await waitingSms(5)
    await (await notifier()).drain()
    expect(gateway.calls).toHaveLength(1)
  })

  test('that serves others is not: a number that is refused stops no other', async () => {
    gateway.manners.answer = ({ body }, response) => response.writeHead(body.includes('+48500100999') ? 422 : 201).end()
    for (let index = 0; index < 5; index += 1) {
      await world.intent({ channelId: 'sms', addressId: index, address: '+48500100999' })
    }
    await world.intent({ channelId: 'sms', addressId: 9, address: '+48500100200' })
    await (await notifier()).drain()
    expect((await world.rows()).map(({ status }) => status)).toEqual([...Array(5).fill('failed'), 'sent'])
  })

  test('for longer than a day gives its notices up without asking, and says why', async () => {
    breakDown()
    await waitingSms(6)
    const worker = await notifier()
    await worker.drain()
    const asked = gateway.calls.length
    world.advance(25 * 60 * minute)
    await worker.drain()
    expect(gateway.calls).toHaveLength(asked)
    const rows = await world.rows()
    expect(rows.every(({ status }) => status === 'failed')).toBe(true)
    for (const { error_message } of rows) expect(error_message).toMatch(/^It could not be delivered within 24 hours/)
    expect(rows.some(({ error_message }) => error_message?.endsWith('out of order'))).toBe(true)
  })
})

test('of mail being down no mail tells, but of its return', async () => {
  const gone = await startMailbox()
  await gone.stop()
  for (let index = 0; index < 5; index += 1) await world.intent({ addressId: index })
  const broken = await world.notifier({ smtpUrl: gone.url, administratorContact: contact })
  for (let round = 0; round < 4; round += 1) {
    await broken.drain()
    world.advance(minute)
  }
  expect(world.lines).toContainEqual({ level: 'error', text: 'A gateway is down' })
  expect(await world.database.query(sql`select id from failing_gateways`)).toEqual([{ id: 'email' }])
  expect(await world.database.query(sql`select from messages`)).toEqual([])
  await broken.stop()
  const mended = await world.notifier({ administratorContact: contact })
  world.advance(minute)
  await mended.drain()
  await mended.drain()
  expect(lettersTo('boss@example.com')).toEqual(['Gateway E-mail: back'])
  expect(lettersTo('alice@example.com')).toHaveLength(5)
})

test('a gateway that answers nothing is not fed notices that nobody will hear of again', async () => {
  gateway.manners.answer = (_, response) => response.destroy()
  await waitingSms(30)
  const worker = await notifier()
  await worker.drain()
  const unconfirmed = (await world.rows()).filter(({ error_message }) => error_message?.includes('was not seen'))
  expect(unconfirmed.length).toBeLessThan(10)
})

test('a gateway with a rate is given as much as that and no more, others are not held up', async () => {
  await waitingSms(4)
  await world.intent({ addressId: 9 })
  const worker = await world.notifier({ beside: [smsThrough(gateway.url, 60)] })
  await worker.drain()
  expect(gateway.calls).toHaveLength(1)
  expect(world.mailbox.mails).toHaveLength(1)
  world.advance(1000)
  await worker.drain()
  expect(gateway.calls).toHaveLength(2)
  for (let round = 0; round < 2; round += 1) {
    world.advance(1000)
    await worker.drain()
  }
  expect(gateway.calls).toHaveLength(4)
})
