import sql from 'sql-template-tag'
import { type Monitoring, startMonitoring } from '../../src/monitoring/start.ts'
import type { Timers } from '../../src/monitoring/timers.ts'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import type { VirtualClock } from '../support/clock.ts'
import { type FakeStations, fakeStations } from '../support/fake-stations.ts'
import { silentLog } from '../support/monitoring.ts'
import { type Person, passwordOf } from '../support/people.ts'
import { type BusyDatabase, busyDatabase } from './busy-database.ts'
import type { Ground } from './scenario.ts'
import type { GroupScript } from './script.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The whole program on a database of its own, on a clock that moves by hand: the interface and monitoring. */
export interface Stage {
  readonly api: ApiWorld
  readonly database: BusyDatabase
  readonly stations: FakeStations
  readonly ground: Ground
  call(person: Person, method: Method, path: string, body?: unknown): Promise<Reply>
  startProgram(): Promise<void>
  stopProgram(): Promise<void>
  /** Time passes until then; everything happens at its own moment. */
  until(at: number): Promise<void>
  /** What was just asked for is noticed. */
  notice(): Promise<void>
  close(): Promise<void>
}

/** Milliseconds before the next work at which a sleeping program is woken: it claims a second ahead. */
const wakeAhead = 200
const mostSteps = 100_000

export async function openStage(startsAt: number): Promise<Stage> {
  const api = await apiWorld({ startsAt })
  const database = busyDatabase(api.database)
  const stations = fakeStations()
  const ground = await groundOf(api)
  const tokens = new Map<Person, string>()
  let monitoring: Monitoring | null = null

  async function logIn(person: Person): Promise<string> {
    const values = { username: person, password: passwordOf(person), expiration_duration: 31_536_000 }
    const reply = await api.call(null, 'POST', '/sessions', values)
    const { token } = reply.body as { token: string }
    tokens.set(person, token)
    return token
  }
  async function until(at: number): Promise<void> {
    const { clock } = api
    // While rounds are under way, only a transaction can end that.
    let busySince: number | null = null
    for (let step = 0; step < mostSteps; step++) {
      await database.idle()
      if (clock.now() >= at) return
      const transactions = database.transactions()
      let wakesAt = clock.now()
      if (monitoring === null) wakesAt = at
      else if (busySince !== transactions) {
        const work = await nextWork(api)
        busySince = work.isUnderWay ? transactions : null
        if (!work.isUnderWay) wakesAt = work.at - wakeAhead
      }
      clock.advanceTo(Math.min(at, Math.max(clock.nextAt(), wakesAt)))
    }
    throw new Error('Time does not pass.')
  }
  return {
    ...{ api, database, stations, ground, until },
    async call(person, method, path, body) {
      const authorize = async (token: string) =>
        api.call(null, method, path, body, { authorization: `Bearer ${token}` })
      const reply = await authorize(tokens.get(person) ?? (await logIn(person)))
      return reply.status === 401 ? authorize(await logIn(person)) : reply
    },
    async startProgram() {
      const { clock } = api
      monitoring = await startMonitoring({
        ...{ database, stations, clock, timers: timersOn(clock), log: silentLog },
        keepArtifact: async () => null,
        retentionDays: 400,
        pruneArtifacts: async () => 0,
      })
      await database.idle()
    },
    async stopProgram() {
      await database.idle()
      await monitoring?.stop()
      monitoring = null
    },
    async notice() {
      database.hear()
      await database.idle()
    },
    async close() {
      await monitoring?.stop()
      await api.drop()
    },
  }
}

/** What a program does every ten seconds or less often bears on no service here, and is done more seldom. */
const housework = { fromMilliseconds: 10_000, times: 600 }

function timersOn(clock: VirtualClock): Timers {
  return {
    monotonic: clock.monotonic,
    after: (delay, run) => clock.after(delay < housework.fromMilliseconds ? delay : delay * housework.times, run),
  }
}

/** When something is to do next, and whether rounds were claimed. */
async function nextWork({ database }: ApiWorld): Promise<{ at: number; isUnderWay: boolean }> {
  const [plan] = await database.query<{ next: number | null; claimed: boolean | null }>(
    sql`select min(least(due_at, boundary_at)) as next, bool_or(leased_until is not null) as claimed from schedule`,
    'next-work',
  )
  return { at: plan?.next ?? Number.POSITIVE_INFINITY, isUnderWay: plan?.claimed === true }
}

const owners = ['alice', 'bob', 'carol', 'charlie'] as const satisfies readonly Person[]

/** Three stations near home, one to spare there, one abroad, and one that cannot check pages over IPv4. */
async function groundOf(api: ApiWorld): Promise<Ground> {
  await api.database.execute(sql`
    insert into sensors (name, city, country, category_ids) values ('Spare', 'Opole', 'Polska', '{default}'),
      ('Abroad', 'Berlin', 'Niemcy', '{default}'), ('Other', 'Radom', 'Polska', '{ipv6}')`)
  const sensors = await api.database.query<{ id: number; country: string; categoryIds: string[] }>(sql`
    select id, country, category_ids as "categoryIds" from sensors order by id`)
  const groups: GroupScript[] = []
  for (const owner of owners) {
    for (const sensorIds of [[1, 2, 3], [3, 5], [2]]) {
      const id = await makeGroup(api, owner, sensorIds)
      groups.push({ id, owner, sensorIds })
    }
  }
  return { owners, groups, sensors }
}

async function makeGroup({ database, people }: ApiWorld, owner: Person, sensorIds: readonly number[]): Promise<number> {
  const assigned = { default: sensorIds, ipv6: [], mobile: [], webappcheck: [] }
  const [group] = await database.query<{ id: number }>(sql`
    with made as (
      insert into groups (owner_id, name, assigned_sensor_ids)
      values (${people.ids[owner]}, 'Simulated', ${JSON.stringify(assigned)}) returning id),
    address as (
      insert into notification_addresses (group_id, notification_channel_id, address)
      select id, 'email', 'reader@example.com' from made)
    select id from made`)
  return group?.id ?? 0
}
