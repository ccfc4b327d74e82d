import sql from 'sql-template-tag'
import { serviceTypeOf } from '../checks/index.ts'
import type { Executor } from '../database/connect.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { effectiveSettings, type StoredSettings } from '../domain/services/extended-settings.ts'
import {
  type HeartbeatFailure,
  type HeartbeatJudgement,
  type HeartbeatRules,
  type HeartbeatState,
  heartbeatValidUntil,
  type Ping,
  type PingKind,
  type PingOutage,
  type Run,
} from '../domain/services/heartbeat.ts'
import { wakeSchedulers } from './wake-schedulers.ts'

/** The state of services that report in. A writer holds the plans of the services. */

export interface NewHeartbeat {
  readonly serviceId: number
  readonly ownerId: number
  readonly uuid: string
  readonly slug: string | null
}

export async function addHeartbeat(transaction: Executor, heartbeat: NewHeartbeat): Promise<void> {
  const { serviceId, ownerId, uuid, slug } = heartbeat
  await transaction.execute(sql`
    insert into heartbeats (service_id, owner_id, ping_uuid, ping_slug) values (${serviceId}, ${ownerId}, ${uuid}, ${slug})`)
  await transaction.execute(sql`update services set ping_uuid = ${uuid} where id = ${serviceId}`)
}

export async function renameHeartbeat(transaction: Executor, serviceId: number, slug: string | null): Promise<void> {
  await transaction.execute(sql`update heartbeats set ping_slug = ${slug} where service_id = ${serviceId}`)
}

/** Resumed services get their time anew, whatever they were before. One that never reported goes on waiting. */
export async function restartHeartbeats(
  transaction: Executor,
  serviceIds: readonly number[],
  now: number,
): Promise<void> {
  if (serviceIds.length === 0) return
  await transaction.execute(sql`
    update heartbeats set base_at = ${new Date(now)}, runs = '[]', failure = null
    where service_id = any(${serviceIds}::int[]) and base_at is not null`)
}

export async function removeHeartbeats(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  const removed = await transaction.execute(
    sql`delete from heartbeats where service_id = any(${serviceIds}::int[])`,
    'remove-heartbeats',
  )
  if (removed > 0) await transaction.execute(sql`delete from pings where service_id = any(${serviceIds}::int[])`)
}

/** A heartbeat as a round finds it. */
export interface HeartbeatRow {
  readonly serviceId: number
  readonly state: HeartbeatState
  readonly rules: HeartbeatRules
  readonly pings: readonly Ping[]
}

/** Pings of one heartbeat that one round considers at most. */
const mostPings = 200

function milliseconds(seconds: unknown): number {
  return Number(seconds) * 1000
}

function rulesOf(typeId: string, stored: StoredSettings, ownersZoneId: string): HeartbeatRules | null {
  const type = serviceTypeOf(typeId)
  if (type === undefined) return null
  const { period, cron, time_zone: zoneId, grace, max_run_time: maxRun } = effectiveSettings(type, stored)
  const zone = timeZoneName(String(zoneId ?? ownersZoneId)) ?? 'UTC'
  return {
    periodMs: milliseconds(period),
    graceMs: milliseconds(grace),
    maxRunMs: maxRun == null ? null : milliseconds(maxRun),
    cron: cron == null ? null : { expression: String(cron), zone },
  }
}

interface StateRow {
  readonly service_id: number
  readonly base_at: number | null
  readonly runs: readonly Run[]
  readonly failure: HeartbeatFailure | null
}

interface PingRow {
  readonly service_id: number
  readonly id: number
  readonly time: number
  readonly kind: PingKind
  readonly exit_status: number | null
  readonly rid: string | null
}

async function readRules(
  transaction: Executor,
  serviceIds: readonly number[],
): Promise<ReadonlyMap<number, HeartbeatRules>> {
  const rows = await transaction.query<{
    id: number
    type_id: string
    extended_settings: StoredSettings
    time_zone_id: string
  }>(
    sql`select services.id, type_id, extended_settings, time_zone_id
      from services join accounts on accounts.id = services.owner_id where services.id = any(${serviceIds}::int[])`,
    'read-heartbeat-rules',
  )
  return new Map(
    rows.flatMap((row) => {
      const rules = rulesOf(row.type_id, row.extended_settings, row.time_zone_id)
      return rules === null ? [] : [[row.id, rules] as const]
    }),
  )
}

