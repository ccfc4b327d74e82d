import type { SensorCategory } from '../../domain/service-types.ts'
import type { DefinitionFault } from '../../domain/unknown-reason.ts'
import type { Warning } from '../../rest/declare.ts'
import { type Fields, object, text } from '../../rest/fields.ts'
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
const fieldOf: Readonly<Record<DefinitionFault, string>> = { no_sensor: 'sensor_ids', no_capable_sensor: 'type_id' }

export function serviceWarnings(id: DefinitionFault | null, language: Language): readonly Warning[] {
  return id === null ? [] : [{ warning: id, field: fieldOf[id], message: catalogues[language].warnings[id] }]
}

/** An address that waits for its confirmation, and no code was sent to it. */
export function addressWarnings(isWithoutCode: boolean, language: Language): readonly Warning[] {
  if (!isWithoutCode) return []
  const message = catalogues[language].warnings.no_confirmation_code
  return [{ warning: 'no_confirmation_code', field: 'address', message }]
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
