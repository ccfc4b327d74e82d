import sql from 'sql-template-tag'
import { needsSensors, serviceTypeOf } from '../checks/index.ts'
import type { Executor } from '../database/connect.ts'
import { configuredSensors } from '../domain/judging/analysis.ts'
import type { AssignedSensorIds } from '../domain/judging/assigned-sensors.ts'
import type { NextRound, RoundReason } from '../domain/judging/schedule.ts'
import type { SettingValue } from '../domain/services/service-types.ts'

/** A round that this process holds. `claimNo` is the fencing token: a newer one means that the lease was lost. */
export interface ClaimedRound {
  readonly serviceId: number
  readonly claimNo: number
  readonly dueAt: number
  readonly reason: RoundReason
}

export interface RoundClaimRequest {
  readonly now: number
  /** Rounds due before it are left; -Infinity: none. */
  readonly fromAt: number
  /** Everything due before this moment. */
  readonly horizonAt: number
  readonly leasedUntil: number
  /** The session that holds them (holders.ts); null: only the lease ends the claim. */
  readonly heldBy: string | null
  readonly limit: number
}

interface ClaimRow {
  service_id: number
  claim_no: number
  due_at: number
  reason: RoundReason
}

/**
 * Takes rounds that nobody holds; processes never wait for each other nor take the same round. The index keeps an entry
 * for each past plan until it is vacuumed, which a backup may put off for hours. A look from `fromAt` passes those by.
 */
export async function claimDue(executor: Executor, request: RoundClaimRequest): Promise<ClaimedRound[]> {
  const [now, horizon] = [new Date(request.now), new Date(request.horizonAt)]
  const from = request.fromAt === Number.NEGATIVE_INFINITY ? '-infinity' : new Date(request.fromAt)
  const rows = await executor.query<ClaimRow>(
    sql`update schedule set claim_no = claim_no + 1, leased_until = ${new Date(request.leasedUntil)}, held_by = ${request.heldBy}
      where service_id in (
        select service_id from schedule
        where due_at >= ${from} and due_at < ${horizon} and (leased_until is null or leased_until < ${now})
        order by due_at limit ${request.limit} for update skip locked)
      returning service_id, claim_no, due_at, reason`,
    'claim-due',
  )
  return rows.map((row) => ({
    serviceId: row.service_id,
    claimNo: row.claim_no,
    dueAt: row.due_at,
    reason: row.reason,
  }))
}

/** When the next round is due; Infinity for never. A round that somebody holds counts too. */
export async function nextDueAt(executor: Executor): Promise<number> {
  const [next] = await executor.query<{ due_at: number }>(
    sql`select due_at from schedule order by due_at limit 1`,
    'next-due',
  )
  return next?.due_at ?? Number.POSITIVE_INFINITY
}

/** Locks their plans in the common order. Otherwise two writers of many plans could wait for each other for ever. */
function heldPlans(claims: readonly ClaimedRound[]) {
  return sql`
    select plan.service_id from schedule plan
    join unnest(${claims.map(({ serviceId }) => serviceId)}::int[], ${claims.map(({ claimNo }) => claimNo)}::bigint[])
      as mine (service_id, claim_no) using (service_id, claim_no)
    order by plan.service_id for update of plan`
}

/** Holds on to rounds that take long; the session may be another one than before. */
export async function renewLeases(
  executor: Executor,
  claims: readonly ClaimedRound[],
  { leasedUntil, heldBy }: Pick<RoundClaimRequest, 'leasedUntil' | 'heldBy'>,
): Promise<void> {
  await executor.execute(sql`
    with held as (${heldPlans(claims)})
    update schedule set leased_until = ${new Date(leasedUntil)}, held_by = ${heldBy} from held where schedule.service_id = held.service_id`)
}

/** Gives rounds back so that anybody may take them at once. */
export async function releaseClaims(executor: Executor, claims: readonly ClaimedRound[]): Promise<void> {
  await executor.execute(sql`
    with held as (${heldPlans(claims)})
    update schedule set leased_until = null from held where schedule.service_id = held.service_id`)
}

/** The end of a claim: the plan that follows, unless a request or a stop made another one meanwhile. */
export interface FinishedClaim {
  readonly claim: ClaimedRound
  readonly next: NextRound
}

