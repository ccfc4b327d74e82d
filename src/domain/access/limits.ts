import type { Problem } from '../input/problem.ts'
import type { SensorCategory } from '../services/service-types.ts'

/** The limits of an account (specification: Package). Null means no limit (answers §4). */
export interface PackageLimits {
  readonly maximum_services: number | null
  readonly maximum_sensors: number | null
  readonly maximum_sms_numbers: number | null
  /** Seconds. */
  readonly minimum_interval: number
  readonly available_notification_channel_ids: readonly string[]
  readonly available_service_types: readonly AvailableServiceType[]
}

/** A service type that the package offers. Its own limits add to the package's or replace them; null: it has none. */
export interface AvailableServiceType {
  readonly service_type_id: string
  readonly maximum_services: number | null
  /** Seconds. */
  readonly minimum_interval: number | null
}

/** The numbers of services of the account, without archived ones and without the one being written. */
export interface ServiceCounts {
  readonly total: number
  readonly ofType: number
}

/** The type's entry in the package; undefined if the package does not offer it. */
export function availableType(limits: PackageLimits, typeId: string): AvailableServiceType | undefined {
  return limits.available_service_types.find((entry) => entry.service_type_id === typeId)
}

/** The shortest interval of a type, in seconds; a type's own minimum replaces the package's. */
export function minimumInterval(limits: PackageLimits, typeId: string): number {
  return availableType(limits, typeId)?.minimum_interval ?? limits.minimum_interval
}

/** The shortest interval of any type, in seconds: a shorter one is too short whatever the type is. */
function leastInterval(limits: PackageLimits): number {
  const own = limits.available_service_types.map(({ service_type_id: id }) => minimumInterval(limits, id))
  return own.length === 0 ? limits.minimum_interval : Math.min(...own)
}

/** How many more services of a type fit; null if there is no limit (answers §15). */
export function remainingServices(limits: PackageLimits, typeId: string, counts: ServiceCounts): number | null {
  const ofType = availableType(limits, typeId)?.maximum_services ?? null
  const left = [
    limits.maximum_services === null ? null : limits.maximum_services - counts.total,
    ofType === null ? null : ofType - counts.ofType,
  ].filter((value) => value !== null)
  return left.length === 0 ? null : Math.max(0, Math.min(...left))
}

/** Whether the number of the account's services of a type has any limit. */
export function isLimited(limits: PackageLimits, typeId: string): boolean {
  return remainingServices(limits, typeId, { total: 0, ofType: 0 }) !== null
}

/** Checks that one more service of this type fits. Problems: service_type_not_available, limit_exceeded. */
export function roomProblems(
  limits: PackageLimits,
  typeId: string,
  counts: ServiceCounts,
  pointer = 'data.type_id',
): readonly Problem[] {
  const type = availableType(limits, typeId)
  if (type === undefined) {
    return [{ error: 'service_type_not_available', field: pointer, facts: { service_type_id: typeId } }]
  }
  const { maximum_services: most } = limits
  if (most !== null && counts.total >= most) {
    return [{ error: 'limit_exceeded', facts: { limit: 'maximum_services', value: most } }]
  }
  if (type.maximum_services !== null && counts.ofType >= type.maximum_services) {
    const limit = `available_service_types.${typeId}.maximum_services`
    return [{ error: 'limit_exceeded', field: pointer, facts: { limit, value: type.maximum_services } }]
  }
  return []
}

/**
 * Problems: interval_too_short.
 * @param typeId null: nobody knows, or the package does not have it
 */
export function intervalProblems(
  limits: PackageLimits,
  typeId: string | null,
  intervalSeconds: number,
): readonly Problem[] {
  const minimum = typeId === null ? leastInterval(limits) : minimumInterval(limits, typeId)
  if (intervalSeconds >= minimum) return []
  return [{ error: 'interval_too_short', field: 'data.interval', facts: { minimum } }]
}

/**
 * Checks that an archived service fits the limits again. Problems: service_type_not_available, limit_exceeded,
 * interval_too_short.
 */
export function restorationProblems(
  limits: PackageLimits,
  typeId: string,
  intervalSeconds: number,
  others: ServiceCounts,
): readonly Problem[] {
  const room = roomProblems(limits, typeId, others)
  const isAvailable = availableType(limits, typeId) !== undefined
  const interval = isAvailable ? intervalProblems(limits, typeId, intervalSeconds) : []
  // The request has no body, so no pointer can lead into it.
  return [...room, ...interval].map(({ field: _field, ...problem }) => problem)
}

/** A sensor that may be chosen, with its categories. */
export interface KnownSensor {
  readonly id: number
  readonly category_ids: readonly string[]
}

/** Checks the sensors of one category. Problems: sensor_not_available, limit_exceeded, value_is_not_unique. */
export function sensorProblems(
  limits: PackageLimits,
  sensors: readonly KnownSensor[],
  wanted: { readonly ids: readonly number[]; readonly category: SensorCategory; readonly pointer: string },
): readonly Problem[] {
  const { ids, category, pointer } = wanted
  const able = new Set(sensors.filter((sensor) => sensor.category_ids.includes(category)).map((sensor) => sensor.id))
  const problems: Problem[] = ids.flatMap((id, index) => {
    const field = `${pointer}[${index}]`
    if (ids.indexOf(id) !== index) return [{ error: 'value_is_not_unique', field }]
    return able.has(id) ? [] : [{ error: 'sensor_not_available', field, facts: { sensor_id: id } }]
  })
  const most = limits.maximum_sensors
  if (most !== null && ids.length > most) {
    problems.push({ error: 'limit_exceeded', field: pointer, facts: { limit: 'maximum_sensors', value: most } })
  }
  return problems
}

/** Problems: channel_not_available. */
export function channelProblems(limits: PackageLimits, ids: readonly string[], pointer: string): readonly Problem[] {
  return ids.flatMap((id, index) =>
    limits.available_notification_channel_ids.includes(id)
      ? []
      : [{ error: 'channel_not_available', field: `${pointer}[${index}]`, facts: { channel_id: id } }],
  )
}
