import sql from 'sql-template-tag'
import { createAccount, type NewAccount } from '../../src/auth/create-account.ts'
import { hashPassword } from '../../src/auth/password.ts'
import type { Database } from '../../src/database/connect.ts'
import { makeFirstLogins } from '../../src/program/first-start.ts'

/**
 * Alice owns; Adam is her sub-account; Rita is a read-only one; Bob has a share that may modify; Carol a read-only
 * share; Charlie is a stranger; Dora administers.
 */
export const names = ['alice', 'adam', 'rita', 'bob', 'carol', 'charlie', 'dora'] as const
export type Person = (typeof names)[number]

export const passwordOf = (person: Person) => `${person} may come in`

const hashes = new Map<Person, Promise<string>>()

/** Made once for the worlds of a process: a hash costs more than the rest of an account. */
function passwordHashOf(person: Person): Promise<string> {
  const hash = hashes.get(person) ?? hashPassword(passwordOf(person))
  hashes.set(person, hash)
  return hash
}

/** A person whom an operation serves. */
export function ownerFor({ access }: { readonly access: string }): Person {
  return access === 'administrator' ? 'dora' : 'alice'
}

export interface People {
  readonly ids: Readonly<Record<Person, number>>
  readonly sensorIds: readonly number[]
  /** Alice's group that is shared with Bob and Carol. */
  readonly sharedGroupId: number
  readonly packageIds: Readonly<Record<'unlimited' | 'free' | 'sub-account', number>>
}

async function idsOf(database: Database, table: 'packages' | 'sensors'): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query<{ id: number; name: string }>(
    table === 'packages' ? sql`select id, name from packages` : sql`select id, name from sensors order by id`,
  )
  return new Map(rows.map((row) => [row.name, row.id]))
}

function found(map: ReadonlyMap<string, number>, name: string): number {
  const id = map.get(name)
  if (id === undefined) throw new Error(`There is no ${name}.`)
  return id
}

async function makeOwner(database: Database, now: number): Promise<number> {
  await makeFirstLogins(
    database,
    {
      firstAdministrator: { username: 'dora', password: passwordOf('dora') },
      firstAccount: { username: 'alice', password: passwordOf('alice') },
      minimumIntervalSeconds: 10,
      accountDefaults: { languageId: 'pl', timeZoneId: 'europe_warsaw' },
    },
    now,
  )
  const [alice] = await database.query<{ id: number }>(sql`select id from accounts where username = 'alice'`)
  return alice?.id ?? 0
}

async function shareGroup(database: Database, ids: { alice: number; bob: number; carol: number }): Promise<number> {
  const [group] = await database.query<{ id: number }>(sql`
    insert into groups (owner_id, name, assigned_sensor_ids)
    select owner_id, 'Shared', assigned_sensor_ids from groups where owner_id = ${ids.alice} and is_default returning id`)
  await database.execute(sql`
    insert into shares (group_id, account_id, can_modify_group, can_modify_services, can_create_services,
      can_delete_services, can_archive_services, can_force_analyses)
    select ${group?.id}, account, may, may, may, may, may, may
    from (values (${ids.bob}::int, true), (${ids.carol}::int, false)) as person (account, may)`)
  return group?.id ?? 0
}

/** Fills an empty database with everybody and with three sensors that report in. */
export async function makePeople(database: Database, now: number): Promise<People> {
  await database.execute(sql`
    insert into sensors (name, city, country, category_ids, last_seen_at)
    select name, city, 'Polska', '{default,ipv6}', ${new Date(now)}
    from (values ('One', 'Warszawa'), ('Two', 'Kraków'), ('Three', 'Łódź')) as sensor (name, city)`)
  const alice = await makeOwner(database, now)
  const packages = await idsOf(database, 'packages')
  const [distribution] = await database.query<{ id: number }>(sql`select id from distributions`)
  const add = async (person: Person, more: Partial<NewAccount> = {}) =>
    createAccount(database, {
      distributionId: distribution?.id ?? 0,
      packageId: found(packages, more.parentAccountId === undefined ? 'unlimited' : 'sub-account'),
      parentAccountId: null,
      username: person,
      name: person,
      emailAddress: `${person}@example.com`,
      passwordHash: await passwordHashOf(person),
      languageId: 'en',
      timeZoneId: 'europe_warsaw',
      canShareGroups: false,
      canCreateSubaccounts: false,
      now,
      ...more,
    })
  const adam = await add('adam', { parentAccountId: alice })
  const rita = await add('rita', { parentAccountId: alice })
  await database.execute(sql`update accounts set is_read_only = true where id = ${rita}`)
  const [bob, carol, charlie] = [await add('bob'), await add('carol'), await add('charlie')]
  const [dora] = await database.query<{ id: number }>(sql`select id from administrators`)
  return {
    ids: { alice, adam, rita, bob, carol, charlie, dora: dora?.id ?? 0 },
    sensorIds: [...(await idsOf(database, 'sensors')).values()],
    sharedGroupId: await shareGroup(database, { alice, bob, carol }),
    packageIds: {
      unlimited: found(packages, 'unlimited'),
      free: found(packages, 'free'),
      'sub-account': found(packages, 'sub-account'),
    },
  }
}