async function readPings(
  transaction: Executor,
  serviceIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Ping[]>> {
  const rows = await transaction.query<PingRow>(
    sql`select ping.* from heartbeats cross join lateral (
        select service_id, id, time, kind, exit_status, rid from pings
        where pings.service_id = heartbeats.service_id and pings.id > heartbeats.judged_ping_id
        order by pings.id limit ${mostPings}) ping
      where heartbeats.service_id = any(${serviceIds}::int[]) order by ping.service_id, ping.id`,
    'read-new-pings',
  )
  const pings = new Map<number, Ping[]>()
  for (const { service_id: serviceId, id, time, kind, exit_status: exitStatus, rid } of rows) {
    const own = pings.get(serviceId) ?? []
    own.push({ id, at: time, kind, exitStatus, rid })
    pings.set(serviceId, own)
  }
  return pings
}

/** Expects the plans locked: no further ping of these services is stored until the transaction ends. */
export async function readHeartbeats(
  transaction: Executor,
  serviceIds: readonly number[],
): Promise<ReadonlyMap<number, HeartbeatRow>> {
  const rules = await readRules(transaction, serviceIds)
  const pings = await readPings(transaction, serviceIds)
  const states = await transaction.query<StateRow>(
    sql`select service_id, base_at, runs, failure from heartbeats where service_id = any(${serviceIds}::int[])`,
    'read-heartbeats',
  )
  return new Map(
    states.flatMap(({ service_id: serviceId, base_at: baseAt, runs, failure }) => {
      const own = rules.get(serviceId)
      if (own === undefined) return []
      const row = { serviceId, state: { baseAt, runs, failure }, rules: own, pings: pings.get(serviceId) ?? [] }
      return [[serviceId, row] as const]
    }),
  )
}

/** When pings were heard. */
export interface Hearing {
  /** Every ping before it is stored. Unix milliseconds. */
  readonly heardUntil: number
  readonly outages: readonly PingOutage[]
}

/** Outages of everybody, and those of the services by their ids. */
export async function readHearing(
  transaction: Executor,
  serviceIds: readonly number[],
): Promise<(serviceId: number) => Hearing> {
  const [watch] = await transaction.query<{ heard_until: number }>(
    sql`select heard_until from ping_watch where id = 1`,
    'read-ping-watch',
  )
  const rows = await transaction.query<{ service_id: number | null; started_at: number; ended_at: number }>(
    sql`select service_id, started_at, ended_at from ping_outages
      where service_id is null or service_id = any(${[...serviceIds]}::int[]) order by started_at`,
    'read-ping-outages',
  )
  const heardUntil = watch?.heard_until ?? Number.NEGATIVE_INFINITY
  return (serviceId) => ({
    heardUntil,
    outages: rows
      .filter((row) => row.service_id === null || row.service_id === serviceId)
      .map((row) => ({ startedAt: row.started_at, endedAt: row.ended_at })),
  })
}

/** A heartbeat after a round. */
export interface HeartbeatWrite extends Pick<HeartbeatRow, 'serviceId' | 'rules'> {
  readonly judgement: HeartbeatJudgement
}

/** Pings that are kept of each heartbeat. */
export const keptPings = 100

/** Writes the states and the times of runs, and forgets old pings. Expects the plans locked. */
export async function writeHeartbeats(
  transaction: Executor,
  writes: readonly HeartbeatWrite[],
  now: number,
): Promise<void> {
  if (writes.length === 0) return
  const ids = writes.map(({ serviceId }) => serviceId)
  const states = writes.map(({ judgement: { state, taken } }) => ({ ...state, judged: taken.at(-1)?.id ?? 0 }))
  await transaction.execute(
    sql`update heartbeats set base_at = to_timestamp(new.base_at / 1000), runs = new.runs::jsonb,
        failure = new.failure::jsonb, judged_ping_id = greatest(judged_ping_id, new.judged)
      from unnest(${ids}::int[], ${states.map(({ baseAt }) => baseAt)}::float8[],
        ${states.map(({ runs }) => JSON.stringify(runs))}::text[],
        ${states.map(({ failure }) => (failure === null ? null : JSON.stringify(failure)))}::text[],
        ${states.map(({ judged }) => judged)}::bigint[]) as new (service_id, base_at, runs, failure, judged)
      where heartbeats.service_id = new.service_id`,
    'write-heartbeats',
  )
  await writeRunTimes(transaction, writes)
  await prolong(transaction, writes)
  const fed = writes.filter(({ judgement }) => judgement.taken.length > 0)
  await transaction.execute(
    sql`delete from pings using (
        select fed.service_id, (select id from pings kept where kept.service_id = fed.service_id
          order by id desc offset ${keptPings - 1} limit 1) as first_id
        from unnest(${fed.map(({ serviceId }) => serviceId)}::int[]) as fed (service_id)) as old,
        heartbeats
      where pings.service_id = old.service_id and pings.id < old.first_id
        and heartbeats.service_id = pings.service_id and pings.id <= heartbeats.judged_ping_id`,
    'forget-pings',
  )
  // Further pings wait for a round of their own.
  const isMore = writes.some(({ judgement: { nextAt } }) => nextAt <= now)
  if (isMore) await wakeSchedulers(transaction)
}

async function writeRunTimes(transaction: Executor, writes: readonly HeartbeatWrite[]): Promise<void> {
  const ended = writes.flatMap(({ serviceId, judgement }) =>
    judgement.taken.flatMap(({ id, runMs }) => (runMs === null ? [] : [{ serviceId, id, runMs }])),
  )
  if (ended.length === 0) return
  await transaction.execute(
    sql`update pings set run_time = new.run_time
      from unnest(${ended.map(({ serviceId }) => serviceId)}::int[], ${ended.map(({ id }) => id)}::bigint[],
        ${ended.map(({ runMs }) => Math.round(runMs))}::bigint[]) as new (service_id, id, run_time)
      where pings.service_id = new.service_id and pings.id = new.id`,
    'write-run-times',
  )
}

/** A round without a verdict may have learnt of a start or of other settings, and then the last one lasts as long. */
async function prolong(transaction: Executor, writes: readonly HeartbeatWrite[]): Promise<void> {
  const well = writes.filter(({ judgement: { event, state } }) => event === null && state.failure === null)
  if (well.length === 0) return
  const untilAt = well.map(({ judgement, rules }) => heartbeatValidUntil(judgement.state, rules))
  await transaction.execute(
    sql`update service_statuses set valid_until = to_timestamp(new.until / 1000)
      from unnest(${well.map(({ serviceId }) => serviceId)}::int[], ${untilAt}::float8[]) as new (service_id, until)
      where service_statuses.service_id = new.service_id and check_status = 'ok' and valid_until is not null`,
    'prolong-heartbeats',
  )
}
