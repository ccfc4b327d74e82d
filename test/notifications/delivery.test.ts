import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Transport } from '../../src/channels/delivery.ts'
import { readAcknowledgeToken, readLinkKey } from '../../src/outbox/acknowledge-links.ts'
import { givenReader } from '../support/intents.ts'
import { startMailbox } from '../support/mailbox.ts'
import { failureNotice, recoveryNotice } from '../support/notices.ts'
import { newWorld, type World } from './world.ts'

const minute = 60_000
let world: World

beforeAll(async () => {
  world = await newWorld()
})
afterEach(() => world.reset())
afterAll(() => world.close())

describe('an intent', () => {
  test('becomes one mail to its address, and is on record as sent', async () => {
    await world.intent()
    const notifier = await world.notifier()
    await notifier.drain()
    await notifier.drain()

    const [mail] = world.mailbox.mails
    expect(world.mailbox.mails).toHaveLength(1)
    expect(mail?.to).toEqual(['alice@example.com'])
    expect(mail?.parsed.from?.text).toBe('"Latarnik" <latarnik@example.com>')
    expect(mail?.parsed.subject).toBe('Sklep: AWARIA: Połączenie odrzucone')
    expect(mail?.parsed.text).toContain('Przedtem: działała od 2026-11-20 12:13:00 +01:00')
    expect(mail?.parsed.headers.get('auto-submitted')).toBe('auto-generated')
    expect(await world.rows()).toMatchObject([
      { status: 'sent', attempts: 1, error_message: null, subject: mail?.parsed.subject, finished_at: world.now() },
    ])
  })

  test('of a failure has a link that acknowledges it for its reader alone; of its end none', async () => {
    const change = { id: '179525958000000', startedAt: 1, endedAt: null }
    await world.intent({ facts: { ...failureNotice(), change }, addressId: 7 })
    await world.intent({ facts: { ...recoveryNotice(), change: { ...change, endedAt: 2 } }, addressId: 8 })
    await (await world.notifier()).drain()
    const links = world.mailbox.mails.map(({ parsed }) => /\/acknowledge\?token=(\S+)/.exec(parsed.text ?? '')?.[1])
    const [token = ''] = links.filter((link) => link !== undefined)
    expect(links).toHaveLength(2)
    expect(links).toContain(undefined)
    const key = await readLinkKey(world.database)
    const target = { serviceId: failureNotice().service.id, changeId: 179525958000000, addressId: 7 }
    expect(readAcknowledgeToken(key, token)).toEqual(target)
    const shown = world.mailbox.mails.map(({ parsed }) => String(parsed.html)).filter((html) => html.includes(token))
    expect(shown).toHaveLength(1)
  })

  test('is told in the language and the zone of its account', async () => {
    const accountId = await givenReader(world.database, 'en', 'america_new_york')
    await world.intent({ accountId, facts: recoveryNotice() })
    await (await world.notifier()).drain()
    expect(world.mailbox.mails[0]?.parsed.subject).toBe('Sklep: WORKS AGAIN after 5 min 3 s')
    expect(world.mailbox.mails[0]?.parsed.text).toContain('2026-11-21 06:18:03 -05:00')
  })

  test('is delivered soon after a NOTIFY, without waiting for the patrol', async () => {
    await world.notifier()
    const arrived = new Promise<void>((resolve) => {
      world.mailbox.manners.beforeAnswer = async () => resolve()
    })
    await world.database.transaction(async (transaction) => {
      await world.intent()
      await transaction.execute(sql`notify notifications`)
    })
    await arrived
  })

  test('of an account that is gone is not delivered', async () => {
    await world.intent({ accountId: 999_999 })
    await (await world.notifier()).drain()
    expect(world.mailbox.mails).toEqual([])
    expect(await world.rows()).toMatchObject([{ status: 'failed', error_message: 'The account no longer exists' }])
  })

  test('for a channel without a gateway fails at once and says why', async () => {
    await world.intent({ channelId: 'sms', address: '+48123456789' })
    await (await world.notifier()).drain()
    expect(await world.rows()).toMatchObject([
      { status: 'failed', attempts: 1, error_message: 'No gateway is configured for the channel sms' },
    ])
    expect(world.lines).toContainEqual({ level: 'error', text: 'a notification cannot be delivered' })
  })

  test.each([
    'alice',
    'alice@example.com, bob@example.com',
    'alice@example.com\r\nBcc: bob@example.com',
    'Alice <alice@example.com>',
    '@example.com',
  ])('for %j, which is no mailbox, fails at once and reaches nobody', async (address) => {
    await world.intent({ address })
    await (await world.notifier()).drain()
    expect(world.mailbox.mails).toEqual([])
    expect(await world.rows()).toMatchObject([{ status: 'failed', attempts: 1 }])
  })

  test('with line breaks in every name still makes one mail with one recipient', async () => {
    const evil = 'x\r\nBcc: bob@example.com\r\n\r\n.\r\nMAIL FROM:<x@y>'
    const facts = failureNotice({ service: { id: 12, name: evil, address: evil, type_id: 'http' } })
    await world.intent({ facts })
    await (await world.notifier()).drain()
    expect(world.mailbox.mails).toHaveLength(1)
    expect(world.mailbox.mails[0]?.to).toEqual(['alice@example.com'])
    expect(world.mailbox.mails[0]?.parsed.bcc).toBeUndefined()
    expect(world.mailbox.mails[0]?.raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im)
  })
})

