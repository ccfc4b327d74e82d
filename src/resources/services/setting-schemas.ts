import { type OfferedType, serviceTypes } from '../../checks/index.ts'
import type { Setting } from '../../checks/settings.ts'
import { presentSettings } from '../../domain/services/extended-settings.ts'
import type { SettingType } from '../../domain/services/service-types.ts'
import type { Variants } from '../../rest/declare.ts'
import { named, type Schema } from '../../rest/schemas.ts'

/** The schema of a service's `extended_settings`, by the formats of its type. */

const wireTypes: Readonly<Record<SettingType, string>> = {
  string: 'string',
  regex: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
}

function valuesOf(formats: readonly Setting[]): readonly (string | number)[] | null {
  const [first = null] = formats.map((format) => format.enum)
  return formats.every((format) => String(format.enum) === String(first)) ? first : null
}

/** The widest of the limits; null where one has none. */
function widest(limits: readonly (number | null)[], choose: (...values: number[]) => number): number | undefined {
  const known = limits.filter((limit) => limit !== null)
  return known.length < limits.length ? undefined : choose(...known)
}

function limitsOf(formats: readonly Setting[]): Schema {
  const limits = {
    minimum: widest(
      formats.map(({ minimum }) => minimum),
      Math.min,
    ),
    maximum: widest(
      formats.map(({ maximum }) => maximum),
      Math.max,
    ),
    minLength: widest(
      formats.map((format) => format.minimum_length),
      Math.min,
    ),
    maxLength: widest(
      formats.map((format) => format.maximum_length),
      Math.max,
    ),
  }
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined))
}

function descriptionOf({ words, unit }: Setting): string {
  const { label, description } = words.en
  return `${unit === undefined ? label : `${label}, ${unit}`}. ${description}`
}

/** One setting as all its formats allow it. A written null resets it to its default; a secret is shown as null. */
function settingSchema(formats: readonly Setting[], side: 'written' | 'shown'): Schema {
  const [format] = formats as [Setting]
  const { type, items } = format
  const isNullable = side === 'written' || formats.some((format) => format.is_nullable || format.isSecret)
  const values = valuesOf(formats)
  if (items !== undefined) return listSchema(format, items, side)
  return {
    type: isNullable ? [wireTypes[type], 'null'] : wireTypes[type],
    description: descriptionOf(format),
    ...limitsOf(formats),
    ...(values === null ? {} : { enum: isNullable ? [...values, null] : values }),
  }
}

function listSchema(format: Setting, items: Schema, side: 'written' | 'shown'): Schema {
  return { type: side === 'written' ? ['array', 'null'] : 'array', description: descriptionOf(format), items }
}

/** The settings of a service whose type is one of these. A displayed one has the settings that all of them share. */
function settingsSchema(types: readonly OfferedType[], side: 'written' | 'shown'): Schema {
  const ids = [...new Set(types.flatMap(({ settings }) => settings.map(({ setting_id: id }) => id)))]
  const byId = ids.map(
    (id) => [id, types.flatMap((type) => type.settings.filter((one) => one.setting_id === id))] as const,
  )
  return {
    type: 'object',
    properties: Object.fromEntries(byId.map(([id, formats]) => [id, settingSchema(formats, side)])),
    ...(side === 'written'
      ? {}
      : { required: byId.filter(([, formats]) => formats.length === types.length).map(([id]) => id) }),
  }
}

const suffixes = { written: '_input', shown: '' } as const

const sampleType = serviceTypes.filter(({ id }) => id === 'https')
const [shownExample] = sampleType.map((type) => presentSettings(type, { timeout: 7000 }))

/** `extended_settings` of a service of any type. */
export const anySettings = {
  written: named('extended_settings_input', settingsSchema(serviceTypes, 'written')),
  shown: named('extended_settings', { ...settingsSchema(serviceTypes, 'shown'), example: shownExample }),
}

function schemasOf(type: OfferedType) {
  const schemaOn = (side: 'written' | 'shown') =>
    named(`settings_of_${type.base}${suffixes[side]}`, settingsSchema([type], side))
  return { written: schemaOn('written'), shown: schemaOn('shown') }
}

/** Which settings a service has by its type. Those for IPv6 have the settings of the type beside them. */
export const settingsByType: Variants = {
  by: 'type_id',
  of: 'extended_settings',
  shapes: Object.fromEntries(serviceTypes.map((type) => [type.id, schemasOf(type)])),
}
