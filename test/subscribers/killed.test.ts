import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { leaseDuration } from '../../src/outbox/claims.ts'
import { isSpreading } from '../../src/outbox/notice-spreading.ts'
import { startNotifierProcess } from '../notifications/notifier-process.ts'
import { newWorld, type World } from '../notifications/world.ts'
import { givenIncident, givenSubscribedPage } from '../support/given-page.ts'
import { patiently } from '../support/patience.ts'

/** `SUBSCRIBERS=10000` makes it the long run. */
const subscribers = Number(process.env['SUBSCRIBERS'] ?? 1200)

/** The five minutes that 10,000 of them may take, and never less than others are waited for. */
const inProportion = { ...patiently, timeout: Math.max(patiently.timeout, subscribers * 30) }

let world: World

beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

interface MessageRow {
  readonly address: string
  readonly name: string
  readonly status: string
  readonly error_message: string | null
}

const keyOf = (address: string, name: string) => `${address} ${name}`

/** Ends a notifier by kill -9 when the mail server is asked for the `mark`-th recipient from now. */
async function killAt(mark: number): Promise<void> {
  let [asked, isKilled] = [0, false]
  const child = startNotifierProcess({
    databaseUrl: world.databaseUrl,
    smtpUrl: world.mailbox.url,
    now: world.now(),
  })
  world.mailbox.manners.refuseRecipient = async () => {
    asked += 1
    if (asked === mark) {
      isKilled = true
      await child.kill()
    }
    return null
  }
  await Promise.race([vi.waitFor(() => expect(isKilled).toBe(true), patiently), child.ended])
  await child.kill()
  world.mailbox.manners.refuseRecipient = undefined
}

async function unspread(): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(
    sql`select count(*)::int as count from status_page_notices where not is_spread`,
  )
  return row?.count ?? 0
}

test(
  'kill -9 between the batches, and between the batch and the delivery, tells nobody twice and leaves nobody out',
  async () => {
    const accountId = await world.holder('owner@example.com')
    const pageId = await givenSubscribedPage(world.database, { accountId, subscribers, now: world.now() })
    for (const name of ['First', 'Second']) await givenIncident(world.database, pageId, name, world.now())
    // The first message of the first batch; in its middle; when the second batch is under way; near the end.
    await killAt(1)
    expect(await unspread()).toBeGreaterThan(0)
    for (const mark of [137, 400, 650, 3]) await killAt(mark)
    // The claims of a dead process are free at once, or at the end of their lease at the latest.
    world.advance(leaseDuration + 1000)
    const notifiers = await Promise.all([world.notifier(), world.notifier()])
    await vi.waitFor(async () => {
      await Promise.all(notifiers.map((notifier) => notifier.drain()))
      const [waiting] = await world.database.query<{ count: number }>(
        sql`select count(*)::int as count from messages where status = 'pending'`,
      )
      expect(waiting?.count).toBe(0)
      expect(await isSpreading(world.database)).toBe(false)
    }, inProportion)
    const rows = await world.database.query<MessageRow>(sql`
    select subscriber.address, notice.facts->>'name' as name, message.status, message.error_message
    from messages message join status_page_subscribers subscriber on subscriber.id = message.subscriber_id
    join status_page_notices notice on notice.id = message.notice_id`)
    expect(rows).toHaveLength(2 * subscribers)
    expect(new Set(rows.map(({ address, name }) => keyOf(address, name))).size).toBe(2 * subscribers)
    expect(rows.every(({ status }) => status === 'sent')).toBe(true)
    const arrived = world.mailbox.mails.map(({ to, parsed }) =>
      keyOf(to[0] ?? '', /\] (\w+):/.exec(parsed.subject ?? '')?.[1] ?? ''),
    )
    expect(new Set(arrived).size).toBe(arrived.length)
    // A message that was on the wire at a kill is unconfirmed: it may have arrived, and is not sent again.
    const certain = rows.filter((row) => row.error_message === null).map(({ address, name }) => keyOf(address, name))
    const known = new Set(arrived)
    expect(certain.filter((key) => !known.has(key))).toEqual([])
    expect(rows.length - certain.length).toBeLessThanOrEqual(5 * 10)
  },
  120_000 + inProportion.timeout,
)
