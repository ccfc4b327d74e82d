/** Subscribers: how soon ten thousand of a status page are told by one process, and what that costs a notification. */
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { startNotifier } from '../src/notifications/start.ts'
import { givenIncident, givenSubscribedPage } from '../test/support/given-page.ts'
import { failureNotice } from '../test/support/notices.ts'
import { type Sink, startSink } from './notices/sink.ts'
import { type BenchDatabase, benchDatabase, quietLog } from './support/bench-database.ts'

const subscribers = 10_000
const targetSeconds = 300
const targetDelayMs = 1000
/** Notifications during the flood, one after another. */
const failures = 20

const clock = { now: () => Date.now() }

async function givenAccount({ database }: BenchDatabase): Promise<number> {
  const [account] = await database.query<{ id: number }>(sql`
    with distribution as (insert into distributions (name) values ('Subscribers') returning id),
    package as (
      insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids, available_service_types)
      select id, 'subscribers', 1, '{email}', '[]' from distribution returning id, distribution_id)
    insert into accounts (distribution_id, package_id, username, name)
    select distribution_id, id, 'subscribers', 'Subscribers' from package returning id`)
  return account?.id ?? 0
}

async function fail({ database }: BenchDatabase, accountId: number, service: number): Promise<void> {
  const now = new Date()
  await database.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, facts, created_at, next_attempt_at)
    values (${service}, 'failure:1', ${service}, ${accountId}, 1, 'email', 'failure', 'oncall@example.com',
      jsonb_set(${JSON.stringify(failureNotice())}::jsonb, '{service,id}', to_jsonb(${service}::int)), ${now}, ${now})`)
  await database.execute(sql`select pg_notify('notifications', '')`)
}

/** Milliseconds from each failure to the arrival of its mail. */
async function delaysMeanwhile(bench: BenchDatabase, accountId: number, sink: Sink): Promise<readonly number[]> {
  const delays: number[] = []
  for (let service = 1; service <= failures; service += 1) {
    const from = Date.now()
    await fail(bench, accountId, service)
    let arrival = sink.arrivals.find(({ serviceId }) => serviceId === service)
    while (arrival === undefined && Date.now() - from < 60_000) {
      await pause(5)
      arrival = sink.arrivals.find(({ serviceId }) => serviceId === service)
    }
    if (arrival === undefined) throw new Error('a notification did not arrive during the flood')
    delays.push(arrival.at - from)
  }
  return delays.toSorted((one, other) => one - other)
}

export async function run(): Promise<void> {
  const [sink, bench] = [await startSink(), await benchDatabase()]
  try {
    const { database } = bench
    const accountId = await givenAccount(bench)
    const pageId = await givenSubscribedPage(database, { accountId, subscribers, now: Date.now() })
    await database.execute(sql`analyze`)
    const running = await startNotifier({
      ...{ database, clock, log: quietLog, publicUrl: 'http://127.0.0.1:8080' },
      mail: { smtpUrl: sink.url, from: 'Latarnik <latarnik@example.com>', outboxDirectory: '' },
      diagnose: () => ({ name: 'Connection refused', diagnosis: 'Nobody listens on the port.' }),
    })
    const startedAt = performance.now()
    await givenIncident(database, pageId, 'The shop is slow', Date.now())
    const delays = await delaysMeanwhile(bench, accountId, sink)
    const floodLasted = sink.arrivals.length < subscribers + failures
    await sink.received(subscribers + failures).finally(() => running.stop())
    const seconds = (performance.now() - startedAt) / 1000
    const [left] = await database.query<{ count: number }>(
      sql`select count(*)::int as count from messages where status <> 'sent' or attempts <> 1 or error_message is not null`,
    )
    if (left?.count !== 0 || sink.arrivals.length !== subscribers + failures)
      throw new Error('a mail was lost or sent twice')
    const [middle, last] = [delays[Math.floor(delays.length / 2)] ?? Number.NaN, delays.at(-1) ?? Number.NaN]
    const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED')
    console.log(`${subscribers} subscribers told of an incident by mail, one process, each once:`)
    console.log(`  ${seconds.toFixed(1)} s (target ${targetSeconds} s: ${verdict(seconds <= targetSeconds)})`)
    console.log(
      `${failures} notifications meanwhile: half within ${middle} ms, all within ${last} ms (target ${targetDelayMs} ms: ${verdict(last <= targetDelayMs && floodLasted)})`,
    )
  } finally {
    await bench.close()
    sink.close()
  }
}
