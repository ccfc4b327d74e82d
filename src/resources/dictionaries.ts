import { always, is } from '../domain/condition.ts'
import { type DictionaryName, dictionaries as dictionaryIds } from '../domain/dictionaries.ts'
import { type ChildList, type Resource, resource, rowsOf } from '../rest/declare.ts'
import { text } from '../rest/fields.ts'
import { dictionaryElements } from '../wording/texts.ts'

const column = { readOnly: true, filter: true, contains: true, sort: true } as const

/** What belongs to an element, below it. */
const children: Partial<Record<DictionaryName, Readonly<Record<string, ChildList>>>> = {
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

function dictionary(name: DictionaryName): Resource {
  const words = name.replaceAll('_', ' ')
  return resource(`dictionaries/${name}`, {
    about: `Dictionary of ${words}, translated by Accept-Language.`,
    tag: 'dictionaries',
    singular: `element of ${words}`,
    source: rowsOf(({ language }) => dictionaryElements(name, language).map((element) => ({ ...element }))),
    access: 'any',
    fields: {
      id: text({ ...column, example: dictionaryIds[name][0] ?? 'id' }),
      name: text(column),
      description: text(column),
    },
    search: ['id', 'name', 'description'],
    visible: () => always(true),
    operations: ['list', 'read'],
    children: children[name] ?? {},
  })
}

export const dictionaries: readonly Resource[] = (Object.keys(dictionaryIds) as DictionaryName[]).map(dictionary)