describe('the kinds of e-mail', () => {
  test('all go out, the dedicated one with JSON attached', async () => {
    for (const [index, channelId] of ['email', 'email_short', 'email_extended', 'email_dedicated'].entries()) {
      await world.intent({ channelId, addressId: index, address: `${channelId}@example.com` })
    }
    await (await world.notifier()).drain()
    const texts = new Map(world.mailbox.mails.map(({ to, parsed }) => [to[0], parsed]))
    expect([...texts.keys()].toSorted()).toEqual([
      'email@example.com',
      'email_dedicated@example.com',
      'email_extended@example.com',
      'email_short@example.com',
    ])
    expect(texts.get('email_short@example.com')?.text?.trim().split('\n')).toHaveLength(1)
    expect(texts.get('email_extended@example.com')?.text).toContain('#sensor-1')
    const [attachment] = texts.get('email_dedicated@example.com')?.attachments ?? []
    expect(attachment?.contentType).toBe('application/json')
    expect(JSON.parse(String(attachment?.content))).toMatchObject({ notification_condition_id: 'failure' })
  })

  test('failure and recovery stand in one thread under names of their own', async () => {
    const change = { id: '178481', startedAt: failureNotice().sinceAt, endedAt: null }
    await world.intent({ eventId: `failure:${change.id}`, facts: failureNotice({ change }) })
    await world.intent({ eventId: `recovery:${change.id}`, facts: recoveryNotice({ change }) })
    await (await world.notifier()).drain()
    const [failure, recovery] = world.mailbox.mails.map(({ parsed }) => parsed)
    expect(failure?.subject).toContain('AWARIA')
    expect(failure?.messageId).toMatch(/^<[0-9a-f]{32}@example\.com>$/)
    expect([failure?.inReplyTo, failure?.references]).toEqual([undefined, undefined])
    expect([recovery?.inReplyTo, recovery?.references]).toEqual([failure?.messageId, failure?.messageId])
    expect(recovery?.messageId).not.toBe(failure?.messageId)
  })

  test('a recovery alone answers no message', async () => {
    await world.intent({ facts: recoveryNotice() })
    await (await world.notifier()).drain()
    const [recovery, ...others] = world.mailbox.mails.map(({ parsed }) => parsed)
    expect(others).toEqual([])
    expect([recovery?.inReplyTo, recovery?.references]).toEqual([undefined, undefined])
  })
})

