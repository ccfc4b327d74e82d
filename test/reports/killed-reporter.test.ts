import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { urlOf } from '../support/database.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { sendMails } from './mails.ts'
import { type ReporterProcess, startReporterProcess } from './reporter-process.ts'
import { type ReportWorld, reportWorld } from './world.ts'

const range = { from: '2026-11-09T23:00:00Z', to: '2026-11-12T23:00:00Z' }
const addresses = ['szef@example.com', 'zarzad@example.com']
const patience = { timeout: 60_000, interval: 20 }

let world: ReportWorld
let mailbox: Mailbox
let databaseUrl: string
beforeAll(async () => {
  world = await reportWorld()
  mailbox = await startMailbox()
  databaseUrl = await urlOf(world.database)
  await world.live(world.shop, [
    ['2026-11-01T00:00:00Z', 'ok'],
    ['2026-11-10T10:00:00Z', 'failure'],
    ['2026-11-10T10:30:00Z', 'ok'],
  ])
})
afterAll(async () => {
  await mailbox.stop()
  await world.drop()
})
beforeEach(() => {
  mailbox.mails.length = 0
})

function start(diesBetween = false): ReporterProcess {
  return startReporterProcess({ databaseUrl, now: world.clock.now(), diesBetween })
}

async function stateOf(id: number) {
  const { body } = await world.call('alice', 'GET', `/reports/${id}`)
  return body as Record<'generating_status' | 'rendering_status' | 'status' | 'progress' | 'error_message', unknown>
}

/** Keeps everybody from the table until somebody waits for it, and while `meanwhile` runs. */
async function whileWaitingFor(table: string, work: () => Promise<void>, meanwhile: () => Promise<void>) {
  await world.database.transaction(async (transaction) => {
    await transaction.execute(sql`lock table ${raw(table)} in access exclusive mode`)
    await work()
    await vi.waitUntil(async () => {
      const [waiting] = await transaction.query<{ count: number }>(sql`
        select count(*)::int as count from pg_locks where relation = ${table}::regclass and not granted`)
      return (waiting?.count ?? 0) > 0
    }, patience)
    await meanwhile()
  })
}

/** The next process ends what the dead one began. Its lease never ends: the clock stands still. */
async function finish(id: number): Promise<void> {
  const next = start()
  try {
    await vi.waitUntil(async () => ['completed', 'failed'].includes(String((await stateOf(id)).status)), patience)
  } finally {
    await next.kill()
  }
}

const order = () => world.order({ email_addresses: addresses, requested_scope: { services: { all: true } } }, range)

describe('a report whose reporter is killed', () => {
  test.each([
    ['while it reads for phase one', 'status_changes', { status: 'in_progress', progress: 0 }],
    ['while it stores what phase one made', 'report_files', { generating_status: 'in_progress' }],
    ['while it stores the document', 'messages', { generating_status: 'completed', progress: 50 }],
  ] as const)('%s is taken up again, finished once and mailed once', async (_, table, left) => {
    const id = await order()
    let victim: ReporterProcess | undefined
    await whileWaitingFor(
      table,
      async () => {
        victim = start()
      },
      async () => victim?.kill(),
    )
    expect(await stateOf(id)).toMatchObject(left)
    await finish(id)
    await expectOneOfEach(id)
  })

  test('between the phases goes on with the second: the data stay as they were', async () => {
    const id = await order()
    expect(await start(true).ended).toBe('SIGKILL')
    expect(await stateOf(id)).toMatchObject({ generating_status: 'completed', status: 'in_progress', progress: 50 })
    const before = await filesOf(id)
    expect(before.map(({ kind }) => kind)).toEqual(['json'])
    await finish(id)
    expect((await filesOf(id))[0]).toEqual(before[0])
    await expectOneOfEach(id)
  })

  test('while the document is being made is taken up again', async () => {
    const id = await order()
    const victim = start()
    await vi.waitUntil(async () => (await stateOf(id)).rendering_status === 'in_progress', patience)
    await victim.kill()
    expect(await stateOf(id)).toMatchObject({ rendering_status: 'in_progress', status: 'in_progress' })
    await finish(id)
    await expectOneOfEach(id)
  })
})

test('a periodic report whose reporter is killed while it stores its mails is made again, and each address has it once', async () => {
  const body = { address: 'reader@example.com', report_frequency: 'daily', group_id: world.groupId }
  expect((await world.call('alice', 'POST', '/periodic_report_addresses', body)).status).toBe(201)
  world.clock.advance(86_400_000)
  let victim: ReporterProcess | undefined
  await whileWaitingFor(
    'messages',
    async () => {
      victim = start()
    },
    async () => victim?.kill(),
  )
  const finished = () =>
    world.database.query<{ count: number }>(sql`
      select count(*)::int as count from periodic_reports where is_finished`)
  expect(await finished()).toEqual([{ count: 0 }])
  const next = start()
  await vi.waitUntil(async () => (await finished())[0]?.count === 1, patience)
  await next.kill()
  await sendMails(world, mailbox)
  await sendMails(world, mailbox)
  expect(mailbox.mails.map(({ to, parsed }) => [to[0], parsed.subject])).toEqual([
    ['reader@example.com', expect.stringContaining('Raport dzienny: Sklepy')],
  ])
})

function filesOf(id: number) {
  return world.database.query<{ kind: string; digest: string }>(sql`
    select kind, digest from report_files where report_id = ${id} order by kind`)
}

async function expectOneOfEach(id: number): Promise<void> {
  expect(await stateOf(id)).toMatchObject({ status: 'completed', progress: 100, error_message: null })
  expect((await world.read(id)).results[0]?.service_level_summary).toMatchObject({ failure: 1800, failures_count: 1 })
  expect((await filesOf(id)).map(({ kind }) => kind)).toEqual(['json', 'pdf'])
  await sendMails(world, mailbox)
  await sendMails(world, mailbox)
  expect(mailbox.mails.flatMap(({ to }) => to).toSorted()).toEqual(addresses)
  const [pdf] = mailbox.mails[0]?.parsed.attachments ?? []
  expect(pdf?.content.subarray(0, 5).toString()).toBe('%PDF-')
}
