import { anonymousCaller } from '../domain/access/caller.ts'
import type { Registry, Resource } from './declare.ts'
import { boolean, type Field, type Fields, integer, json, list, text } from './fields.ts'
import { containmentName } from './filter-names.ts'
import { defaultLimit, maximumLimit } from './query.ts'
import { enumerationName, named, type Schema, valueSchemaOf } from './schemas.ts'

/** A filter as the OpenAPI document lists it. */
export interface DescribedFilter {
  readonly name: string
  readonly field: Field
  readonly isContainment: boolean
}

function filtersOfFields(fields: Fields, prefix = ''): readonly DescribedFilter[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.internal) return []
    const path = `${prefix}${name}`
    return [
      ...(field.filter ? [{ name: path, field, isContainment: false }] : []),
      ...(field.contains ? [{ name: containmentName(path), field, isContainment: true }] : []),
    ]
  })
}

function embeddedFilters(resource: Resource, registry: Registry | undefined): readonly DescribedFilter[] {
  return resource.embed.flatMap((name) => {
    if (name === 'permissions') {
      const flags = Object.keys(resource.permissions(anonymousCaller))
      const field = boolean({ filter: true })
      return flags.map((flag) => ({ name: `permissions.${flag}`, field, isContainment: false }))
    }
    const relation = resource.relations[name]
    if (relation === undefined || registry === undefined) return []
    return filtersOfFields(registry.get(relation.to).fields, `${name}.`)
  })
}

/** The identifier that generators make from a name. */
function identifierOf(name: string): string {
  return name.replaceAll(/[._]/g, '').toLowerCase()
}

/**
 * The filters of a list. Generators cannot tell some names apart, such as `owner_id` and `owner.id`. Then only the
 * first is listed; the other means the same, and works too.
 */
export function filtersOf(resource: Resource, registry?: Registry): readonly DescribedFilter[] {
  const filters = new Map<string, DescribedFilter>()
  for (const filter of [...filtersOfFields(resource.fields), ...embeddedFilters(resource, registry)]) {
    const identifier = identifierOf(filter.name)
    if (!filters.has(identifier)) filters.set(identifier, filter)
  }
  return [...filters.values()]
}

/** Elements may be null too: not every generator can say that of an array's. */
function alternatives(kind: string, one: Schema): Schema {
  return named(`filter_${'enum' in one ? enumerationName : kind}`, {
    description: 'A value or an array of alternatives; null, also as an element, matches null.',
    anyOf: [one, { type: 'array', items: one }, { type: 'null' }],
  })
}

function filterSchema({ field, isContainment }: DescribedFilter): Schema {
  if (isContainment) return alternatives('string', { type: 'string' })
  const value = valueSchemaOf(field)
  return alternatives(String(value['type']), value)
}

/** The body of `POST /{resource}/search`: the parameters of the list as members. */
export function searchFields(resource: Resource, registry: Registry): Fields {
  const properties = Object.fromEntries(
    filtersOf(resource, registry).map((filter) => [filter.name, filterSchema(filter)]),
  )
  const filters = { type: 'object', properties }
  const moment = text({ about: 'RFC 3339, Unix seconds, or negative seconds before now.' })
  const [key = 'id'] = resource.key
  const { kind, example = 'x' } = resource.fields[key] ?? {}
  const ids = kind === 'integer' ? [1, 2] : [example]
  return {
    fields: list(text({}), { about: 'Array or comma-separated text.', example: [key] }),
    embed: list(text({}), { about: 'Array or comma-separated text.' }),
    sort: list(text({}), { about: 'Array or comma-separated text.', example: [`-${key}`] }),
    limit: integer({ minimum: 0, maximum: maximumLimit, about: `Page size; ${defaultLimit} by default.` }),
    offset: integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, about: 'Objects to skip.' }),
    query: text({ about: 'Text search.' }),
    ...(resource.range === null ? {} : { from: moment, to: moment }),
    filters: json({
      about: 'Query-parameter names with a value or an array of alternatives.',
      schema: { written: filters, shown: filters },
      example: { [key]: ids },
    }),
  }
}
