import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { leaseDuration } from '../../src/outbox/claims.ts'
import type { Chance } from './chance.ts'
import type { Targets } from './targets.ts'
import type { Door, Kind } from './writers.ts'

type Json = Readonly<Record<string, unknown>>

/** The objects of the stories, made through the API. */
export interface Scene {
  readonly fleetGroupId: number
  /** Monitored services that nobody touches. Their pages are numbered as they are here. */
  readonly fleet: readonly number[]
  /** Stopped services that are analysed on request alone. */
  readonly asked: readonly number[]
  /** The kinds that writers may write. */
  readonly kinds: readonly [Kind, ...Kind[]]
}

async function made(victim: Door, path: string, body: Json): Promise<number> {
  const reply = await victim.call('POST', path, body)
  if (reply?.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(reply)}`)
  return (reply.body as { id: number }).id
}

/** Seconds. Rounds of the shortest can still be told apart when they start late (`doubledRounds`). */
const shortestInterval = 3
export const longestInterval = 6
const guestPages = 10

const handsAtOnce = 4

/** Makes so many things, a few at a time. */
async function severalAtOnce(count: number, make: (number: number) => Promise<number>): Promise<number[]> {
  const ids: number[] = []
  for (let first = 0; first < count; first += handsAtOnce) {
    const numbers = Array.from({ length: Math.min(handsAtOnce, count - first) }, (_, index) => first + index)
    ids.push(...(await Promise.all(numbers.map(make))))
  }
  return ids
}

export async function makeScene(victim: Door, targets: Targets, services: number): Promise<Scene> {
  // Each notice is to be a mail of its own, so that mails can be counted.
  await victim.call('PUT', '/accounts/my_account', { storm_threshold: null })
  const [fleetGroupId, yard, empty] = [
    await made(victim, '/groups', { name: 'Fleet' }),
    await made(victim, '/groups', { name: 'Yard' }),
    await made(victim, '/groups', { name: 'Empty' }),
  ]
  const reader = { group_id: fleetGroupId, notification_channel_id: 'email', address: 'reader@example.com' }
  await made(victim, '/notification_addresses', reader)
  const service = (group_id: number, page: number, more: Json) =>
    made(victim, '/services', {
      ...{ name: `Page ${page}`, type_id: 'http', address: targets.address(page), group_id },
      ...{ notification_channel_ids: ['email'], ...more },
    })
  const fleet = await severalAtOnce(services, (page) =>
    service(fleetGroupId, page, { interval: shortestInterval + (page % (longestInterval - shortestInterval + 1)) }),
  )
  const stopped = { interval: 86_400, is_active: false }
  const asked = [await service(yard, 0, stopped), await service(yard, 1, stopped)]
  const parked = await service(yard, 2, stopped)
  return { fleetGroupId, fleet, asked, kinds: kindsOf(targets, { yard, empty, parked }) }
}

interface Grounds {
  readonly yard: number
  /** A group without services. */
  readonly empty: number
  /** A stopped service. */
  readonly parked: number
}

function kindsOf(targets: Targets, { yard, empty, parked }: Grounds): Scene['kinds'] {
  const period = { service_id: parked, start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-02T00:00:00Z' }
  const monday = { day_of_week: 1, hour: 3, minute: 0 }
  return [
    { path: '/groups', field: 'name', made: (name) => ({ name }) },
    {
      path: '/notification_addresses',
      field: 'address',
      made: (address) => ({ address, group_id: empty, notification_channel_id: 'email' }),
    },
    {
      path: '/services',
      field: 'name',
      made: (name) => ({ name, type_id: 'http', address: targets.address(0), group_id: yard, interval: 1 }),
      changed: guestChange,
    },
    {
      // A sub-account without a password is invited by a letter.
      path: '/accounts',
      field: 'name',
      made: (name) => ({ username: name, name, user_data: { email_address: name } }),
    },
    { path: '/corrections', field: 'description', made: (description) => ({ ...period, status: 'ok', description }) },
    { path: '/suspensions', field: 'description', made: (description) => ({ ...period, description }) },
    {
      path: '/weekly_suspensions',
      field: 'description',
      made: (description) => ({
        ...{ service_id: parked, start_minute: monday, end_minute: { ...monday, hour: 4 }, description },
      }),
    },
  ]
}

/** Guests are monitored services that come, change and go while their rounds are in flight. */
function guestChange(chance: Chance): Json {
  return chance.oneOf<Json>([
    { interval: chance.between(1, 5) },
    { is_active: chance.happens(0.6) },
    { address: `127.0.0.1:1/${chance.between(0, guestPages)}` },
    { notification_mode_id: chance.happens(0.5) ? 'default' : 'after_30_seconds_failure' },
    { suspension_hours: (chance.happens(0.5) ? '1' : '0').repeat(168) },
  ])
}

/** Frees the messages of a process that was killed at the moment, because their leases last longer than a test. */
export async function expireDeliveries(database: Database, killedAt: number): Promise<void> {
  for (const table of ['notification_intents', 'messages']) {
    await database.execute(sql`
      update ${raw(table)} set next_attempt_at = ${new Date(killedAt)}
      where status = 'pending' and attempts > 0 and next_attempt_at <= ${new Date(killedAt + leaseDuration)}`)
  }
}
