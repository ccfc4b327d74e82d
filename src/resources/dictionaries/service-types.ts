import { serviceTypes as catalogue, families, familyIds, type OfferedType } from '../../checks/index.ts'
import { readOnlyPermissions } from '../../domain/access/permissions.ts'
import { always, is } from '../../domain/queries/condition.ts'
import { resource, rowsOf } from '../../rest/declare.ts'
import { boolean, decimal, integer, json, list, object, text } from '../../rest/fields.ts'
import type { Language } from '../../wording/language.ts'

const limit = { nullable: true, readOnly: true, example: null } as const

const value = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] } as const
const anyValue = { written: value, shown: value } as const
const choice = { anyOf: [{ type: 'string' }, { type: 'number' }] } as const
const anyChoice = { written: choice, shown: choice } as const

const formatFields = {
  service_type_id: text({ readOnly: true, filter: true, sort: true, example: 'ping' }),
  setting_id: text({ readOnly: true, filter: true, sort: true, example: 'reply_timeout' }),
  label: text({ about: 'Its name on a form.', readOnly: true, contains: true, example: 'Timeout' }),
  description: text({ readOnly: true, contains: true, example: 'The longest wait for a reply.' }),
  unit: text({ about: 'The symbol of the unit of its number.', nullable: true, readOnly: true, example: 'ms' }),
  type: text({
    readOnly: true,
    filter: true,
    oneOf: ['string', 'integer', 'number', 'boolean', 'regex'],
    example: 'integer',
  }),
  default: json({ about: 'A value of the type.', readOnly: true, schema: anyValue, example: 3000 }),
  is_nullable: boolean({ readOnly: true, filter: true, example: false }),
  is_required: boolean({ about: 'A service of the type must have it.', readOnly: true, filter: true, example: false }),
  enum: list(json({ schema: anyChoice }), { nullable: true, readOnly: true, example: null }),
  minimum: decimal(limit),
  maximum: decimal(limit),
  minimum_length: integer(limit),
  maximum_length: integer(limit),
  pattern: text(limit),
  suggested_form_element: text({ readOnly: true, example: 'text' }),
}

function formatsOf(type: OfferedType, language: Language): readonly Readonly<Record<string, unknown>>[] {
  return type.settings.map((format) => ({
    ...Object.fromEntries(Object.keys(formatFields).map((name) => [name, format[name as keyof typeof format] ?? null])),
    is_required: format.isRequired === true,
    service_type_id: type.id,
    setting_id: format.setting_id,
    ...format.words[language],
  }))
}

export const serviceTypes = resource('service_types', {
  about: 'Kinds of services.',
  singular: 'service type',
  source: rowsOf(({ language }) =>
    catalogue.map((type, position) => ({
      id: type.id,
      name: type.name[language],
      address_prefix: type.addressPrefix,
      category_id: type.category,
      family_id: type.family,
      family_name: families[type.family][language],
      keywords: type.keywords,
      position,
      extended_setting_formats: formatsOf(type, language),
    })),
  ),
  access: 'any',
  fields: {
    id: text({ readOnly: true, filter: true, contains: true, sort: true, example: 'http' }),
    name: text({ readOnly: true, filter: true, contains: true, sort: true, example: 'HTTP' }),
    address_prefix: text({
      about: 'Left out of the address of a service.',
      readOnly: true,
      filter: true,
      example: 'http://',
    }),
    category_id: text({
      about: 'Category of stations that can serve it.',
      readOnly: true,
      filter: true,
      sort: true,
      example: 'default',
    }),
    family_id: text({
      about: 'Similar types have the same family.',
      readOnly: true,
      filter: true,
      sort: true,
      oneOf: familyIds,
      example: 'web',
    }),
    family_name: text({ readOnly: true, sort: true, example: 'Web and APIs' }),
    keywords: list(text({}), {
      about: 'Words by which people look for the type, beside its name.',
      readOnly: true,
      example: ['website', 'url'],
    }),
    position: integer({
      about: 'Its place among the types, family after family, when somebody chooses one.',
      readOnly: true,
      sort: true,
      example: 0,
    }),
    extended_setting_formats: list(object(formatFields, {}), { embedOnly: true, readOnly: true }),
  },
  embed: ['extended_setting_formats', 'permissions'],
  search: ['id', 'name'],
  forNarrowedKeys: true,
  visible: () => always(true),
  permissions: readOnlyPermissions,
  operations: ['list', 'search', 'read', 'permissions'],
  children: {
    extended_setting_formats: {
      list: 'extended_setting_formats',
      summary: 'Formats of the settings of a service type',
      where: (type) => is('service_type_id', String(type['id'])),
    },
  },
})

/** Only listed below a service type. */
export const extendedSettingFormats = resource('extended_setting_formats', {
  about: 'The values that each setting of a service type accepts.',
  singular: 'extended setting format',
  source: rowsOf(({ language }) => catalogue.flatMap((type) => formatsOf(type, language))),
  key: ['service_type_id', 'setting_id'],
  access: 'any',
  fields: formatFields,
  search: ['setting_id', 'label', 'description'],
  forNarrowedKeys: true,
  visible: () => always(true),
  operations: [],
})
