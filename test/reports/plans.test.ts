import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askForDueReports } from '../../src/database/reports/report-schedules.ts'
import { startReporter } from '../../src/reports/start.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { givePackage } from '../support/packages.ts'
import { emptyDocument, makeReports } from '../support/reports.ts'
import { sendMails } from './mails.ts'
import { type ReportWorld, reportWorld } from './world.ts'

/** It begins on Saturday 21 November 2026, ten o'clock in Warsaw. */
let world: ReportWorld
beforeAll(async () => {
  world = await reportWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  await world.database.execute(sql`delete from reports`)
  await world.database.execute(sql`delete from report_templates`)
  await world.database.execute(sql`delete from report_counters`)
  await world.database.execute(sql`update accounts set is_blocked = false, time_zone_id = 'europe_warsaw'`)
})

const quiet = pino({ level: 'silent' })

async function template(body: object): Promise<number> {
  const reply = await world.call('alice', 'POST', '/report_templates', { name: 'Plan', ...body })
  return (reply.body as { id: number }).id
}

interface Made {
  readonly plan: string
  readonly from: string
  readonly to: string
}

function made(): Promise<Made[]> {
  const shown = (column: 'from_time' | 'to_time') =>
    column === 'from_time'
      ? sql`to_char(from_time at time zone 'Europe/Warsaw', 'YYYY-MM-DD HH24:MI')`
      : sql`to_char(to_time at time zone 'Europe/Warsaw', 'YYYY-MM-DD HH24:MI')`
  return world.database.query<Made>(sql`
    select reporting_plan_id as plan, ${shown('from_time')} as "from", ${shown('to_time')} as "to" from reports
    order by reporting_plan_id, from_time`)
}

/** Lets time pass until a moment of Warsaw's winter. */
async function until(text: string): Promise<void> {
  world.clock.advanceTo(Date.parse(`${text}:00+01:00`))
  await makeReports(world)
}

describe('a plan', () => {
  test('makes reports of the day, the week and the month that ended, shortly after midnight of the owner', async () => {
    await template({ reporting_plan_ids: ['daily', 'weekly', 'monthly'] })
    await until('2026-11-21T23:59')
    expect(await made()).toEqual([])
    await until('2026-11-22T00:06')
    expect(await made()).toEqual([{ plan: 'daily', from: '2026-11-21 00:00', to: '2026-11-22 00:00' }])
    await until('2026-11-23T00:06')
    const weekly = { plan: 'weekly', from: '2026-11-16 00:00', to: '2026-11-23 00:00' }
    expect((await made()).filter(({ plan }) => plan !== 'daily')).toEqual([weekly])
    await until('2026-12-01T00:06')
    const monthly = { plan: 'monthly', from: '2026-11-01 00:00', to: '2026-12-01 00:00' }
    expect((await made()).filter(({ plan }) => plan === 'monthly')).toEqual([monthly])
  })

  test('comes once, by however many reporters, also when its report was deleted', async () => {
    await template({ reporting_plan_ids: ['daily'] })
    world.clock.advance(2 * 86_400_000)
    const { database, clock } = world
    const options = { database, clock, render: emptyDocument, log: quiet }
    const reporters = await Promise.all([startReporter(options), startReporter(options), startReporter(options)])
    await Promise.all(reporters.map((one) => one.drain()))
    expect(await made()).toHaveLength(2)
    await database.execute(sql`delete from reports`)
    await Promise.all(reporters.map((one) => one.drain()))
    expect(await made()).toEqual([])
    await Promise.all(reporters.map((one) => one.stop()))
  })

  test('makes up after downtime for every period that was missed', async () => {
    await template({ reporting_plan_ids: ['daily'] })
    world.clock.advance(5 * 86_400_000)
    await makeReports(world)
    const days = await made()
    expect(days).toHaveLength(5)
    for (const [index, day] of days.slice(1).entries()) expect(day.from).toBe(days[index]?.to)
  })

  test('is not begun anew by other changes of its template, and ends when it is taken back', async () => {
    const id = await template({ reporting_plan_ids: ['daily'] })
    world.clock.advance(2 * 86_400_000)
    await world.call('alice', 'PUT', `/report_templates/${id}`, { name: 'Inny' })
    await makeReports(world)
    expect(await made()).toHaveLength(2)
    await world.call('alice', 'PUT', `/report_templates/${id}`, { reporting_plan_ids: [] })
    world.clock.advance(2 * 86_400_000)
    await makeReports(world)
    expect(await made()).toHaveLength(2)
  })

  test('has what the template says when it is made', async () => {
    const id = await template({ reporting_plan_ids: ['daily'], summary: 'only' })
    await world.call('alice', 'PUT', `/report_templates/${id}`, { name: 'Teraz', section_ids: ['checks_summary'] })
    world.clock.advance(86_400_000)
    await makeReports(world)
    const reply = await world.call('alice', 'GET', '/reports')
    expect(reply.body).toMatchObject([
      {
        name: 'Teraz',
        section_ids: ['checks_summary'],
        summary: 'only',
        template_id: id,
        status: 'completed',
        reporting_plan_id: 'daily',
      },
    ])
  })

  test('of a template that is being deleted makes no report that would outlive it', async () => {
    const id = await template({ reporting_plan_ids: ['daily'] })
    world.clock.advance(2 * 86_400_000)
    await world.database.transaction(async (transaction) => {
      await transaction.query(sql`select id from report_templates where id = ${id} for update`)
      expect(await askForDueReports(world.database, world.clock.now())).toBeNull()
      await transaction.execute(sql`delete from report_templates where id = ${id}`)
    })
    await makeReports(world)
    expect(await made()).toEqual([])
  })

  test('keeps to the limit of the month, and to nothing of a blocked account', async () => {
    await givePackage(world, 'alice', { monthly_reports_limit: 1 })
    await world.database.execute(sql`delete from report_counters`)
    await template({ reporting_plan_ids: ['daily'] })
    world.clock.advance(3 * 86_400_000)
    await makeReports(world)
    expect(await made()).toHaveLength(1)
    await givePackage(world, 'alice', {})
    await world.database.execute(sql`update accounts set is_blocked = true where id = ${world.people.ids.alice}`)
    world.clock.advance(3 * 86_400_000)
    await makeReports(world)
    expect(await made()).toHaveLength(1)
  })
})

