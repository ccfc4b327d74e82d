import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DecidedNotice, writeIntents } from '../../src/outbox/intents.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { commitSeed } from '../support/commit-seed.ts'
import { idOf } from '../support/replies.ts'

/** The recipients of an event, compared with a model that judges each address by itself. */
let world: ApiWorld
let groupId: number
let serviceId: number
let changes = 0

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  await world.database.execute(sql`truncate notification_intents, escalation_statuses`)
  groupId = idOf(await world.call('alice', 'POST', '/groups', { name: 'Shop' }))
  const service = { type_id: 'http', address: 'shop.example', name: 'Shop', group_id: groupId }
  serviceId = idOf(await world.call('alice', 'POST', '/services', { ...service, notification_channel_ids: ['email'] }))
})

type Condition = 'failure' | 'recovery'

/** A Sunday in March, a day in October and others: clocks change in some of these nights. */
const moments = [
  Date.UTC(2027, 2, 28, 0, 59),
  Date.UTC(2027, 2, 28, 1, 1),
  Date.UTC(2027, 9, 31, 0, 30),
  Date.UTC(2027, 9, 31, 1, 30),
  Date.UTC(2027, 5, 14, 12),
]
const zones = { europe_warsaw: 'Europe/Warsaw', america_new_york: 'America/New_York', utc: 'UTC' } as const

interface Person {
  readonly zone: keyof typeof zones
  readonly addresses: readonly { readonly isEnabled: boolean; readonly isConfirmed: boolean }[]
  /** Minutes of the week. */
  readonly weekly: readonly (readonly [start: number, end: number])[]
  /** Minutes before and after the moment. */
  readonly once: readonly (readonly [before: number, after: number])[]
  readonly namedBy: { readonly service: boolean; readonly group: boolean; readonly contactGroup: boolean }
}

interface Case {
  readonly people: readonly Person[]
  readonly at: number
  readonly isLegacyOff: boolean
  readonly conditions: readonly Condition[]
  readonly contactGroupNamedBy: 'service' | 'group' | null
}

const week = 7 * 1440
const person: fc.Arbitrary<Person> = fc.record({
  zone: fc.constantFrom('europe_warsaw', 'america_new_york', 'utc'),
  addresses: fc.array(fc.record({ isEnabled: mostly(), isConfirmed: mostly() }), { maxLength: 3 }),
  weekly: fc.array(fc.tuple(fc.nat(week - 1), fc.nat(week - 1)), { maxLength: 1 }),
  once: fc.array(fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -90, max: 90 })), { maxLength: 2 }),
  namedBy: fc.record({ service: fc.boolean(), group: fc.boolean(), contactGroup: fc.boolean() }),
})
const anyCase: fc.Arbitrary<Case> = fc.record({
  people: fc.array(person, { minLength: 1, maxLength: 5 }),
  at: fc.constantFrom(...moments),
  isLegacyOff: fc.boolean(),
  conditions: fc.constantFrom<readonly Condition[]>(
    ['failure', 'recovery'],
    ['failure', 'recovery'],
    ['failure'],
    ['recovery'],
    [],
  ),
  contactGroupNamedBy: fc.constantFrom('service', 'group', null),
})

function mostly(): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 3 }).map((chance) => chance > 0)
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The local time of the zone, by the browser's own tables. */
function minuteOfWeekIn(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return days.indexOf(part('weekday')) * 1440 + Number(part('hour')) * 60 + Number(part('minute'))
}

/** @param from what the one-off times are around */
function isOffDuty({ zone, weekly, once }: Person, at: number, from: number): boolean {
  const minute = minuteOfWeekIn(zones[zone], at)
  const isWeekly = weekly.some(([start, end]) =>
    start < end ? minute >= start && minute < end : minute >= start || minute < end,
  )
  return isWeekly || once.some(([before, after]) => from - before * 60_000 <= at && at < from + after * 60_000)
}

function isNamed({ namedBy }: Person, { contactGroupNamedBy }: Case): boolean {
  return namedBy.service || namedBy.group || (namedBy.contactGroup && contactGroupNamedBy !== null)
}

