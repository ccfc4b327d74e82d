import sql, { raw } from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { writeLetter } from '../../src/auth/letters.ts'
import { startNotifier } from '../../src/notifications/start.ts'
import { leaseDuration } from '../../src/outbox/claims.ts'
import { type ReportWorld, reportWorld } from '../reports/world.ts'
import { urlOf } from '../support/database.ts'
import { givenIntent } from '../support/intents.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeReports } from '../support/reports.ts'
import { type NotifierProcess, startNotifierProcess } from './notifier-process.ts'

/** The current work of a notifier. The clock stands still, so no lease ever ends. */
let world: ReportWorld
let mailbox: Mailbox
let databaseUrl: string

const patiently = { timeout: 30_000, interval: 50 }
const lost = 'a claim on a notification ran out before its delivery ended'
const tables = ['notification_intents', 'messages'] as const
/** Of the notice, the letter, the report and the periodic report. */
const readers = ['notice', 'letter', 'report', 'periodic'].map((name) => `${name}@example.com`)

beforeAll(async () => {
  world = await reportWorld()
  mailbox = await startMailbox()
  databaseUrl = await urlOf(world.database)
})
afterEach(async () => {
  mailbox.mails.length = 0
  mailbox.manners.refuseRecipient = undefined
  await world.database.execute(sql`truncate notification_intents, messages, reports, periodic_reports cascade`)
})
afterAll(async () => {
  await mailbox.stop()
  await world.drop()
})

function aliceId(): Promise<number> {
  return world.database
    .query<{ id: number }>(sql`select id from accounts where username = 'alice'`)
    .then(([alice]) => alice?.id ?? 0)
}

async function givenNotice(addressId = 1): Promise<void> {
  const createdAt = world.clock.now()
  await givenIntent(world.database, { accountId: await aliceId(), addressId, address: 'notice@example.com', createdAt })
}

/** A mail of every kind. */
async function givenMails(): Promise<void> {
  const { database, clock, groupId } = world
  const periodic = { address: 'periodic@example.com', report_frequency: 'daily', group_id: groupId }
  expect((await world.call('alice', 'POST', '/periodic_report_addresses', periodic)).status).toBe(201)
  const range = { from: '2026-11-09T23:00:00Z', to: '2026-11-12T23:00:00Z' }
  const template = { email_addresses: ['report@example.com'], requested_scope: { services: { all: true } } }
  await world.order(template, range)
  // The first look of a reporter begins the plans of the periodic reports.
  await makeReports(world)
  clock.advance(86_400_000)
  await makeReports(world)
  const accountId = await aliceId()
  await database.execute(sql`
    insert into user_data (id, email_address) values (${accountId}, 'letter@example.com')
    on conflict (id) do update set email_address = excluded.email_address`)
  await database.transaction((transaction) =>
    writeLetter(transaction, { accountId, kind: 'password_reset', now: clock.now() }),
  )
  await givenNotice()
}

/** Holds back the server's answer to every recipient until it is let go. */
function holdMails() {
  const asked: string[] = []
  let letGo = () => {}
  const held = new Promise<null>((resolve) => {
    letGo = () => resolve(null)
  })
  mailbox.manners.refuseRecipient = (address) => {
    asked.push(address)
    return held
  }
  return { asked, letGo }
}

function startChild(): NotifierProcess {
  const child = startNotifierProcess({ databaseUrl, smtpUrl: mailbox.url, now: world.clock.now() })
  onTestFinished(() => child.kill())
  return child
}

async function startHeir() {
  const warnings: string[] = []
  const heir = await startNotifier({
    ...{ database: world.database, clock: world.clock, publicUrl: 'http://a.test', diagnose: () => null },
    mail: { smtpUrl: mailbox.url, from: 'Latarnik <watch@example.com>', outboxDirectory: '' },
    log: { info: () => {}, warn: (_facts, text) => void warnings.push(text), error: () => {} },
  })
  onTestFinished(() => heir.stop())
  return { drain: () => heir.drain(), warnings }
}

const tellOf = (attempts: number) =>
  readers.map(() => ({ status: 'sent', attempts, error_message: null, held_by: null }))

async function outcomes() {
  const rows = await Promise.all(
    tables.map((table) =>
      world.database.query(sql`select status, attempts, error_message, held_by from ${raw(table)}`),
    ),
  )
  return rows.flat()
}

const receivers = () => mailbox.mails.flatMap(({ to }) => to).toSorted()

/** Ends the sessions by which these are seen to live, as a server does that is started again. */
async function endSessions(): Promise<void> {
  const ended = await world.database.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where exists (select from notification_intents where split_part(held_by, '@', 1)::int = pid)`)
  expect(ended).toBe(1)
}

test('a notice, a letter, a report and a periodic report whose sender is killed are sent by the next, once', async () => {
  await givenMails()
  const { asked } = holdMails()
  const victim = startChild()
  await expect.poll(() => asked.toSorted(), patiently).toEqual(readers.toSorted())
  await victim.kill()
  mailbox.manners.refuseRecipient = undefined
  await startHeir()
  await expect.poll(outcomes, patiently).toEqual(tellOf(2))
  expect(receivers()).toEqual(readers.toSorted())
})

test('a sender that is frozen keeps what it has; once its session is gone another sends it, and it wakes up too late', async () => {
  await givenNotice()
  const { asked, letGo } = holdMails()
  const frozen = startChild()
  await expect.poll(() => asked, patiently).toHaveLength(1)
  process.kill(frozen.pid, 'SIGSTOP')
  mailbox.manners.refuseRecipient = undefined
  const heir = await startHeir()
  await heir.drain()
  expect(receivers()).toEqual([])
  await endSessions()
  await expect.poll(receivers, patiently).toEqual(['notice@example.com'])
  await heir.drain()
  process.kill(frozen.pid, 'SIGCONT')
  letGo()
  await expect.poll(() => frozen.warnings, patiently).toContain(lost)
  expect(receivers()).toEqual(['notice@example.com'])
  expect(await outcomes()).toEqual(tellOf(2).slice(0, 1))
})

test('a sender that has lost its session while it sends takes another, and sends once', async () => {
  await givenNotice()
  const { asked, letGo } = holdMails()
  const sender = await startHeir()
  await expect.poll(() => asked, patiently).toHaveLength(1)
  await endSessions()
  await expect.poll(() => asked, patiently).toHaveLength(2)
  letGo()
  await sender.drain()
  await expect.poll(() => sender.warnings, patiently).toContain(lost)
  expect(receivers()).toEqual(['notice@example.com'])
  expect(await outcomes()).toEqual(tellOf(2).slice(0, 1))
})

test('what was begun many times may be what its senders die of: it waits for its lease', async () => {
  const leaseEndsAt = new Date(world.clock.now() + leaseDuration)
  for (const attempts of [5, 6]) {
    await givenNotice(attempts)
    await world.database.execute(sql`
      update notification_intents set attempts = ${attempts}, next_attempt_at = ${leaseEndsAt}, held_by = 'nobody'
      where address_id = ${attempts}`)
  }
  const heir = await startHeir()
  await heir.drain()
  const ended = async () =>
    world.database.query(sql`select address_id, status, attempts from notification_intents order by id`)
  const [five, six] = [
    { address_id: 5, status: 'sent', attempts: 6 },
    { address_id: 6, status: 'pending', attempts: 6 },
  ]
  expect(await ended()).toEqual([five, six])
  world.clock.advance(leaseDuration)
  await heir.drain()
  expect(await ended()).toEqual([five, { ...six, status: 'sent', attempts: 7 }])
})
