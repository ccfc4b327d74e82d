import { type SensorCategory, sensorCategories } from './service-types.ts'

/** The sensors of a group, by the category of the services that they check. Always all four keys (answers §6). */
export type AssignedSensorIds = Readonly<Record<SensorCategory, readonly number[]>>

/** A sensor as far as groups are concerned. */
export interface AssignableSensor {
  readonly id: number
  readonly category_ids: readonly string[]
  readonly is_available: boolean
}

/** Those of the categories that have no sensor here, in the order of categories. */
export function unservedCategories(
  assigned: Partial<AssignedSensorIds>,
  needed: readonly SensorCategory[],
): readonly SensorCategory[] {
  return sensorCategories.filter((category) => needed.includes(category) && (assigned[category] ?? []).length === 0)
}

const sensorsOfNewGroup = 3

/**
 * What a new group gets: the first available sensors of each category in the order given, up to three and at most the package's
 * `maximum_sensors` (null: no limit). Where none of a category is available now, those that will be again (answers §6).
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
