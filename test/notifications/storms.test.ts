import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryOutcome, Message, Transport } from '../../src/channels/delivery.ts'
import { stormPeriod } from '../../src/domain/notification/storm.ts'
import { type DecidedNotice, writeIntents } from '../../src/outbox/intents.ts'
import { commitSeed } from '../support/commit-seed.ts'
import { givenReader } from '../support/intents.ts'
import { failureNotice, noticeCheck } from '../support/notices.ts'
import { newWorld, type World } from './world.ts'

/** Many services of one account fail, or work again, within a minute. */
let world: World
let account = 0
let changes = 0
let serviceIds: readonly number[] = []
const hour = 3_600_000
const most = 40

beforeAll(async () => {
  world = await newWorld()
  account = await givenReader(world.database, 'en', 'utc')
  const services = await world.database.query<{ id: number }>(sql`
    with place as (
      insert into groups (owner_id, name, assigned_sensor_ids) values (${account}, 'Shops', '{}') returning id),
    told as (
      insert into notification_addresses (group_id, notification_channel_id, address)
      select id, channel, target from place,
        (values ('email', 'ops@example.com'), ('sms', '+48500100200'), ('webhook', 'hook.example.com')) as chosen (channel, target))
    insert into services (owner_id, group_id, name, type_id, address, interval, is_active, extended_settings, sensor_ids, notification_mode_id,
      recovery_notification_mode_id, notification_channel_ids, notification_condition_ids)
    select ${account}, id, 'S' || number || '.', 'http', 'shop.example', 60, true, '{}', '{}', 'default', 'default',
      '{email,sms,webhook}', '{failure,recovery}' from place, generate_series(1, ${most}) as number returning id`)
  serviceIds = services.map(({ id }) => id)
})
afterAll(() => world.close())

interface Happening {
  /** The index in `serviceIds`. */
  readonly service: number
  /** Unix milliseconds. */
  readonly at: number
}

interface Sent {
  readonly message: Message
  readonly at: number
}

/** The next event of a service: it fails if it worked, and recovers if it had failed. */
function turns(): (service: number) => 'failure' | 'recovery' {
  const failing = new Set<number>()
  return (service) => {
    if (failing.delete(service)) return 'recovery'
    failing.add(service)
    return 'failure'
  }
}

function decided(service: number, condition: 'failure' | 'recovery', at: number): DecidedNotice {
  changes += 1
  const changeId = changes
  return {
    serviceId: serviceIds[service] ?? 0,
    event: { condition, eventId: `${condition}:${changeId}` },
    decidedAt: at,
    change: { changeId, state: condition === 'failure' ? 'failure' : 'ok', startedAt: at },
    analysisId: null,
    checks: [noticeCheck()],
    pauseReason: null,
  }
}

/** A gateway that hears everything, and refuses what `fails` says. */
function transport(id: string, sent: Sent[], fails: () => boolean): Transport {
  return {
    id: id as Transport['id'],
    notificationChannelIds: [id],
    concurrency: 3,
    async deliver(message, progress): Promise<DeliveryOutcome> {
      if (fails()) return { status: 'failed', permanent: false, error: 'busy' }
      await progress.handOver()
      sent.push({ message, at: world.now() })
      return { status: 'sent' }
    },
    close: () => undefined,
  }
}

async function begin(threshold: number | null, fails: () => boolean = () => false) {
  await world.reset()
  await world.database.execute(sql`update accounts set storm_threshold = ${threshold} where id = ${account}`)
  const sent: Sent[] = []
  const notifier = await world.workers(['email', 'sms', 'webhook'].map((id) => transport(id, sent, fails)))
  const by = (channel: string) => sent.filter(({ message }) => message.channelId === channel)
  const tell = (notices: readonly DecidedNotice[]) =>
    world.database.transaction((transaction) => writeIntents(transaction, notices, world.now()))
  const pass = async (milliseconds: number) => {
    world.advance(milliseconds)
    await notifier.drain()
  }
  return { by, tell, pass, notifier }
}