describe('a refusal', () => {
  test.each([['450 Mailbox busy'], ['421 Too many connections'], ['550 5.7.1 Relaying denied']])(
    '%s of the address is tried again later, until it works, once',
    async (reply) => {
      world.mailbox.manners.refuseRecipient = () => reply
      await world.intent()
      const notifier = await world.notifier()
      await notifier.drain()
      const [row] = await world.rows()
      expect(row).toMatchObject({ status: 'pending', attempts: 1, handed_over_at: null })
      expect(row?.error_message).toContain(reply.slice(4))
      expect((row?.next_attempt_at ?? 0) - world.now()).toBeGreaterThanOrEqual(8000)
      expect((row?.next_attempt_at ?? 0) - world.now()).toBeLessThanOrEqual(12_000)

      await notifier.drain()
      expect((await world.rows())[0]?.attempts).toBe(1)
      world.mailbox.manners.refuseRecipient = undefined
      world.advance(13_000)
      await notifier.drain()
      expect(await world.rows()).toMatchObject([{ status: 'sent', attempts: 2, error_message: null }])
      expect(world.mailbox.mails).toHaveLength(1)
    },
  )

  test('for good of the address ends the delivery at once', async () => {
    world.mailbox.manners.refuseRecipient = () => '550 No such user'
    await world.intent()
    await (await world.notifier()).drain()
    expect(await world.rows()).toMatchObject([{ status: 'failed', attempts: 1, next_attempt_at: null }])
    expect((await world.rows())[0]?.error_message).toContain('No such user')
  })

  test('for good of the message ends the delivery, although it was handed over', async () => {
    world.mailbox.manners.refuseMessage = () => '554 Looks like spam'
    await world.intent()
    await (await world.notifier()).drain()
    expect(await world.rows()).toMatchObject([{ status: 'failed', attempts: 1, handed_over_at: null }])
  })

  test('for now of the message takes the hand-over back, and it is sent again once', async () => {
    world.mailbox.manners.refuseMessage = () => '451 Try again'
    await world.intent()
    const notifier = await world.notifier()
    await notifier.drain()
    expect(await world.rows()).toMatchObject([{ status: 'pending', handed_over_at: null }])
    world.mailbox.manners.refuseMessage = undefined
    world.advance(minute)
    await notifier.drain()
    expect(world.mailbox.mails).toHaveLength(1)
    expect(await world.rows()).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  test('of the login is the operator’s to mend: the notice waits', async () => {
    const guarded = await startMailbox({ login: { user: 'latarnik', pass: 'right' } })
    try {
      await world.intent()
      const wrong = await world.notifier({ smtpUrl: guarded.url.replace('right', 'wrong') })
      await wrong.drain()
      await wrong.stop()
      expect(await world.rows()).toMatchObject([{ status: 'pending', attempts: 1 }])
      world.advance(minute)
      await (await world.notifier({ smtpUrl: guarded.url })).drain()
      expect(guarded.mails).toHaveLength(1)
      expect(await world.rows()).toMatchObject([{ status: 'sent' }])
    } finally {
      await guarded.stop()
    }
  })
})

describe('a server that cannot be reached', () => {
  test('is tried for a day with growing pauses, then the notice fails', async () => {
    const gone = await startMailbox()
    await gone.stop()
    await world.intent()
    const notifier = await world.notifier({ smtpUrl: gone.url })
    const start = world.now()
    const pauses: number[] = []
    for (let round = 0; round < 200; round += 1) {
      await notifier.drain()
      const [row] = await world.rows()
      if (row?.status !== 'pending') break
      pauses.push((row.next_attempt_at ?? 0) - world.now())
      world.advance((row.next_attempt_at ?? 0) - world.now())
    }
    expect(await world.rows()).toMatchObject([{ status: 'failed', next_attempt_at: null }])
    expect((await world.rows())[0]?.error_message).toContain('ECONNREFUSED')
    expect(world.now() - start).toBeGreaterThanOrEqual(24 * 60 * minute)
    expect(world.now() - start).toBeLessThan(24.5 * 60 * minute)
    expect(pauses.length).toBeGreaterThan(80)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(18 * minute)
  })

  test('a recovery never overtakes its failure', async () => {
    world.mailbox.manners.refuseRecipient = () => '450 Busy'
    await world.intent()
    const notifier = await world.notifier()
    await notifier.drain()
    world.mailbox.manners.refuseRecipient = undefined
    world.advance(1000)
    await world.intent({ facts: recoveryNotice() })
    await world.intent({ facts: recoveryNotice(), addressId: 8, address: 'bob@example.com' })
    await notifier.drain()
    expect(world.mailbox.mails.map(({ to }) => to[0])).toEqual(['bob@example.com'])
    world.advance(minute)
    await notifier.drain()
    expect(world.mailbox.mails.map(({ parsed }) => parsed.subject)).toEqual([
      expect.stringContaining('DZIAŁA'),
      expect.stringContaining('AWARIA'),
      expect.stringContaining('DZIAŁA'),
    ])
  })
})

describe('a gateway that hangs', () => {
  test('holds up only its own channel', async () => {
    let letGo: () => void = () => undefined
    const hanging: Transport = {
      id: 'jabber',
      notificationChannelIds: ['jabber'],
      concurrency: 1,
      deliver: () =>
        new Promise((resolve) => {
          letGo = () => resolve({ status: 'sent' })
        }),
      close: () => undefined,
    }
    const prompt: Transport = {
      id: 'sms',
      notificationChannelIds: ['sms'],
      concurrency: 1,
      deliver: async () => ({ status: 'sent' }),
      close: () => undefined,
    }
    for (let index = 0; index < 3; index += 1) {
      await world.intent({ channelId: 'jabber', addressId: index })
      await world.intent({ channelId: 'sms', addressId: 10 + index })
    }
    const notifier = await world.workers([hanging, prompt])
    await expect
      .poll(async () => (await world.rows()).map((row) => [row.notification_channel_id, row.status]))
      .toEqual([
        ['jabber', 'pending'],
        ['sms', 'sent'],
        ['jabber', 'pending'],
        ['sms', 'sent'],
        ['jabber', 'pending'],
        ['sms', 'sent'],
      ])
    const stopped = notifier.stop()
    letGo()
    await stopped
    const jabber = (await world.rows()).filter((row) => row.notification_channel_id === 'jabber')
    expect(jabber.map(({ status }) => status).toSorted()).toEqual(['pending', 'pending', 'sent'])
  })
})
