import sql from 'sql-template-tag'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { type FakeStations, fakeStations } from '../support/fake-stations.ts'
import { type Person, passwordOf } from '../support/people.ts'
import { type BusyDatabase, busyDatabase } from './busy-database.ts'
import { RunningProgram } from './running.ts'
import type { Ground } from './scenario.ts'
import type { GroupScript } from './script.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The whole program on a database of its own, on a clock that moves by hand: the interface and monitoring. */
export interface Stage {
  readonly api: ApiWorld
  readonly database: BusyDatabase
  readonly stations: FakeStations
  readonly program: RunningProgram
  readonly ground: Ground
  call(person: Person, method: Method, path: string, body?: unknown): Promise<Reply>
  close(): Promise<void>
}

export async function openStage(startsAt: number): Promise<Stage> {
  const api = await apiWorld({ startsAt })
  const database = busyDatabase(api.database)
  const stations = fakeStations()
  const program = new RunningProgram({ database, stations, clock: api.clock })
  return {
    ...{ api, database, stations, program },
    ground: await groundOf(api),
    call: callerOn(api),
    async close() {
      await program.stop()
      await api.drop()
    },
  }
}

/** Calls as people with sessions, which end when an account is blocked. */
function callerOn(api: ApiWorld): Stage['call'] {
  const tokens = new Map<Person, string>()
  async function logIn(person: Person): Promise<string> {
    const values = { username: person, password: passwordOf(person), expiration_duration: 31_536_000 }
    const reply = await api.call(null, 'POST', '/sessions', values)
    const { token } = reply.body as { token: string }
    tokens.set(person, token)
    return token
  }
  return async (person, method, path, body) => {
    const callWith = (token: string) => api.call(null, method, path, body, { authorization: `Bearer ${token}` })
    const reply = await callWith(tokens.get(person) ?? (await logIn(person)))
    return reply.status === 401 ? callWith(await logIn(person)) : reply
  }
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
