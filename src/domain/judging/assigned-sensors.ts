import { type SensorCategory, sensorCategories } from '../services/service-types.ts'

/**
 * The sensors of a group, by category of the services that they check. All four keys are always present (answers §6).
 */
export type AssignedSensorIds = Readonly<Record<SensorCategory, readonly number[]>>

/** The facts about a sensor that groups need. */
export interface AssignableSensor {
  readonly id: number
  readonly category_ids: readonly string[]
  readonly is_available: boolean
}

/** The categories without a sensor here, in the order of categories. */
export function unservedCategories(
  assigned: Partial<AssignedSensorIds>,
  needed: readonly SensorCategory[],
): readonly SensorCategory[] {
  return sensorCategories.filter((category) => needed.includes(category) && (assigned[category] ?? []).length === 0)
}

const sensorsOfNewGroup = 3

/**
 * The sensors of a new group: the first available ones of each category in the given order, at most three. The
 * package's `maximum_sensors` (null: no limit) can lower that. If a category has none available now, unavailable ones
 * are taken (answers §6).
 */
export function assignFirstSensors(
  sensors: readonly AssignableSensor[],
  maximumSensors: number | null,
): AssignedSensorIds {
  const count = Math.min(sensorsOfNewGroup, maximumSensors ?? sensorsOfNewGroup)
  function idsOf(category: SensorCategory): readonly number[] {
    const able = sensors.filter((sensor) => sensor.category_ids.includes(category))
    const available = able.filter((sensor) => sensor.is_available)
    return (available.length > 0 ? available : able).slice(0, count).map((sensor) => sensor.id)
  }
  return { default: idsOf('default'), ipv6: idsOf('ipv6'), mobile: idsOf('mobile'), webappcheck: idsOf('webappcheck') }
}
