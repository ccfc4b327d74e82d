import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { leaseDuration } from '../../src/outbox/claims.ts'
import { startNotifierProcess } from './notifier-process.ts'
import { newWorld, type World } from './world.ts'

const patiently = { timeout: 20_000 }

let world: World

beforeAll(async () => {
  world = await newWorld()
})
afterEach(() => world.reset())
afterAll(() => world.close())

/** The database as it is when it goes away at the statement that contains `part`. */
function losing(database: Database, part: string, isCommitted: boolean): Database {
  let isLost = false
  async function losingAt<Answer>(text: string, run: () => Promise<Answer>): Promise<Answer> {
    if (isLost || !text.includes(part)) return run()
    isLost = true
    if (isCommitted) await run()
    throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01' })
  }
  return {
    ...database,
    query: (statement, name) => losingAt(statement.text, () => database.query(statement, name)),
    execute: (statement, name) => losingAt(statement.text, () => database.execute(statement, name)),
  }
}

describe('several notifiers', () => {
  test('deliver every intent once between them', async () => {
    for (let index = 0; index < 40; index += 1) {
      await world.intent({ addressId: index, address: `reader${index}@example.com` })
    }
    const notifiers = await Promise.all([world.notifier(), world.notifier(), world.notifier()])
    await Promise.all(notifiers.map((notifier) => notifier.drain()))
    // A drain ends when nothing is due; what another notifier claimed may still be under way there.
    await Promise.all(notifiers.map((notifier) => notifier.stop()))
    const receivers = world.mailbox.mails.map(({ to }) => to[0])
    expect(receivers).toHaveLength(40)
    expect(new Set(receivers).size).toBe(40)
    expect((await world.rows()).every(({ status, attempts }) => status === 'sent' && attempts === 1)).toBe(true)
  })

  test('one that was asleep longer than its lease sends nothing any more', async () => {
    let letGo: () => void = () => undefined
    const isHeld = new Promise<void>((resolveHeld) => {
      let isFirst = true
      world.mailbox.manners.refuseRecipient = () => {
        if (!isFirst) return Promise.resolve(null)
        isFirst = false
        resolveHeld()
        return new Promise((resolve) => {
          letGo = () => resolve(null)
        })
      }
    })
    await world.intent()
    const sleeper = await world.notifier()
    await isHeld
    world.advance(leaseDuration)
    await (await world.notifier()).drain()
    expect(world.mailbox.mails).toHaveLength(1)
    letGo()
    await sleeper.drain()
    expect(world.mailbox.mails).toHaveLength(1)
    expect(await world.rows()).toMatchObject([{ status: 'sent', attempts: 2, error_message: null }])
    expect(world.lines.map(({ text }) => text)).toContain('a claim on a notification ran out before its delivery ended')
  })
})

