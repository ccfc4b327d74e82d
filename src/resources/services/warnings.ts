import type { AddressWarningId } from '../../channels/address-warnings.ts'
import type { SensorCategory } from '../../domain/services/service-types.ts'
import type { Warning } from '../../rest/declare.ts'
import { type Fields, object, text } from '../../rest/fields.ts'
import type { ServiceWarningId } from '../../service-state/warnings.ts'
import { fill } from '../../wording/fill.ts'
import type { Language } from '../../wording/language.ts'
import { catalogues } from '../../wording/texts.ts'

/** One warning of a definition, as it is shown. */
export function warningOf(ids: readonly string[], more: Fields = {}) {
  const shape = {
    warning: text({ oneOf: ids, example: ids[0] ?? '' }),
    ...more,
    field: text({ about: 'The field that causes it.' }),
    message: text({ about: 'In the language of the caller.' }),
  }
  return object(shape, {})
}

/** The field that has to change. */
const fieldOf: Readonly<Record<ServiceWarningId, string>> = {
  no_sensor: 'sensor_ids',
  no_capable_sensor: 'type_id',
  nobody_told: 'notification_channel_ids',
}

export function serviceWarnings(ids: readonly ServiceWarningId[], language: Language): readonly Warning[] {
  return ids.map((id) => ({ warning: id, field: fieldOf[id], message: catalogues[language].warnings[id] }))
}

const fieldOfAddress: Readonly<Record<AddressWarningId, string>> = {
  no_confirmation_code: 'address',
  no_service_uses_it: 'notification_channel_id',
}

export function addressWarnings(ids: readonly AddressWarningId[], language: Language): readonly Warning[] {
  return ids.map((id) => ({ warning: id, field: fieldOfAddress[id], message: catalogues[language].warnings[id] }))
}

export interface GroupWarning extends Warning {
  readonly category: SensorCategory
}

export function groupWarnings(categories: readonly SensorCategory[], language: Language): readonly GroupWarning[] {
  return categories.map((category) => ({
    ...{ warning: 'no_sensor', category, field: `assigned_sensor_ids.${category}` },
    message: fill([catalogues[language].warnings.group_without_sensor], { category }),
  }))
}
