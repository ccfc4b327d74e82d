import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import { dayLength, hourLength } from '../domain/calendars/durations.ts'

/** Rows per deletion: few enough that nobody waits for its locks. */
const batchRows = 5000
/** Batches per run; the next run continues. */
const maximumBatches = 10_000

async function deleteInBatches(database: Database, batch: Sql): Promise<number> {
  let total = 0
  for (let turn = 0; turn < maximumBatches; turn += 1) {
    const removed = await database.execute(batch)
    total += removed
    if (removed < batchRows) return total
  }
  return total
}

/** Finished messages. Returns how many rows were deleted. */
export function pruneIntents(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from notification_intents where ctid = any(array(
      select ctid from notification_intents
      where created_at < ${new Date(beforeAt)} and status <> 'pending' limit ${batchRows}))
      and status <> 'pending'`,
  )
}

/** Finished escalations. Returns how many rows were deleted. */
export function pruneEscalations(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from escalation_statuses where ctid = any(array(
      select ctid from escalation_statuses where started_at < ${new Date(beforeAt)} and state = 'over' limit ${batchRows}))
      and state = 'over'`,
  )
}

/** Delivery attempts: the older ones, and those beyond the newest of an address. Returns how many rows were deleted. */
export async function pruneDeliveries(database: Database, beforeAt: number, mostOfAddress: number): Promise<number> {
  const old = await deleteInBatches(
    database,
    sql`delete from deliveries where id = any(array(
      select id from deliveries where time < ${new Date(beforeAt)} limit ${batchRows}))`,
  )
  const many = await deleteInBatches(
    database,
    sql`delete from deliveries where id = any(array(
      select id from (select id, row_number() over (partition by address_id order by id desc) as place from deliveries) placed
      where place > ${mostOfAddress} limit ${batchRows}))`,
  )
  return old + many
}

/** Finished account mails; their tokens were deleted when they were sent. Returns how many rows were deleted. */
export function pruneLetters(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from messages where id = any(array(
      select id from messages where queue = 'letter' and created_at < ${new Date(beforeAt)} and status <> 'pending' limit ${batchRows}))`,
  )
}

/** Finished messages to subscribers of status pages. Returns how many rows were deleted. */
export function pruneSubscriberMessages(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from messages where id = any(array(
      select id from messages where subscriber_id is not null and finished_at < ${new Date(beforeAt)} and status <> 'pending'
      limit ${batchRows}))`,
  )
}

/** Notices about planned stops; those about incidents stay with them. Returns how many rows were deleted. */
export function pruneStopNotices(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from status_page_notices where id = any(array(
      select id from status_page_notices where incident_id is null and created_at < ${new Date(beforeAt)} and is_spread
      limit ${batchRows}))`,
  )
}

/** Subscribers that were asked before the moment and never confirmed. Returns how many rows were deleted. */
export function pruneWaitingSubscribers(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from status_page_subscribers where id = any(array(
      select id from status_page_subscribers where confirmed_at is null and asked_at < ${new Date(beforeAt)} limit ${batchRows}))
      and confirmed_at is null`,
  )
}

/** Older periodic reports with their mails, sent or not. Returns how many reports were deleted. */
export function prunePeriodicReports(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from periodic_reports where id = any(array(
      select id from periodic_reports where created_at < ${new Date(beforeAt)} and is_finished limit ${batchRows}))`,
  )
}

/** Login attempts. Returns how many rows were deleted. */
export function pruneAuthentications(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from authentications where ctid = any(array(
      select ctid from authentications where time < ${new Date(beforeAt)} limit ${batchRows}))`,
  )
}

/** Codes that confirm addresses, in any state. Returns how many rows were deleted. */
export function pruneAddressCodes(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from address_codes where id = any(array(
      select id from address_codes where created_at < ${new Date(beforeAt)} limit ${batchRows}))`,
  )
}

/** Challenges of passkeys that nobody answered. Returns how many rows were deleted. */
export function pruneChallenges(database: Database, expiredAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from passkey_challenges where challenge_hash = any(array(
      select challenge_hash from passkey_challenges where expires_at <= ${new Date(expiredAt)} limit ${batchRows}))`,
  )
}

/** Identities of a provider whose account nobody proved. Returns how many rows were deleted. */
export function pruneUnprovenIdentities(database: Database, expiredAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from oidc_identities where (issuer, subject) in (
      select issuer, subject from oidc_identities
      where proof_digest is not null and proof_until <= ${new Date(expiredAt)} limit ${batchRows})
      and proof_digest is not null`,
  )
}

/** Counts of SMS on days before the moment's day (UTC). Returns how many rows were deleted. */
export function pruneSmsDays(database: Database, beforeAt: number): Promise<number> {
  const day = new Date(beforeAt).toISOString().slice(0, 10)
  return deleteInBatches(
    database,
    sql`delete from sms_days where ctid = any(array(
      select ctid from sms_days where day < ${day}::date limit ${batchRows})) and day < ${day}::date`,
  )
}

/** Diagnostics in any state. Returns how many rows were deleted. */
export function pruneDiagnostics(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from diagnostics where id = any(array(
      select id from diagnostics where created_at < ${new Date(beforeAt)} limit ${batchRows}))`,
  )
}

const servicesOfBatch = 100

/** Sums of hours and days before the moment, service by service along the keys. Returns how many rows were deleted. */
export async function pruneSums(database: Database, beforeAt: number): Promise<number> {
  let [total, lastId] = [0, 0]
  for (let turn = 0; turn < maximumBatches; turn += 1) {
    const services = await database.query<{ id: number }>(sql`
      select id from services where id > ${lastId} order by id limit ${servicesOfBatch}`)
    const ids = services.map(({ id }) => id)
    for (const [table, period, length] of sumTables) {
      total += await database.execute(sql`
        delete from ${raw(table)} where service_id = any(${ids}::int[]) and ${raw(period)} < ${Math.floor(beforeAt / length)}`)
    }
    lastId = ids.at(-1) ?? lastId
    if (ids.length < servicesOfBatch) return total
  }
  return total
}

const sumTables = [
  ['hourly_performance', 'hour', hourLength],
  ['daily_performance', 'day', dayLength],
] as const