/** A plan that was made while the round ran and stays. */
const isKept = sql`(schedule.due_at = 'infinity' or schedule.reason = 'forced'
  and (schedule.due_at <> to_timestamp(done.claimed_due_at / 1000) or done.claimed_reason <> 'forced'))`

/**
 * Plans the next rounds and ends the claims. A request from during the round stays, and so does a stop. Any other plan
 * made meanwhile, such as for a new interval, did not know this round's verdict; the next round was chosen from the
 * present facts. The token changes, so that a transaction whose commit answer was lost is not recorded twice.
 */
export async function finishClaims(executor: Executor, finished: readonly FinishedClaim[]): Promise<void> {
  await executor.execute(
    sql`update schedule set claim_no = schedule.claim_no + 1, leased_until = null,
        due_at = case when ${isKept} then schedule.due_at else to_timestamp(done.due_at / 1000) end,
        reason = case when ${isKept} then schedule.reason else done.reason end
      from unnest(
        ${finished.map(({ claim }) => claim.serviceId)}::int[], ${finished.map(({ claim }) => claim.claimNo)}::bigint[],
        ${finished.map(({ claim }) => claim.dueAt)}::float8[], ${finished.map(({ claim }) => claim.reason)}::text[],
        ${finished.map(({ next }) => next.dueAt)}::float8[], ${finished.map(({ next }) => next.reason)}::text[])
        as done (service_id, claim_no, claimed_due_at, claimed_reason, due_at, reason)
      where schedule.service_id = done.service_id and schedule.claim_no = done.claim_no`,
    'finish-claims',
  )
}

/** A round's facts about its service. */
export interface RoundTarget {
  readonly id: number
  readonly type_id: string
  readonly address: string
  readonly interval: number
  /** The primary account of who owns the service. */
  readonly primary_account_id: number
  readonly extended_settings: Readonly<Record<string, SettingValue>>
  /** The sensors that are asked: its own, else those of its group. None for a type that this version does not know. */
  readonly sensorIds: readonly number[]
  /** It was ok and neither degraded nor without a verdict when its round was claimed. */
  readonly isSteady: boolean
}

/** A trial has no status. */
export type AnalysedTarget = Omit<RoundTarget, 'isSteady'>

interface TargetRow extends Omit<RoundTarget, 'sensorIds' | 'isSteady'> {
  readonly is_steady: boolean | null
  readonly sensor_ids: readonly number[]
  readonly assigned_sensor_ids: AssignedSensorIds
}

/** The sensors that a service of the type asks. @param assigned those of its group */
export function sensorsFor(
  typeId: string,
  own: readonly number[],
  assigned: Partial<AssignedSensorIds>,
): readonly number[] {
  const category = serviceTypeOf(typeId)?.category
  if (category === undefined || !needsSensors(typeId)) return []
  return configuredSensors({ ownSensorIds: own, assignedSensorIds: assigned, category })
}

export async function readTargets(executor: Executor, serviceIds: readonly number[]): Promise<RoundTarget[]> {
  const rows = await executor.query<TargetRow>(
    sql`select services.id, type_id, address, interval, extended_settings, sensor_ids, assigned_sensor_ids,
        coalesce(accounts.parent_account_id, accounts.id) as primary_account_id,
        check_status = 'ok' and state = 'ok' and unknown_reason is null and degraded_reasons = '{}' as is_steady
      from services join groups on groups.id = services.group_id join accounts on accounts.id = services.owner_id
        left join service_statuses status on status.service_id = services.id
      where services.id = any(${serviceIds}::int[])`,
    'read-targets',
  )
  return rows.map(({ sensor_ids: own, assigned_sensor_ids: assigned, is_steady: isSteady, ...target }) => ({
    ...target,
    sensorIds: sensorsFor(target.type_id, own, assigned),
    isSteady: isSteady === true,
  }))
}

/** Drops the plans of those of the services that do not exist any more. */
export async function dropPlans(executor: Executor, serviceIds: readonly number[]): Promise<void> {
  const rows = await executor.query<{ id: number }>(sql`select id from services where id = any(${serviceIds}::int[])`)
  const present = new Set(rows.map(({ id }) => id))
  const gone = serviceIds.filter((id) => !present.has(id))
  await executor.execute(sql`delete from schedule where service_id = any(${gone}::int[])`)
}