describe('a database that goes away', () => {
  test.each([
    ['before the hand-over is on record', false],
    ['while the hand-over is confirmed', true],
  ])('%s stops the mail, which is sent later, once', async (_, isCommitted) => {
    await world.intent()
    const notifier = await world.notifier({ database: losing(world.database, 'set handed_over_at', isCommitted) })
    await notifier.drain()
    expect(world.mailbox.mails).toEqual([])
    expect(await world.rows()).toMatchObject([{ status: 'pending', attempts: 1, handed_over_at: null }])
    world.advance(60_000)
    await notifier.drain()
    expect(world.mailbox.mails).toHaveLength(1)
    expect(await world.rows()).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  test('before the result is on record costs no second mail', async () => {
    await world.intent()
    const notifier = await world.notifier({ database: losing(world.database, 'finished_at', false) })
    await notifier.drain()
    expect(world.mailbox.mails).toHaveLength(1)
    expect(await world.rows()).toMatchObject([{ status: 'sent', attempts: 1, error_message: null }])
  })

  test('while intents are claimed is noticed once, and delivery goes on afterwards', async () => {
    await world.intent()
    let isAway = true
    const database: Database = {
      ...world.database,
      async query(statement, name) {
        if (isAway) throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01' })
        return world.database.query(statement, name)
      },
    }
    const notifier = await world.notifier({ database })
    await expect(notifier.drain()).rejects.toThrow('terminated')
    isAway = false
    await notifier.drain()
    expect(world.mailbox.mails).toHaveLength(1)
  })
})

describe('a connection lost after the message was handed over', () => {
  test('leaves it unconfirmed: it may have arrived and is not sent again', async () => {
    world.mailbox.manners.beforeAnswer = async () => world.mailbox.cut()
    await world.intent()
    const notifier = await world.notifier()
    await notifier.drain()
    world.advance(leaseDuration * 2)
    await notifier.drain()
    expect(world.mailbox.mails).toHaveLength(1)
    const [row] = await world.rows()
    expect(row).toMatchObject({ status: 'sent', attempts: 1 })
    expect(row?.error_message).toContain('answer was not seen')
    expect(world.lines).toContainEqual({
      level: 'warn',
      text: 'a notification was handed over, its arrival is unconfirmed',
    })
  })
})

describe('kill -9 of the notifier', () => {
  test('before the hand-over loses nothing: the next one sends the mail, once', async () => {
    await world.intent()
    await killWhen((kill) => {
      world.mailbox.manners.refuseRecipient = async () => {
        await kill()
        return null
      }
    })
    expect(await world.rows()).toMatchObject([{ status: 'pending', attempts: 1, handed_over_at: null }])
    world.mailbox.manners.refuseRecipient = undefined

    // Its lease never ends: the clock stands still.
    await world.notifier()
    await expect
      .poll(() => world.rows(), patiently)
      .toMatchObject([{ status: 'sent', attempts: 2, error_message: null }])
    expect(world.mailbox.mails).toHaveLength(1)
  })

  test('after the server took the message sends nothing twice', async () => {
    await world.intent()
    await killWhen((kill) => {
      world.mailbox.manners.beforeAnswer = kill
    })
    expect(world.mailbox.mails).toHaveLength(1)
    expect((await world.rows())[0]?.handed_over_at).not.toBeNull()
    expect(await world.rows()).toMatchObject([{ status: 'pending', attempts: 1 }])
    world.mailbox.manners.beforeAnswer = undefined

    const next = await world.notifier()
    await next.drain()
    expect(await world.rows()).toMatchObject([{ status: 'pending', attempts: 1 }])
    world.advance(leaseDuration)
    await next.drain()
    expect(world.mailbox.mails).toHaveLength(1)
    const [row] = await world.rows()
    expect(row).toMatchObject({ status: 'sent', attempts: 1 })
    expect(row?.error_message).toContain('the answer was not seen')
  })

  test('at any moment between many mails loses none and repeats none', async () => {
    const readers = 60
    for (let index = 0; index < readers; index += 1) {
      await world.intent({ addressId: index, address: `reader${index}@example.com` })
    }
    for (const mailsBefore of [7, 19, 33]) {
      await killWhen((kill) => {
        world.mailbox.manners.beforeAnswer = async () => {
          if (world.mailbox.mails.length >= mailsBefore) await kill()
        }
      })
      world.mailbox.manners.beforeAnswer = undefined
      world.advance(leaseDuration)
    }
    const next = await world.notifier()
    await next.drain()
    world.advance(leaseDuration)
    await next.drain()
    const receivers = world.mailbox.mails.map(({ to }) => to[0])
    expect(new Set(receivers).size).toBe(receivers.length)
    expect((await world.rows()).every(({ status }) => status === 'sent')).toBe(true)
    // A message that was just being handed over cannot be told from one that arrived: at most four at once, three
    // times.
    const unconfirmed = (await world.rows()).filter((row) => row.error_message !== null).length
    expect(receivers.length).toBeGreaterThanOrEqual(readers - unconfirmed)
  })

  /** Runs a notifier in a process of its own until the test's trap kills it. */
  async function killWhen(setTrap: (kill: () => Promise<void>) => void): Promise<void> {
    const child = startNotifierProcess({ databaseUrl: world.databaseUrl, smtpUrl: world.mailbox.url, now: world.now() })
    setTrap(child.kill)
    await child.ended
  }
})
