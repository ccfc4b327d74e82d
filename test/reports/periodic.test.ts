import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { prunePeriodicReports } from '../../src/history/retention.ts'
import { startReporter } from '../../src/reports/start.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { emptyDocument, makeReports } from '../support/reports.ts'
import { sendMails } from './mails.ts'
import { type ReportWorld, reportWorld } from './world.ts'

let world: ReportWorld
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await startMailbox()
})
afterAll(() => mailbox.stop())
/** It begins on Saturday 21 November 2026, ten o'clock in Warsaw. */
beforeEach(async () => {
  mailbox.mails.length = 0
  world = await reportWorld()
  await makeReports(world)
  return () => world.drop()
})

async function address(report_frequency: string, box = 'reader@example.com', group_id = world.groupId) {
  const reply = await world.call('alice', 'POST', '/periodic_report_addresses', {
    ...{ address: box, report_frequency, group_id },
  })
  expect(reply.status).toBe(201)
}

/** Lets time pass until a moment of Warsaw, written with its distance from UTC, and delivers what is due. */
async function until(text: string): Promise<void> {
  world.clock.advanceTo(Date.parse(text))
  await makeReports(world)
  await sendMails(world, mailbox)
}

const subjects = () => mailbox.mails.map(({ parsed }) => String(parsed.subject)).toSorted()

describe('the periodic report of a group', () => {
  test('comes shortly after the day, the week and the month, to the addresses of that frequency', async () => {
    await address('daily', 'day@example.com')
    await address('weekly', 'week@example.com')
    await address('monthly', 'month@example.com')
    await until('2026-11-21T23:59:00+01:00')
    expect(subjects()).toEqual([])
    await until('2026-11-22T00:06:00+01:00')
    expect(mailbox.mails.map(({ to }) => to)).toEqual([['day@example.com']])
    expect(subjects()).toEqual(['Raport dzienny: Sklepy, 2026-11-21'])
    mailbox.mails.length = 0
    await until('2026-11-23T00:06:00+01:00')
    expect(subjects()).toEqual([
      'Raport dzienny: Sklepy, 2026-11-22',
      'Raport tygodniowy: Sklepy, 2026-11-16 – 2026-11-22',
    ])
    mailbox.mails.length = 0
    await until('2026-12-01T00:06:00+01:00')
    const monthly = mailbox.mails.filter(({ to }) => to[0] === 'month@example.com')
    expect(monthly.map(({ parsed }) => parsed.subject)).toEqual(['Raport miesięczny: Sklepy, 2026-11-01 – 2026-11-30'])
  })

  test('is of days in Warsaw, whatever the zone of the account, also when its clocks change', async () => {
    await world.database.execute(sql`update accounts set time_zone_id = 'asia_tokyo'`)
    await address('daily')
    world.clock.advanceTo(Date.parse('2027-03-28T00:10:00+01:00'))
    await makeReports(world)
    await world.database.execute(sql`delete from periodic_reports`)
    await until('2027-03-29T00:06:00+02:00')
    expect(subjects()).toEqual(['Raport dzienny: Sklepy, 2027-03-28'])
    const [{ hours } = { hours: 0 }] = await world.database.query<{ hours: number }>(sql`
      select extract(epoch from to_time - from_time)::int / 3600 as hours from periodic_reports`)
    expect(hours).toBe(23)
  })

  test('tells of each period once after a standstill', async () => {
    await address('daily')
    await until('2026-11-24T12:00:00+01:00')
    expect(subjects()).toEqual([21, 22, 23].map((day) => `Raport dzienny: Sklepy, 2026-11-${day}`))
    await until('2026-11-24T13:00:00+01:00')
    expect(subjects()).toHaveLength(3)
  })

  test('comes once to each address, by however many processes, and however often it stands there', async () => {
    await address('daily')
    await address('daily')
    await address('daily', 'other@example.com')
    world.clock.advance(86_400_000)
    const { database, clock } = world
    const options = { database, clock, render: emptyDocument, log: pino({ level: 'silent' }) }
    const reporters = await Promise.all([startReporter(options), startReporter(options), startReporter(options)])
    await Promise.all(reporters.map((one) => one.drain()))
    await Promise.all(reporters.map((one) => one.stop()))
    await Promise.all([sendMails(world, mailbox), sendMails(world, mailbox)])
    await sendMails(world, mailbox)
    expect(mailbox.mails.flatMap(({ to }) => to).toSorted()).toEqual(['other@example.com', 'reader@example.com'])
  })

  test('is made again when its maker died in the middle, and comes once', async () => {
    await address('daily')
    world.clock.advance(86_400_000)
    await makeReports(world)
    await world.database.execute(sql`delete from messages`)
    await world.database.execute(sql`update periodic_reports set is_finished = false, facts = null`)
    await makeReports(world)
    await sendMails(world, mailbox)
    expect(subjects()).toEqual(['Raport dzienny: Sklepy, 2026-11-21'])
  })

  test.each([
    ['daily', '2026-11-22T00:06:00+01:00'],
    ['weekly', '2026-11-23T00:06:00+01:00'],
    ['monthly', '2026-12-01T00:06:00+01:00'],
  ])('does not come when the group has its flag %s off', async (frequency, moment) => {
    await address(frequency)
    const flag = `periodic_${frequency}_reports`
    expect((await world.call('alice', 'PUT', `/groups/${world.groupId}`, { [flag]: false })).status).toBe(204)
    await until(moment)
    expect(subjects()).toEqual([])
  })

  test('does not come to blocked accounts, nor of groups without services', async () => {
    await address('daily')
    await world.database.execute(sql`update accounts set is_blocked = true where id = ${world.people.ids.alice}`)
    await until('2026-11-22T00:06:00+01:00')
    await world.database.execute(sql`update accounts set is_blocked = false`)
    const empty = await world.call('alice', 'POST', '/groups', { name: 'Pusta' })
    await address('daily', 'empty@example.com', (empty.body as { id: number }).id)
    await until('2026-11-23T00:06:00+01:00')
    expect(subjects()).toEqual(['Raport dzienny: Sklepy, 2026-11-22'])
  })

  test('has archived services only when the group says so', async () => {
    await address('daily')
    expect((await world.call('alice', 'POST', `/services/${world.mail}/archive`)).status).toBe(204)
    await until('2026-11-22T00:06:00+01:00')
    expect(mailbox.mails[0]?.parsed.text).toContain('Poczta (zarchiwizowana)')
    mailbox.mails.length = 0
    await world.call('alice', 'PUT', `/groups/${world.groupId}`, { archived_services_in_periodic_reports: false })
    await until('2026-11-23T00:06:00+01:00')
    expect(mailbox.mails[0]?.parsed.text).toContain('Sklep')
    expect(mailbox.mails[0]?.parsed.text).not.toContain('Poczta')
  })

  test('is forgotten with the history, and not made anew', async () => {
    await address('daily')
    await until('2026-11-22T00:06:00+01:00')
    expect(await prunePeriodicReports(world.database, world.clock.now() + 1)).toBe(1)
    expect(await world.database.query(sql`select from messages`)).toEqual([])
    await until('2026-11-22T01:00:00+01:00')
    expect(subjects()).toHaveLength(1)
  })
})

