import sql, { type Sql } from 'sql-template-tag'
import { categoriesOf, checkedTypeIds, serviceTypes } from '../checks/index.ts'
import type { Executor } from '../database/connect.ts'
import { tellStatuses } from '../database/services/stream-events.ts'
import { type AssignedSensorIds, unservedCategories } from '../domain/judging/assigned-sensors.ts'
import { nextOnGrid, spedUpIntervalSeconds } from '../domain/judging/schedule.ts'
import { type DefinitionFault, definitionFaults } from '../domain/judging/unknown-reason.ts'
import type { SensorCategory } from '../domain/services/service-types.ts'
import { isUntold } from '../outbox/silence.ts'
import { wakeSchedulers } from './wake-schedulers.ts'

/** Faults of a definition that keep services from being checked, computed from the tables wherever they are shown. */

function knownTypes(): Sql {
  const checked = serviceTypes.filter(({ id }) => checkedTypeIds.includes(id))
  const ids = checked.map(({ id }) => id)
  const categories = checked.map(({ category }) => category)
  return sql`unnest(${ids}::text[], ${categories}::text[]) as known (type_id, category)`
}

/**
 * `no_sensor`: neither the service nor its group names a sensor, although one could check it. `no_capable_sensor`: no
 * available sensor can check it. Null if one can, for an archived service, and for one that reports in.
 */
function serviceWarning(service: Sql): Sql {
  const isAble = sql`known.category = any(sensors.category_ids) and ${service}.type_id <> all(sensors.unsupported_type_ids)`
  const failsOver = sql`coalesce((${service}.extended_settings->>'sensors_failover')::boolean, true)`
  return sql`(
    select case
      when ${service}.is_archived then null
      when exists (select from sensors where id = any(chosen.ids) and ${isAble}) then null
      when ${failsOver} and exists (select from sensors where id = any(chosen.ids) and known.category <> all(category_ids))
        and exists (select from sensors where ${isAble}) then null
      when cardinality(chosen.ids) = 0 and exists (select from sensors where ${isAble}) then 'no_sensor'
      else 'no_capable_sensor' end
    from groups, ${knownTypes()}, lateral (
      select case when cardinality(${service}.sensor_ids) > 0 then ${service}.sensor_ids
        else array(select jsonb_array_elements_text(groups.assigned_sensor_ids->known.category)::int) end as ids) chosen
    where groups.id = ${service}.group_id and known.type_id = ${service}.type_id)`
}

/** A fault of a service's definition, or its silence. */
export type ServiceWarningId = DefinitionFault | 'nobody_told'

/** The warnings of a service, as an array of texts. */
export function serviceWarnings(service: Sql): Sql {
  const silence = sql`case when ${isUntold(service)} then 'nobody_told' end`
  return sql`to_jsonb(array_remove(array[${serviceWarning(service)}, ${silence}], null))`
}

export async function warningsOfService(executor: Executor, serviceId: number): Promise<readonly ServiceWarningId[]> {
  const [row] = await executor.query<{ warnings: readonly ServiceWarningId[] }>(
    sql`select ${serviceWarnings(sql`services`)} as warnings from services where id = ${serviceId}`,
    'warnings-of-service',
  )
  return row?.warnings ?? []
}

/**
 * The categories in which groups have no sensor although active services in them need one; complete groups are left
 * out. Two statements, because groups and services may lie on different machines.
 */
export async function gapsOfGroups(
  executor: Executor,
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, readonly SensorCategory[]>> {
  const ids = sql`${[...groupIds]}::int[]`
  const groups = await executor.query<{ id: number; assigned_sensor_ids: AssignedSensorIds }>(
    sql`select id, assigned_sensor_ids from groups where id = any(${ids})`,
  )
  const needs = await executor.query<{ group_id: number; type_id: string }>(sql`
    select distinct group_id, type_id from services
    where group_id = any(${ids}) and is_active and not is_archived and cardinality(sensor_ids) = 0`)
  const gaps = groups.map(({ id, assigned_sensor_ids: assigned }) => {
    const typeIds = needs.filter((need) => need.group_id === id).map((need) => need.type_id)
    return [id, unservedCategories(assigned, categoriesOf(typeIds))] as const
  })
  return new Map(gaps.filter(([, categories]) => categories.length > 0))
}

interface Judged {
  readonly id: number
  readonly interval: number
  readonly warning: DefinitionFault | null
}

/** Records the faults of active services at once. Returns all that were judged. Expects the plans locked. */
export async function noteFaults(
  transaction: Executor,
  serviceIds: readonly number[],
  now: number,
): Promise<readonly Judged[]> {
  if (serviceIds.length === 0) return []
  const rows = await transaction.query<Judged>(
    sql`
    select id, interval, ${serviceWarning(sql`services`)} as warning from services
    where id = any(${[...serviceIds]}::int[]) and is_active and not is_archived`,
    'faults-of-services',
  )
  const faulty = rows.filter(({ warning }) => warning !== null)
  if (faulty.length === 0) return rows
  const spoilt = await transaction.query<{ service_id: number }>(sql`
    update service_statuses set unknown_reason = new.reason, unknown_since = coalesce(unknown_since, ${new Date(now)})
    from unnest(${faulty.map(({ id }) => id)}::int[], ${faulty.map(({ warning }) => warning)}::text[]) as new (service_id, reason)
    where service_statuses.service_id = new.service_id
      and (unknown_reason is null or unknown_reason = any(${[...definitionFaults]}) and unknown_reason <> new.reason)
    returning service_statuses.service_id`)
  await tellStatuses(
    transaction,
    spoilt.map((row) => row.service_id),
  )
  return rows
}

/**
 * Records at once how a change of a service or its group affects its checks, so nobody waits an interval for it. After
 * a mended fault the next try comes within a minute. Expects the plans locked.
 */
export async function noteWarnings(transaction: Executor, serviceIds: readonly number[], now: number): Promise<void> {
  const sound = (await noteFaults(transaction, serviceIds, now)).filter(({ warning }) => warning === null)
  if (sound.length === 0) return
  const mended = await transaction.query<{ service_id: number }>(sql`
    update service_statuses set unknown_reason = null, unknown_since = null, unknown_told_at = null
    where service_id = any(${sound.map(({ id }) => id)}::int[]) and unknown_reason = any(${[...definitionFaults]})
    returning service_id`)
  await tellStatuses(
    transaction,
    mended.map((row) => row.service_id),
  )
  await hasten(
    transaction,
    sound.filter(({ id }) => mended.some((row) => row.service_id === id)),
    now,
  )
}

async function hasten(
  transaction: Executor,
  services: readonly { readonly id: number; readonly interval: number }[],
  now: number,
): Promise<void> {
  if (services.length === 0) return
  const dueAt = services.map(({ id, interval }) => nextOnGrid(id, Math.min(interval, spedUpIntervalSeconds), now))
  await transaction.execute(sql`
    update schedule set due_at = least(schedule.due_at, to_timestamp(new.due_at / 1000))
    from unnest(${services.map(({ id }) => id)}::int[], ${dueAt}::float8[]) as new (service_id, due_at)
    where schedule.service_id = new.service_id and schedule.due_at <> 'infinity'`)
  await wakeSchedulers(transaction)
}
