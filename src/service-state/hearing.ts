import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'

/** Until when pings were heard, and the times in which they were not. Unix milliseconds. */

export interface MissedPeriod {
  readonly startedAt: number
  readonly endedAt: number
}

/** The times of pings that were refused. */
export interface Missed {
  /** Null: it is known whose they were. */
  ofAll: MissedPeriod | null
  /** By the uuid in the address; there may be no such heartbeat. */
  readonly ofHeartbeats: Map<string, MissedPeriod>
}

export function noneMissed(): Missed {
  return { ofAll: null, ofHeartbeats: new Map() }
}

export interface Heard {
  /** Every ping that arrived before it is stored or was refused. Unix milliseconds. */
  readonly untilAt: number
  /** A longer gap since the last word is a time in which nobody listened. Milliseconds. */
  readonly patience: number
  readonly missed: Missed
  /**
   * When this process looked last, if there was no heartbeat, and wrote nothing. Default: null. Unix milliseconds.
   */
  readonly idleSince?: number | null
  /**
   * A process that begins writes even where there is no heartbeat: the first one may be made, and the process killed,
   * before the next word. Default: false.
   */
  readonly isBeginning?: boolean
}

/** Outages that no round of the longest period can touch any more are forgotten. Milliseconds. */
const outageKept = 800 * 86_400_000

/**
 * Says until when pings were heard, and notes the times in which they were not.
 *
 * @returns false if there is no heartbeat
 */
export async function noteHearing(database: Database, heard: Heard): Promise<boolean> {
  const { untilAt, patience, missed } = heard
  const { ofAll, ofHeartbeats } = missed
  const isWanted = (await hasHeartbeats(database)) || ofAll !== null || ofHeartbeats.size > 0
  if (!isWanted && heard.isBeginning !== true) return false
  await database.transaction(async (transaction) => {
    await transaction.execute(
      sql`insert into ping_watch (id, heard_until) values (1, ${new Date(untilAt)}) on conflict (id) do nothing`,
      'begin-ping-watch',
    )
    const [watch] = await transaction.query<{ heard_until: number }>(
      sql`select heard_until from ping_watch where id = 1 for update`,
      'lock-ping-watch',
    )
    const heardUntil = Math.max(watch?.heard_until ?? untilAt, heard.idleSince ?? Number.NEGATIVE_INFINITY)
    if (untilAt - heardUntil > patience) await noteOutage(transaction, heardUntil, untilAt)
    if (ofAll !== null) await noteOutage(transaction, ofAll.startedAt, ofAll.endedAt)
    if (ofHeartbeats.size > 0) await noteOwnOutages(transaction, ofHeartbeats)
    if (untilAt > heardUntil) {
      await transaction.execute(
        sql`update ping_watch set heard_until = ${new Date(untilAt)} where id = 1`,
        'go-on-ping-watch',
      )
    }
  })
  return isWanted
}

async function hasHeartbeats(executor: Executor): Promise<boolean> {
  const [found] = await executor.query<{ found: boolean }>(
    sql`select exists (select from heartbeats) as found`,
    'any-heartbeats',
  )
  return found?.found === true
}

async function noteOutage(transaction: Executor, startedAt: number, endedAt: number): Promise<void> {
  await transaction.execute(
    sql`insert into ping_outages (started_at, ended_at) values (${new Date(startedAt)}, ${new Date(endedAt)})`,
  )
  await transaction.execute(sql`delete from ping_outages where ended_at < ${new Date(endedAt - outageKept)}`)
}

/** Outages of one heartbeat that follow each other within this are one. Milliseconds. */
const joinedWithin = 60_000

/** Outages of single heartbeats; the others were heard. */
async function noteOwnOutages(transaction: Executor, missed: ReadonlyMap<string, MissedPeriod>): Promise<void> {
  const periods = [...missed.values()]
  const rows = await transaction.query<{ service_id: number; started_at: number; ended_at: number }>(
    sql`select h.service_id, to_timestamp(m.started_at / 1000) as started_at, to_timestamp(m.ended_at / 1000) as ended_at
      from unnest(${[...missed.keys()]}::uuid[], ${periods.map(({ startedAt }) => startedAt)}::float8[],
        ${periods.map(({ endedAt }) => endedAt)}::float8[]) as m (uuid, started_at, ended_at)
      join heartbeats h on h.ping_uuid = m.uuid`,
    'missed-heartbeats',
  )
  for (const { service_id: serviceId, started_at: startedAt, ended_at: endedAt } of rows) {
    const joined = await transaction.query(
      sql`update ping_outages set ended_at = greatest(ended_at, ${new Date(endedAt)})
        where service_id = ${serviceId} and ended_at >= ${new Date(startedAt - joinedWithin)} returning id`,
      'join-ping-outage',
    )
    if (joined.length > 0) continue
    await transaction.execute(sql`
      insert into ping_outages (service_id, started_at, ended_at)
      values (${serviceId}, ${new Date(startedAt)}, ${new Date(endedAt)})`)
  }
}
