import sql from 'sql-template-tag'
import { createAccount } from '../../src/auth/create-account.ts'
import type { Database } from '../../src/database/connect.ts'
import { ensureLocalSensors, makeFirstLogins } from '../../src/program/first-start.ts'

export const username = 'owner'
export const password = 'the owner may come in'

/** Services of the measured account. */
export const ownServices = 10_000
const neighbours = 20
export interface Population {
  /** The measured account's own services. */
  readonly services: number
  readonly groups: number
  /** The services of each of its twenty neighbours. */
  readonly neighbourServices: number
}

const usual: Population = { services: ownServices, groups: 100, neighbourServices: 500 }
/** Groups of a neighbour that are shared with the measured account. */
const sharedGroups = 3

async function addNeighbours(database: Database, now: number): Promise<void> {
  const [found] = await database.query<{ distribution_id: number; package_id: number }>(
    sql`select distribution_id, id as package_id from packages where name = 'unlimited'`,
  )
  for (let number = 1; number <= neighbours; number += 1) {
    await createAccount(database, {
      distributionId: found?.distribution_id ?? 0,
      packageId: found?.package_id ?? 0,
      parentAccountId: null,
      username: `neighbour${number}`,
      name: `Neighbour ${number}`,
      emailAddress: `neighbour${number}@example.com`,
      passwordHash: null,
      languageId: 'pl',
      timeZoneId: 'europe_warsaw',
      canShareGroups: true,
      canCreateSubaccounts: false,
      now,
    })
  }
}

async function addGroups(database: Database, groups: number): Promise<void> {
  await database.execute(sql`
    insert into groups (owner_id, name, assigned_sensor_ids)
    select home.owner_id, 'Klient ' || number, home.assigned_sensor_ids
    from groups home join accounts on accounts.id = home.owner_id,
      generate_series(1, case when accounts.username = ${username} then ${groups - 1}::int else 9 end) as number
    where home.is_default`)
  await database.execute(sql`
    insert into shares (group_id, account_id, can_modify_services)
    select groups.id, me.id, true from groups, accounts me
    where me.username = ${username}
      and groups.owner_id = (select id from accounts where username = 'neighbour1') order by groups.id limit ${sharedGroups}`)
}

/** Names with Polish letters, five types, a few settings each, as people have them. */
async function addServices(
  database: Database,
  { services, neighbourServices }: Population,
  now: number,
): Promise<void> {
  const types: readonly string[] = ['http', 'https', 'ping', 'dns', 'tcp_connect']
  await database.execute(sql`
    with place as (
      select owner_id, array_agg(id order by id) as ids from groups group by owner_id
    ), wanted as (
      select accounts.id as owner_id, number, (${types}::text[])[1 + number % ${types.length}::int] as type_id
      from accounts,
        generate_series(0, case when username = ${username} then ${services}::int else ${neighbourServices} end - 1) as number
    )
    insert into services (owner_id, group_id, name, description, type_id, address, interval, is_active,
      extended_settings, notification_channel_ids, notification_condition_ids, created_at)
    select wanted.owner_id, place.ids[1 + number % cardinality(place.ids)],
      (array['Sklep', 'Żółta łódź', 'Poczta', 'Panel', 'API'])[1 + number % 5] || ' ' || (number::bigint * 7919 % 100003),
      case when number % 3 = 0 then 'Serwer klienta, opiekun: dyżur' else '' end, type_id,
      'www.klient-' || number || '.example/zdrowie', (array[60, 300, 600])[1 + number % 3], number % 50 <> 7,
      case type_id when 'dns' then '{"query_name": "klient.example"}'
        when 'ping' then '{"bytes_to_send": 128}'
        when 'tcp_connect' then '{"timeout": 3000}'
        else '{"timeout": 5000, "content_regex": "Dzień dobry", "follow_redirects": false}' end::jsonb,
      '{email,sms}', '{failure,recovery}', ${new Date(now)}::timestamptz - number * interval '1 minute'
    from wanted join place on place.owner_id = wanted.owner_id
    order by wanted.owner_id, number`)
}

/** One in fifty fails, one in fifty is paused, the others are ok; all were analysed within the last minute. */
async function addStatuses(database: Database, now: number): Promise<void> {
  const at = sql`${new Date(now)}::timestamptz`
  await database.execute(sql`
    insert into service_statuses (service_id, check_status, monitoring_status, valid_until, last_check_status_change_time,
      last_analysis_id, last_ok_analysis_id, last_failure_analysis_id,
      last_analysis_time, last_ok_analysis_time, last_failure_analysis_time, state)
    select id, case when id % 50 = 3 then 'failure' else 'ok' end, case when is_active then 'on' else 'off' end,
      ${at} + interval '1 day', ${at} - id * interval '1 second',
      ${now * 100}::bigint + id % 100, ${now * 100}::bigint + id % 100, case when id % 50 = 3 then ${now * 100}::bigint end,
      ${at} - id % 60 * interval '1 second', ${at} - id % 60 * interval '1 second',
      case when id % 50 = 3 then ${at} end, case when id % 50 = 3 then 'failure' else 'ok' end
    from services`)
  await database.execute(sql`insert into schedule (service_id, due_at) select id, ${at} from services`)
}

/** Fills an empty database with the measured account, its neighbours, and everybody's groups, services and statuses. */
export async function fill(database: Database, now: number, population = usual): Promise<void> {
  await ensureLocalSensors(database, 3)
  const login = { username, password }
  await makeFirstLogins(
    database,
    {
      firstAdministrator: { username: 'chief', password },
      firstAccount: login,
      minimumIntervalSeconds: 10,
      accountDefaults: { languageId: 'en', timeZoneId: 'utc' },
    },
    now,
  )
  await addNeighbours(database, now)
  await addGroups(database, population.groups)
  await addServices(database, population, now)
  await addStatuses(database, now)
  await database.execute(sql`vacuum analyze`)
}