describe('its mail', () => {
  beforeEach(async () => {
    await world.live(world.shop, [
      ['2026-11-01T00:00:00Z', 'ok'],
      ['2026-11-21T10:00:00Z', 'failure'],
      ['2026-11-21T10:30:00Z', 'ok'],
      ['2026-11-21T22:59:00Z', 'failure'],
    ])
    await world.live(world.mail, [['2026-11-21T11:00:00Z', 'ok']])
    await world.database.execute(sql`update services set name = 'Sklep <b>"&"</b>' where id = ${world.shop}`)
    await address('daily')
  })

  test('has the numbers of the service level, in text and in HTML', async () => {
    const period = { start_time: '2026-11-21T10:00:00Z', end_time: '2026-11-21T10:10:00Z' }
    await world.call('alice', 'POST', '/corrections', { service_id: world.shop, status: 'ok', ...period })
    await until('2026-11-22T00:06:00+01:00')
    const range = 'from=2026-11-20T23:00:00Z&to=2026-11-21T23:00:00Z'
    const reply = await world.call('alice', 'GET', `/services/${world.shop}/history/service_level?${range}`)
    const level = reply.body as { ok: number; failure: number; paused: number }
    expect(level).toEqual({ ok: 86_400 - 1260, failure: 1260, paused: 0 })
    const percent = `${(Math.floor((100_000 * level.ok) / (level.ok + level.failure)) / 1000).toFixed(3)}`.replace(
      '.',
      ',',
    )
    const { text = '', html } = mailbox.mails[0]?.parsed ?? {}
    for (const shown of [text, String(html)].map((one) => one.replaceAll('\u00a0', ' '))) {
      for (const told of [`${percent} %`, '2 awarie', '21 min', '2026-11-21 11:10:00 – 11:30:00', 'Poczta']) {
        expect(shown).toContain(told)
      }
    }
    expect(text).toContain('Sklep <b>"&"</b>:')
    expect(String(html)).toContain('Sklep &lt;b&gt;&quot;&amp;&quot;&lt;/b&gt;')
    expect(text.indexOf('Sklep <b>')).toBeLessThan(text.indexOf('Poczta:'))
    // Together: the shop and twelve hours of the mail.
    expect(text.replaceAll('\u00a0', ' ')).toMatch(/Dostępność: +99,027 %/)
  })

  test('is in the language of the owner, says that a machine wrote it, and is one with the next', async () => {
    await world.database.execute(sql`update accounts set language_id = 'en'`)
    await until('2026-11-22T00:06:00+01:00')
    await until('2026-11-23T00:06:00+01:00')
    const [first, second] = mailbox.mails.map(({ parsed }) => parsed)
    expect(first?.subject).toBe('Daily report: Sklepy, 2026-11-21')
    expect(first?.text).toContain('2 failures, 31 min')
    expect(first?.headers.get('auto-submitted')).toBe('auto-generated')
    expect([first?.inReplyTo, second?.inReplyTo]).toEqual([undefined, undefined])
    expect(first?.references).toMatch(/^<[0-9a-f]{32}@/)
    expect(second?.references).toBe(first?.references)
    expect(first?.messageId).not.toBe(second?.messageId)
  })
})
