import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import { dayLength, hourLength } from '../domain/durations.ts'

/** Rows of one deletion: short enough that nobody waits for its locks. */
const batchRows = 5000
/** Of one run; the next goes on where this one ended. */
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

/** What happened to notices that are not waiting any more. Returns how many rows went. */
export function pruneIntents(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from notification_intents where ctid = any(array(
      select ctid from notification_intents
      where created_at < ${new Date(beforeAt)} and status <> 'pending' limit ${batchRows}))
      and status <> 'pending'`,
  )
}

/** Escalations that are over. Returns how many rows went. */
export function pruneEscalations(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from escalation_statuses where ctid = any(array(
      select ctid from escalation_statuses where started_at < ${new Date(beforeAt)} and state = 'over' limit ${batchRows}))
      and state = 'over'`,
  )
}

/** Attempts to deliver messages: the older ones, and those beyond the newest of an address. Returns how many rows went. */
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

/** Letters that are not waiting any more; their tokens went when they were sent. Returns how many rows went. */
export function pruneLetters(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from messages where id = any(array(
      select id from messages where queue = 'letter' and created_at < ${new Date(beforeAt)} and status <> 'pending' limit ${batchRows}))`,
  )
}

/** Older reports that were made, with their mails, sent or not. Returns how many reports went. */
export function prunePeriodicReports(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from periodic_reports where id = any(array(
      select id from periodic_reports where created_at < ${new Date(beforeAt)} and is_finished limit ${batchRows}))`,
  )
}

/** Attempts to log in. Returns how many rows went. */
export function pruneAuthentications(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from authentications where ctid = any(array(
      select ctid from authentications where time < ${new Date(beforeAt)} limit ${batchRows}))`,
  )
}

/** Codes that confirm addresses, whatever became of them. Returns how many rows went. */
export function pruneAddressCodes(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from address_codes where id = any(array(
      select id from address_codes where created_at < ${new Date(beforeAt)} limit ${batchRows}))`,
  )
}

/** How many SMS accounts sent on days before that of the moment (UTC). Returns how many rows went. */
export function pruneSmsDays(database: Database, beforeAt: number): Promise<number> {
  const day = new Date(beforeAt).toISOString().slice(0, 10)
  return deleteInBatches(
    database,
    sql`delete from sms_days where ctid = any(array(
      select ctid from sms_days where day < ${day}::date limit ${batchRows})) and day < ${day}::date`,
  )
}

/** Diagnostics, whatever became of them. Returns how many rows went. */
export function pruneDiagnostics(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from diagnostics where id = any(array(
      select id from diagnostics where created_at < ${new Date(beforeAt)} limit ${batchRows}))`,
  )
}

const servicesOfBatch = 100

/** Sums of hours and days before the moment, along the keys of one service after the other. Returns how many rows went. */
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
