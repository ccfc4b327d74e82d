import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { accountOfLink, cancelLinks, writeFarewell, writeLetter } from '../../src/auth/letters.ts'
import { recordLosses, recordReturns } from '../../src/database/services/sensors.ts'
import { leaseDuration } from '../../src/outbox/claims.ts'
import { newWorld, type World } from './world.ts'

const hour = 3_600_000

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterEach(() => world.reset())
afterAll(() => world.close())

interface Stored {
  readonly kind: string
  readonly status: string
  readonly token: string | null
  readonly attempts: number
  readonly error_message: string | null
}

function letters(): Promise<Stored[]> {
  return world.database.query<Stored>(
    sql`select kind, status, token, attempts, error_message from messages order by id`,
  )
}

function write(accountId: number, kind: 'activation' | 'password_reset' | 'invitation' = 'password_reset') {
  return world.database.transaction((transaction) => writeLetter(transaction, { accountId, kind, now: world.now() }))
}

function tokenIn(text: string | undefined): string {
  return /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
}

describe('a letter', () => {
  test('brings a link that works, and keeps no token once it is sent', async () => {
    const accountId = await world.holder('anna@example.com')
    await write(accountId)
    expect((await letters())[0]?.token).toMatch(/^[\w-]{43}$/)
    await (await world.notifier()).drain()
    const [mail] = world.mailbox.mails
    expect(mail?.to).toEqual(['anna@example.com'])
    expect(mail?.parsed.subject).toMatch(/^Nowe hasło do konta reader\d+$/)
    expect(mail?.parsed.text).toContain('https://watch.example.com/password?token=')
    expect(mail?.parsed.html).toBe(false)
    const token = tokenIn(mail?.parsed.text)
    const found = { kinds: ['password_reset'] as const, now: world.now() }
    expect(await accountOfLink(world.database, token, { ...found, use: false })).toBe(accountId)
    expect(await letters()).toMatchObject([{ status: 'sent', token: null, attempts: 1 }])
    const everything = await world.database.query(sql`select * from messages, account_tokens`)
    expect(JSON.stringify(everything)).not.toContain(token)
  })

  test.each([
    ['pl', 'activation', /^Aktywacja konta/, 'https://watch.example.com/activate?token='],
    ['en', 'activation', /^Activate the account/, '/activate?token='],
    ['en', 'invitation', /waits for a password$/, '/password?token='],
  ] as const)('in %s tells of an %s in the account’s language', async (language, kind, subject, link) => {
    await write(await world.holder('ola@example.com', language), kind)
    await (await world.notifier()).drain()
    expect(world.mailbox.mails[0]?.parsed.subject).toMatch(subject)
    expect(world.mailbox.mails[0]?.parsed.text).toContain(link)
  })

  test('refused by the server is tried again, then sent once by one of several notifiers', async () => {
    world.mailbox.manners.refuseRecipient = () => '450 Busy'
    await write(await world.holder('anna@example.com'))
    const notifiers = [await world.notifier(), await world.notifier(), await world.notifier()]
    const drain = () => Promise.all(notifiers.map((notifier) => notifier.drain()))
    await drain()
    const [waiting] = await letters()
    expect(waiting).toMatchObject({ status: 'pending', attempts: 1 })
    expect(waiting?.token).not.toBeNull()
    world.mailbox.manners.refuseRecipient = undefined
    world.advance(13_000)
    await drain()
    expect(world.mailbox.mails).toHaveLength(1)
    expect(await letters()).toMatchObject([{ status: 'sent', attempts: 2, token: null }])
  })

  test('handed over by a notifier that died is not sent again', async () => {
    await write(await world.holder('anna@example.com'))
    const at = new Date(world.now())
    await world.database.execute(sql`update messages set handed_over_at = ${at}, attempts = 1, next_attempt_at = ${at}`)
    world.advance(leaseDuration)
    await (await world.notifier()).drain()
    expect(world.mailbox.mails).toEqual([])
    expect(await letters()).toMatchObject([{ status: 'sent', token: null, attempts: 1 }])
  })

  test('whose link has expired is not sent any more', async () => {
    await write(await world.holder('anna@example.com'))
    world.advance(hour)
    await (await world.notifier()).drain()
    expect(world.mailbox.mails).toEqual([])
    expect(await letters()).toMatchObject([
      { status: 'failed', token: null, error_message: 'The link in it has expired' },
    ])
  })

  test('to nowhere is not written, nor a fourth one while three links are open', async () => {
    await write(await world.holder(''))
    expect(await letters()).toEqual([])
    const accountId = await world.holder('anna@example.com')
    for (let round = 0; round < 5; round += 1) await write(accountId)
    expect(await letters()).toHaveLength(3)
    world.advance(hour)
    await write(accountId)
    expect(await letters()).toHaveLength(4)
  })
})