/** Writes it into the database. Returns the address of the group, and each person's addresses with their faults. */
async function furnish(given: Case) {
  const { database, people: logins } = world
  const [owner] = [logins.ids.alice]
  const insert = async (text: ReturnType<typeof sql>) =>
    (await database.query<{ id: number }>(sql`${text} returning id`))[0]?.id ?? 0
  await database.execute(
    sql`update accounts set disable_legacy_notifications = ${given.isLegacyOff} where id = ${owner}`,
  )
  const groupAddress = await insert(sql`
    insert into notification_addresses (group_id, notification_channel_id, address) values (${groupId}, 'email', 'ops@example.com')`)
  const rows: { readonly one: Person; readonly contact: number; readonly addresses: readonly number[] }[] = []
  for (const one of given.people) {
    const contact = await insert(sql`
      insert into contacts (owner_id, name, language_id, time_zone_id) values (${owner}, 'Somebody', 'en', ${one.zone})`)
    for (const [start, end] of one.weekly)
      await insert(sql`
        insert into contact_weekly_suspensions (contact_id, start_minute, end_minute) values (${contact}, ${start}, ${end})`)
    for (const [before, after] of one.once)
      await insert(sql`
        insert into contact_suspensions (contact_id, start_time, end_time)
        values (${contact}, ${new Date(given.at - before * 60_000)}, ${new Date(given.at + after * 60_000)})`)
    const addresses = []
    for (const { isEnabled, isConfirmed } of one.addresses)
      addresses.push(
        await insert(sql`
          insert into notification_addresses (contact_id, notification_channel_id, address, is_enabled, confirmed_at)
          values (${contact}, 'sms', '+48600100200', ${isEnabled}, ${isConfirmed ? new Date(0) : null})`),
      )
    rows.push({ one, contact, addresses })
  }
  const contactsWith = (by: keyof Person['namedBy']) =>
    rows.filter(({ one }) => one.namedBy[by]).map(({ contact }) => contact)
  const contactGroup = await insert(sql`
    insert into contact_groups (owner_id, name, contact_ids) values (${owner}, 'Ops', ${contactsWith('contactGroup')}::int[])`)
  const groups = (by: Case['contactGroupNamedBy']) => (given.contactGroupNamedBy === by ? [contactGroup] : [])
  await database.execute(sql`
    update services set contact_ids = ${contactsWith('service')}::int[], contact_group_ids = ${groups('service')}::int[],
      notification_condition_ids = ${given.conditions} where id = ${serviceId}`)
  await database.execute(sql`
    update groups set contact_ids = ${contactsWith('group')}::int[], contact_group_ids = ${groups('group')}::int[]
    where id = ${groupId}`)
  return { groupAddress, rows }
}

/** Decides the failure, or its end, and returns the addresses that are told. */
async function tell(condition: Condition, at: number): Promise<number[]> {
  const changeId = condition === 'failure' ? changes * 10 : changes * 10 + 9
  const eventId = `${condition}:${changeId}`
  const state = condition === 'failure' ? 'failure' : 'ok'
  const change = { changeId, state, startedAt: at } as const
  await world.database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time)
    values (${serviceId}, ${change.changeId}, ${state}, ${new Date(at)}, ${new Date(at + 1000)}) on conflict do nothing`)
  const notice: DecidedNotice = {
    ...{ serviceId, event: { condition, eventId }, change, decidedAt: at },
    ...{ analysisId: null, checks: [], pauseReason: null },
  }
  await world.database.transaction((transaction) => writeIntents(transaction, [notice], at))
  await world.database.transaction((transaction) => writeIntents(transaction, [notice], at))
  const told = await world.database.query<{ id: number }>(sql`
    select address_id as id from notification_intents where service_id = ${serviceId} and event_id = ${eventId}`)
  return told.map(({ id }) => id)
}

test('a failure is told once to every address that may hear of it, and its end to those who heard of it and who are there', async () => {
  let told = 0
  await fc.assert(
    fc.asyncProperty(anyCase, fc.constantFrom(...moments), async (given, end) => {
      changes += 1
      await world.database.execute(sql`delete from notification_addresses where group_id = ${groupId}`)
      const { groupAddress, rows } = await furnish(given)
      const model = (condition: Condition, at: number, before: readonly number[]) => {
        if (!given.conditions.includes(condition)) return []
        const ofPeople = rows.flatMap(({ one, addresses }) =>
          addresses.filter((id, place) => {
            const { isEnabled = false, isConfirmed = false } = one.addresses[place] ?? {}
            const isThere = isNamed(one, given) && !isOffDuty(one, at, given.at)
            const hears = isThere || (condition === 'recovery' && before.includes(id))
            return isEnabled && isConfirmed && hears && isNamed(one, given)
          }),
        )
        return [...(given.isLegacyOff ? [] : [groupAddress]), ...ofPeople].toSorted((a, b) => a - b)
      }
      const failure = await tell('failure', given.at)
      expect(failure.toSorted((a, b) => a - b)).toEqual(model('failure', given.at, []))
      const recovery = await tell('recovery', end)
      expect(recovery.toSorted((a, b) => a - b)).toEqual(model('recovery', end, failure))
      told += failure.length + recovery.length
    }),
    { numRuns: 80, seed: commitSeed() },
  )
  expect(told).toBeGreaterThan(100)
})
