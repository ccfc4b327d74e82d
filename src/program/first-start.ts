import sql from 'sql-template-tag'
import { createAccount } from '../auth/create-account.ts'
import { generatePassword, hashPassword } from '../auth/password.ts'
import { channelIds, meteredChannelIds } from '../channels/index.ts'
import { serviceTypes } from '../checks/index.ts'
import type { Config, FirstLogin } from '../config/config.ts'
import type { Database, Executor } from '../database/connect.ts'

/** A new login. A generated password is known to nobody else and must be printed. */
export interface MadeLogin {
  readonly username: string
  readonly generatedPassword: string | null
}

export interface FirstStart {
  readonly administrator: MadeLogin
  readonly account: MadeLogin
}

type FirstStartConfig = Pick<
  Config,
  'firstAdministrator' | 'firstAccount' | 'accountDefaults' | 'minimumIntervalSeconds'
>

/**
 * Ensures that `Local 1` … `Local N` exist; returns their ids in this order. Others of an earlier, greater N stay for
 * their history.
 */
export async function ensureLocalSensors(database: Database, count: number): Promise<number[]> {
  const names = Array.from({ length: count }, (_, index) => `Local ${index + 1}`)
  await database.execute(sql`
    insert into sensors (name, category_ids) select name, '{default}' from unnest(${names}::text[]) as name
    on conflict (name) do nothing`)
  const rows = await database.query<{ id: number }>(sql`
    select id from unnest(${names}::text[]) with ordinality as wanted (name, place)
    join sensors using (name) order by place`)
  return rows.map((row) => row.id)
}

/** Records which categories of services the stations of this machine can check. */
export async function noteSensorCategories(
  database: Database,
  sensorIds: readonly number[],
  categoryIds: readonly string[],
  unsupportedTypeIds: readonly string[] = [],
): Promise<void> {
  await database.execute(sql`
    update sensors set category_ids = ${[...categoryIds]}::text[], unsupported_type_ids = ${[...unsupportedTypeIds]}::text[]
    where id = any(${[...sensorIds]}::integer[])
      and (category_ids <> ${[...categoryIds]}::text[] or unsupported_type_ids <> ${[...unsupportedTypeIds]}::text[])`)
}

/**
 * Fills an empty database with a distribution, its packages, an administrator and an account, all or nothing. Returns
 * null if that was done before, or by another process at the same moment.
 */
export async function makeFirstLogins(
  database: Database,
  config: FirstStartConfig,
  now: number,
): Promise<FirstStart | null> {
  if (!(await isEmpty(database))) return null
  const administrator = await prepare(config.firstAdministrator)
  const account = await prepare(config.firstAccount)
  const done = await database.transaction(async (transaction) => {
    await transaction.execute(sql`lock table distributions in share row exclusive mode`)
    if (!(await isEmpty(transaction))) return false
    const distributionId = await insertDistribution(transaction)
    const packageId = await insertPackages(transaction, distributionId, config.minimumIntervalSeconds)
    await transaction.execute(sql`
      insert into administrators (distribution_id, username, password_hash, created_at)
      values (${distributionId}, ${administrator.made.username}, ${administrator.passwordHash}, ${new Date(now)})`)
    await createAccount(transaction, {
      distributionId,
      packageId,
      parentAccountId: null,
      username: account.made.username,
      name: account.made.username,
      emailAddress: '',
      passwordHash: account.passwordHash,
      ...config.accountDefaults,
      canShareGroups: true,
      canCreateSubaccounts: true,
      now,
    })
    return true
  })
  return done ? { administrator: administrator.made, account: account.made } : null
}

async function isEmpty(executor: Executor): Promise<boolean> {
  return (await executor.query(sql`select 1 from distributions limit 1`)).length === 0
}

async function prepare(login: FirstLogin): Promise<{ readonly made: MadeLogin; readonly passwordHash: string }> {
  const password = login.password ?? generatePassword()
  const made = { username: login.username, generatedPassword: login.password === undefined ? password : null }
  return { made, passwordHash: await hashPassword(password) }
}

async function insertDistribution(transaction: Executor): Promise<number> {
  return idOf(await transaction.query(sql`insert into distributions (name) values ('Latarnik') returning id`))
}

/** Inserts `unlimited`, `free` and `sub-account` (answers §15). Returns the id of `unlimited`. */
async function insertPackages(
  transaction: Executor,
  distributionId: number,
  minimumIntervalSeconds: number,
): Promise<number> {
  const types = JSON.stringify(
    serviceTypes.map((type) => ({ service_type_id: type.id, maximum_services: null, minimum_interval: null })),
  )
  const channels = [...channelIds]
  const unlimited = await transaction.query<{ id: number }>(sql`
    insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids, available_service_types)
    values (${distributionId}, 'unlimited', ${minimumIntervalSeconds}, ${channels}, ${types}) returning id`)
  // Strangers register with this package, and each SMS costs the operator money.
  const freeChannels = channels.filter((id) => !meteredChannelIds.includes(id))
  const freeInterval = Math.max(60, minimumIntervalSeconds)
  await transaction.execute(sql`
    insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids,
      available_service_types, maximum_services, is_available_for_new_accounts, is_for_sub_accounts, create_accounts)
    values
      (${distributionId}, 'free', ${freeInterval}, ${freeChannels}, ${types}, 10, true, false, true),
      (${distributionId}, 'sub-account', ${minimumIntervalSeconds}, ${channels}, ${types}, 0, false, true, false)`)
  return idOf(unlimited)
}

function idOf(rows: readonly { id: number }[]): number {
  const [row] = rows
  if (row === undefined) throw new Error('an inserted row has no id')
  return row.id
}
