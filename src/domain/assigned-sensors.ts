import type { SensorCategory } from './service-types.ts'

/** The sensors of a group, by the category of the services that they check. Always all four keys (choices, section 6). */
export type AssignedSensorIds = Readonly<Record<SensorCategory, readonly number[]>>

export interface AssignableSensor {
  readonly id: number
  readonly category_ids: readonly string[]
}

const sensorsOfNewGroup = 3

/**
 * What a new group gets: the first of the given sensors in each category, up to three and at most the package's `maximum_sensors`
 * (null: no limit). The caller gives the available sensors in the order of preference.
 */
export function assignFirstSensors(
  available: readonly AssignableSensor[],
  maximumSensors: number | null,
): AssignedSensorIds {
  const count = Math.min(sensorsOfNewGroup, maximumSensors ?? sensorsOfNewGroup)
  const idsOf = (category: SensorCategory) =>
    available
      .filter((sensor) => sensor.category_ids.includes(category))
      .slice(0, count)
      .map((sensor) => sensor.id)
  return { default: idsOf('default'), ipv6: idsOf('ipv6'), mobile: idsOf('mobile'), webappcheck: idsOf('webappcheck') }
}