/** The names that a message tells of; a digest here names all of them. */
function namesIn({ message: { subject, text } }: Sent): string[] {
  return [...new Set(`${subject}\n${text}`.match(/\bS\d+\./g))]
}

const failures = (count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => decided(from + place, 'failure', world.now()))

describe('a storm', () => {
  test('becomes one digest for each address; programs hear of every event', async () => {
    const { by, tell, pass } = await begin(3)
    await tell(failures(40))
    await pass(0)
    expect(by('email')).toEqual([])
    expect(by('webhook')).toHaveLength(40)
    await pass(9_999)
    expect(by('email')).toEqual([])
    await pass(1)
    expect(by('email').map(({ message }) => message.subject)).toEqual(['FAILURE: 40 services'])
    expect(by('email').flatMap(namesIn)).toHaveLength(40)
    expect(by('email')[0]?.message).toMatchObject({
      link: 'https://watch.example.com/services?status.summary=failure',
      serviceId: null,
    })
    expect(by('sms').map(({ message }) => message.text)).toEqual([
      'FAILURE: 40 services: S1., S2., S3., S4., S5., and 35 services more\n',
    ])
    expect(await logOf('email')).toEqual({ rows: 40, sent: 40, messages: 1 })
    expect(await logOf('webhook')).toEqual({ rows: 40, sent: 40, messages: 40 })
    const [used] = await world.database.query<{ sent: number }>(sql`
      select sent::int from usage_notifications where account_id = ${account} and notification_channel_id = 'sms'`)
    expect(used).toEqual({ sent: 1 })
  })

  test('does not hold back as many as the account wants to hear of one by one', async () => {
    const { by, tell, pass } = await begin(3)
    await tell(failures(3))
    await pass(0)
    expect(by('email').map(namesIn).toSorted()).toEqual([['S1.'], ['S2.'], ['S3.']])
    await tell(failures(2, 3))
    await pass(0)
    expect(by('email')).toHaveLength(3)
    await pass(10_000)
    expect(by('email').map(namesIn).at(-1)).toEqual(['S4.', 'S5.'])
  })

  test('of recoveries is one digest, too, after that of the failures', async () => {
    const { by, tell, pass } = await begin(3)
    await tell(failures(10))
    await tell(Array.from({ length: 10 }, (_, service) => decided(service, 'recovery', world.now())))
    await pass(10_000)
    expect(by('email').map(({ message }) => message.subject)).toEqual([
      'FAILURE: 10 services',
      'WORKS AGAIN: 10 services',
    ])
  })

  test('is none for an account that wants every message by itself', async () => {
    const { by, tell, pass } = await begin(null)
    await tell(failures(40))
    await pass(0)
    expect(by('email')).toHaveLength(40)
  })

  test('is told as one message by a notifier that takes over from a dead one, and what that had handed over is not told twice', async () => {
    const { by, tell, pass } = await begin(3)
    await tell(failures(6))
    await world.database.execute(sql`
      update notification_intents set handed_over_at = ${new Date(world.now())}, attempts = 1
      where notification_channel_id = 'email' and id in (
        select id from notification_intents where notification_channel_id = 'email' order by id limit 2)`)
    await pass(10_000)
    expect(by('email').map(namesIn)).toEqual([['S3.', 'S4.', 'S5.', 'S6.']])
    expect(await logOf('email')).toEqual({ rows: 6, sent: 6, messages: 3 })
  })
})