describe('a letter to a mailbox that an account has left', () => {
  test.each([
    ['pl', 'Zmieniono adres e-mail konta reader', 'ma od 2026-11-21'],
    ['en', 'The e-mail address of the account reader', 'another e-mail address since 2026-11-21'],
  ] as const)('says so in %s, with no link and without the new address', async (language, subject, since) => {
    const accountId = await world.holder('new@example.com', language)
    const moved = { accountId, address: 'old@example.com', now: world.now() }
    await world.database.transaction((transaction) => writeFarewell(transaction, moved))
    world.advance(hour)
    await (await world.notifier()).drain()
    const [mail] = world.mailbox.mails
    expect(mail?.to).toEqual(['old@example.com'])
    expect(mail?.parsed.subject).toContain(subject)
    expect(mail?.parsed.text).toContain(since)
    expect(mail?.parsed.text).not.toMatch(/new@example|token|https?:|[{}]/)
    expect(await letters()).toMatchObject([{ kind: 'address_changed', status: 'sent', token: null }])
  })
})

describe('a link', () => {
  test('works once, for its purpose, until it expires', async () => {
    const accountId = await world.holder('anna@example.com')
    await write(accountId)
    const token = (await letters())[0]?.token ?? ''
    const use = (kinds: readonly ('activation' | 'password_reset')[], now = world.now()) =>
      accountOfLink(world.database, token, { kinds, now, use: true })
    expect(await use(['activation'])).toBeNull()
    expect(await use(['password_reset'], world.now() + hour)).toBeNull()
    expect(await use(['password_reset'])).toBe(accountId)
    expect(await use(['password_reset'])).toBeNull()
    expect(await accountOfLink(world.database, '', { kinds: ['password_reset'], now: 0, use: true })).toBeNull()
  })

  test('to a password is cancelled when a password was set, also in letters not yet sent', async () => {
    const accountId = await world.holder('anna@example.com')
    await write(accountId)
    await write(accountId, 'activation')
    await world.database.transaction((transaction) => cancelLinks(transaction, accountId))
    expect((await letters()).map(({ kind }) => kind)).toEqual(['activation'])
  })
})

describe('a letter about a sensor', () => {
  const sensor = { id: 3, name: 'Gdańsk', city: 'Gdańsk', country: 'PL', category_ids: [], lost_at: null }

  async function lose(language: 'pl' | 'en'): Promise<void> {
    await world.database.execute(sql`truncate sensors cascade`)
    await world.database.execute(sql`insert into sensors (id, name, city, country, category_ids, last_seen_at)
      values (3, ${sensor.name}, ${sensor.city}, ${sensor.country}, '{}', ${new Date(world.now() - 30_000)})`)
    const silent = { ...sensor, last_seen_at: world.now() - 30_000 }
    await recordLosses(world.database, [silent], { addresses: ['admin@example.com'], language }, world.now())
  }

  test.each([
    ['pl', 'Stacja Gdańsk, Gdańsk, PL: UTRACONA', 'Stacja Gdańsk, Gdańsk, PL: znów dostępna'],
    ['en', 'Station Gdańsk, Gdańsk, PL: LOST', 'Station Gdańsk, Gdańsk, PL: back'],
  ] as const)(
    'tells the administrator in %s of its loss and of its return, in this order',
    async (language, lost, back) => {
      world.mailbox.manners.refuseRecipient = () => '450 Busy'
      await lose(language)
      const notifiers = [await world.notifier(), await world.notifier()]
      const drain = () => Promise.all(notifiers.map((notifier) => notifier.drain()))
      await drain()
      await recordReturns(
        world.database,
        [{ ...sensor, last_seen_at: 0 }],
        { addresses: ['admin@example.com'], language },
        world.now(),
      )
      world.mailbox.manners.refuseRecipient = undefined
      await drain()
      expect(world.mailbox.mails).toEqual([])
      world.advance(13_000)
      await drain()
      await drain()
      expect(world.mailbox.mails.map(({ to, parsed }) => [to, parsed.subject])).toEqual([
        [['admin@example.com'], lost],
        [['admin@example.com'], back],
      ])
      expect(world.mailbox.mails[0]?.parsed.text).toContain('2026-')
      expect(world.mailbox.mails[1]?.parsed.text).not.toContain('{')
    },
  )

  test('is sent once, however many notifiers there are', async () => {
    await lose('pl')
    const notifiers = [await world.notifier(), await world.notifier(), await world.notifier()]
    await Promise.all(notifiers.map((notifier) => notifier.drain()))
    expect(world.mailbox.mails).toHaveLength(1)
  })
})