describe('a finished document', () => {
  let mailbox: Mailbox
  beforeAll(async () => {
    mailbox = await startMailbox()
  })
  afterAll(() => mailbox.stop())
  beforeEach(() => {
    mailbox.mails.length = 0
  })

  const notify = () => sendMails(world, mailbox)

  test('is mailed once to each address, as it can be downloaded, in the language of the owner', async () => {
    const addresses = ['szef@example.com', 'zarzad@example.com', 'szef@example.com']
    const range = { from: '2026-11-08T23:00:00Z', to: '2026-11-15T23:00:00Z' }
    await world.order({ name: 'Sklep', email_addresses: addresses }, range)
    await notify()
    expect(mailbox.mails).toEqual([])
    const pdf = Buffer.from('%PDF-1.7\nzażółć\n')
    await makeReports(world, async () => pdf)
    await notify()
    await notify()
    expect(mailbox.mails.flatMap(({ to }) => to).toSorted()).toEqual(['szef@example.com', 'zarzad@example.com'])
    const [mail] = mailbox.mails
    expect(mail?.parsed.subject).toBe('Raport: Sklep, 2026-11-09 00:00 – 2026-11-16 00:00')
    expect(mail?.parsed.text).toContain('w załączniku')
    expect(mail?.parsed.headers.get('auto-submitted')).toBe('auto-generated')
    const [attachment] = mail?.parsed.attachments ?? []
    expect([attachment?.filename, attachment?.contentType]).toEqual([
      'Sklep 2026-11-09–2026-11-15.pdf',
      'application/pdf',
    ])
    expect(attachment?.content.equals(pdf)).toBe(true)
  })

  test('that an address refuses stays refused there alone', async () => {
    mailbox.manners.refuseRecipient = (address) => (address.startsWith('nobody') ? '550 No such user' : null)
    const range = { from: '2026-11-08T23:00:00Z', to: '2026-11-15T23:00:00Z' }
    await world.order({ email_addresses: ['nobody@example.com', 'szef@example.com'] }, range)
    await makeReports(world)
    await notify()
    mailbox.manners.refuseRecipient = undefined
    const mails = await world.database.query(sql`select address, status, error_message from messages order by address`)
    expect(mails).toEqual([
      { address: 'nobody@example.com', status: 'failed', error_message: expect.stringContaining('550') },
      { address: 'szef@example.com', status: 'sent', error_message: null },
    ])
  })

  test('that failed is mailed to nobody', async () => {
    const range = { from: '2026-11-08T23:00:00Z', to: '2026-11-15T23:00:00Z' }
    await world.order({ email_addresses: ['szef@example.com'] }, range)
    await makeReports(world, async () => {
      throw new Error('no paper')
    })
    await notify()
    expect(mailbox.mails).toEqual([])
  })
})