test('a storm over many addresses is one digest for each of them', async () => {
  const { by, pass } = await begin(3)
  const [addresses, events] = [3, 900]
  await world.database.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, facts, created_at, next_attempt_at, digest_at)
    select 100000 + event, 'failure:' || event, 900000 + place, ${account}, 1, 'email', 'failure', 'a' || place || '@example.com',
      ${JSON.stringify(failureNotice())}::jsonb, ${new Date(world.now())}, ${new Date(world.now())}, ${new Date(world.now())}
    from generate_series(1, ${events}) as event, generate_series(1, ${addresses}) as place`)
  await world.database.execute(sql`
    insert into notification_addresses (id, group_id, notification_channel_id, address)
    select 900000 + place, (select min(group_id) from notification_addresses), 'email', 'a' || place || '@example.com'
    from generate_series(1, ${addresses}) as place`)
  await pass(0)
  expect(by('email').map(({ message }) => message.subject)).toEqual(
    Array.from({ length: addresses }, () => `FAILURE: ${events} services`),
  )
  expect(new Set(by('email').map(({ message }) => message.address)).size).toBe(addresses)
  await world.database.execute(sql`delete from notification_addresses where id > 900000`)
})

async function logOf(channel: string) {
  const [row] = await world.database.query<{ rows: number; sent: number; messages: number }>(sql`
    select count(*)::int as rows, count(*) filter (where status = 'sent')::int as sent,
      count(*) filter (where digest_of is null)::int as messages
    from notification_intents where notification_channel_id = ${channel}`)
  return row
}

const weather = fc.record({
  threshold: fc.integer({ min: 1, max: 12 }),
  happenings: fc.array(
    fc.record({
      pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 90_000 })),
      services: fc.uniqueArray(fc.nat(most - 1), { minLength: 1, maxLength: 25 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  /** Failures per hundred deliveries. */
  failing: fc.constantFrom(0, 0, 30),
  chances: fc.infiniteStream(fc.nat(99)),
})

test('in any storm every event reaches every address once, in order, within a minute, and nothing is gathered without need', async () => {
  let met = 0
  let digests = 0
  await fc.assert(
    fc.asyncProperty(weather, async ({ threshold, happenings, failing, chances }) => {
      const { by, tell, pass } = await begin(threshold, () => Number(chances.next().value) < failing)
      const next = turns()
      const events: (Happening & { readonly condition: string })[] = []
      for (const { pause, services } of happenings) {
        await pass(pause)
        const now = services.map((service) => ({ service, at: world.now(), condition: next(service) }))
        events.push(...now)
        await tell(now.map(({ service, condition, at }) => decided(service, condition, at)))
        await pass(0)
      }
      for (let tries = 0; tries < 40 && (await waiting()) > 0; tries++) await pass(failing === 0 ? 20_000 : hour / 4)
      for (const channel of ['email', 'webhook']) {
        const told = by(channel).flatMap((one) => namesIn(one).map((name) => ({ name, ...one })))
        expect(told).toHaveLength(events.length)
        for (const [service] of serviceIds.entries()) {
          const heard = told.filter(({ name }) => name === `S${service + 1}.`)
          const wanted = events.filter((event) => event.service === service)
          expect(heard.map(({ message }) => message.condition)).toEqual(wanted.map(({ condition }) => condition))
          for (const [place, { at }] of wanted.entries())
            if (failing === 0) expect((heard[place]?.at ?? 0) - at).toBeLessThanOrEqual(2 * stormPeriod + 20_000)
        }
      }
      expect(by('webhook').every((one) => namesIn(one).length === 1)).toBe(true)
      for (const one of by('email').filter((sent) => namesIn(sent).length > 1)) {
        digests += 1
        const { condition, decidedAt } = one.message
        const near = events.filter(
          (event) => event.condition === condition && Math.abs(event.at - decidedAt) <= 2 * stormPeriod,
        )
        expect(new Set(near.map(({ service }) => service)).size).toBeGreaterThan(threshold)
      }
      met += events.length
    }),
    { numRuns: 25, seed: commitSeed() },
  )
  expect(met).toBeGreaterThan(100)
  expect(digests).toBeGreaterThan(5)
})

async function waiting(): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(sql`
    select count(*)::int as count from notification_intents where status = 'pending'`)
  return row?.count ?? 0
}
