import { always } from '../domain/condition.ts'
import { type DictionaryName, dictionaries as dictionaryIds } from '../domain/dictionaries.ts'
import { type Resource, resource, rowsOf } from '../rest/declare.ts'
import { text } from '../rest/fields.ts'
import { dictionaryElements } from '../wording/texts.ts'

const column = { readOnly: true, filter: true, contains: true, sort: true } as const

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
  })
}

export const dictionaries: readonly Resource[] = (Object.keys(dictionaryIds) as DictionaryName[]).map(dictionary)
