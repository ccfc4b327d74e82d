import type { WarningTexts } from '../catalogue.ts'

export const warnings: WarningTexts = {
  no_sensor:
    'No sensor is assigned to the service, so it is not checked. Assign sensors of its category to the group, or to the service by sensor_ids.',
  no_capable_sensor:
    'No sensor that could be asked can check services of this type, so nothing will be known of it. Assign another sensor, or ask the operator for one that has what it takes: a browser, IPv6, the right to ping.',
  group_without_sensor:
    'Active services of this group need sensors of category {category}, and the group has none, so they are not checked.',
}
