/**
 * Webhooks: how many one process delivers to a thousand hosts, compared with the same requests bare, and how long dead
 * hooks delay the others.
 */
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { askScreened } from '../src/outgoing/exchange.ts'
import { failureNotice } from '../test/support/notices.ts'
import { type BenchDatabase, benchDatabase } from './support/bench-database.ts'
import { dialler, notifier, received, startSink } from './webhooks/sink.ts'

const messages = 10_000
const hosts = 1000
const targetSeconds = 60
const targetP99Ms = 2000
/** Under load: so many a second, for the same number of messages. */
const perSecond = 200
/** Every tenth hook never answers. */
const deadEvery = 10

const isDead = (number: number) => number % deadEvery === 0

/** An address for each message's number, ten per host. There are as many accounts as dead hooks need at ten each. */
async function writeAddresses({ database }: BenchDatabase, port: number, hasDead: boolean): Promise<void> {
  await database.execute(sql`
    with distribution as (insert into distributions (name) values ('Webhooks') returning id),
    package as (
      insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids, available_service_types)
      select id, 'webhooks', 1, '{webhook}', '[]' from distribution returning id, distribution_id),
    account as (
      insert into accounts (distribution_id, package_id, username, name)
      select distribution_id, id, 'webhooks' || number, 'Webhooks' from package, generate_series(0, 99) number returning id)
    insert into groups (owner_id, name, assigned_sensor_ids) select id, 'Webhooks', '{}' from account`)
  await database.execute(sql`
    insert into notification_addresses (group_id, notification_channel_id, address, settings, destination)
    select (select id from groups order by id offset number % 100 limit 1), 'webhook', 'hook', jsonb_build_object('url',
        'http://' || host || ${`:${port}/`} || case when dead then 'dead' else 'live' end || '/' || number),
      host || ${`:${port}`}
    from generate_series(1, ${messages}) number,
      lateral (select ${hasDead} and number % ${deadEvery} = 0 as dead) fate,
      lateral (select case when dead then 'dead' else 'live' end || (number % ${hosts}) || '.test' as host) named`)
}

/** Messages to the addresses of these numbers. */
async function writeMessages({ database }: BenchDatabase, from: number, to: number): Promise<void> {
  const now = new Date()
  await database.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at)
    select 1, 'failure:1', a.id, g.owner_id, g.id, 'webhook', 'failure', a.address, a.destination,
      ${JSON.stringify(failureNotice())}, ${now}, ${now}
    from notification_addresses a join groups g on g.id = a.group_id
    where split_part(a.settings->>'url', '/', 5)::int between ${from} and ${to}`)
  await database.execute(sql`select pg_notify('notifications', '')`)
}

async function many(): Promise<number> {
  const [bench, sink] = [await benchDatabase(), await startSink()]
  try {
    await writeAddresses(bench, sink.port, false)
    await writeMessages(bench, 1, messages)
    const start = performance.now()
    const running = await notifier(bench)
    await received(sink, messages).finally(() => running.stop())
    const numbers = new Set(sink.arrivals.map(([, number]) => number))
    if (numbers.size !== messages || sink.arrivals.length !== messages) throw new Error('a message came twice')
    return (performance.now() - start) / 1000
  } finally {
    sink.close()
    await bench.close()
  }
}

/** The same requests, already composed, and nothing put on record. */
async function bare(): Promise<number> {
  const sink = await startSink()
  const body = JSON.stringify({ type: 'service.failure', data: 'x'.repeat(1500) })
  try {
    let next = 0
    const one = async () => {
      while (next < messages) {
        next += 1
        const url = `http://live${next % hosts}.test:${sink.port}/live/${next}`
        const request = { url, method: 'POST', headers: { 'Content-Type': 'application/json' }, body } as const
        await askScreened(dialler, request, async () => undefined, { connection: 10_000, whole: 30_000 })
      }
    }
    const start = performance.now()
    await Promise.all(Array.from({ length: 200 }, one))
    return (performance.now() - start) / 1000
  } finally {
    sink.close()
  }
}

/** Milliseconds from the writing of each live message to its arrival, in order, while every tenth hook is dead. */
async function delaysBesideDead(): Promise<number[]> {
  const [bench, sink] = [await benchDatabase(), await startSink()]
  const written: number[] = []
  try {
    await writeAddresses(bench, sink.port, true)
    const running = await notifier(bench)
    const start = performance.now()
    for (let sent = 0; sent < messages; sent += perSecond / 10) {
      const to = Math.min(messages, sent + perSecond / 10)
      for (let number = sent + 1; number <= to; number += 1) written[number] = Date.now()
      await writeMessages(bench, sent + 1, to)
      await pause(Math.max(0, start + ((sent + perSecond / 10) / perSecond) * 1000 - performance.now()))
    }
    const live = messages - messages / deadEvery
    await received(sink, live).finally(() => running.stop())
    return sink.arrivals
      .filter(([, number]) => !isDead(number))
      .map(([at, number]) => at - (written[number] ?? Number.NaN))
      .toSorted((one, other) => one - other)
  } finally {
    sink.close()
    await bench.close()
  }
}

const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED')

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export async function run(): Promise<void> {
  const [seconds, alone] = [await many(), await bare()]
  console.log(
    `${messages} webhooks to ${hosts} hosts, one process: ${seconds.toFixed(1)} s (target ${targetSeconds} s: ${verdict(seconds <= targetSeconds)})`,
  )
  console.log(`  the same requests bare ${alone.toFixed(1)} s: ${(seconds / alone).toFixed(1)}× the time`)
  const delays = await delaysBesideDead()
  const at = (share: number) => quantile(delays, share)
  console.log(
    `${perSecond} a second, every tenth to a hook that never answers: live ones p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, all ${at(1)} ms (target p99 ${targetP99Ms} ms: ${verdict(at(0.99) <= targetP99Ms)})`,
  )
}
