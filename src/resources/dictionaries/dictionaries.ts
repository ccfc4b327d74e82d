import { type DictionaryName, dictionaries as dictionaryIds } from '../../domain/dictionaries.ts'
import { always, is } from '../../domain/queries/condition.ts'
import { type ChildList, type Resource, resource, rowsOf } from '../../rest/declare.ts'
import { type Fields, text } from '../../rest/fields.ts'
import type { Language } from '../../wording/language.ts'
import { type DictionaryElement, dictionaryElements } from '../../wording/texts.ts'
import { channelElements, channelFields } from '../notifications/notification-channels.ts'

const column = { readOnly: true, filter: true, contains: true, sort: true } as const

/** The lists below an element. */
const children: Partial<Record<string, Readonly<Record<string, ChildList>>>> = {
  error_type_categories: {
    error_types: {
      list: 'error_types',
      summary: 'Error types of a category',
      where: (category) => is('category_id', String(category['id'])),
    },
  },
  service_type_categories: {
    sensors: {
      list: 'sensors',
      summary: 'Sensors that can serve a category of service types',
      where: (category) => is('category_ids', String(category['id'])),
    },
  },
}

/** The elements of a dictionary. */
interface Elements<F extends Fields> {
  readonly of: (language: Language) => readonly DictionaryElement[]
  /** An id among them. Naming all only to show one would cost each start the names of four hundred time zones. */
  readonly example: string
  /** Beside those that all have. */
  readonly fields: F
}

function dictionary<F extends Fields>(name: string, { of: elementsOf, example, fields }: Elements<F>): Resource {
  const words = name.replaceAll('_', ' ')
  return resource(`dictionaries/${name}`, {
    about: `Dictionary of ${words}, translated by Accept-Language.`,
    tag: 'dictionaries',
    singular: `element of ${words}`,
    source: rowsOf(({ language }) => elementsOf(language).map((element) => ({ ...element }))),
    access: 'any',
    fields: {
      id: text({ ...column, example }),
      name: text(column),
      description: text(column),
      ...fields,
    },
    search: ['id', 'name', 'description'],
    forNarrowedKeys: true,
    visible: () => always(true),
    operations: ['list', 'read'],
    children: children[name] ?? {},
  })
}

const channels = { of: channelElements, example: channelElements('en')[0]?.id ?? 'email', fields: channelFields }

/** In the order of the specification. */
export const dictionaries: readonly Resource[] = [
  dictionary('notification_channels', channels),
  dictionary('contact_channels', channels),
  ...(Object.keys(dictionaryIds) as DictionaryName[]).map((name) =>
    dictionary(name, {
      of: (language) => dictionaryElements(name, language),
      example: dictionaryIds[name][0],
      fields: {},
    }),
  ),
]
