import { anonymousCaller } from '../domain/caller.ts'
import type { ParameterDescription } from './call.ts'
import type { Resource } from './declare.ts'
import { type Fields, integer, json, list, text } from './fields.ts'
import { defaultLimit, maximumLimit, shownFields } from './query.ts'

const names: Readonly<Record<string, string>> = {
  _id: 'Identifier, or an alias such as `my_account` where the resource has one.',
  _analysis_id: 'Identifier of the analysis, or `last_analysis`, `last_ok_analysis`, `last_failure_analysis`.',
  _sensor_id: 'Identifier of the sensor.',
  _change_id: 'Identifier of the status change.',
  _account_id: 'Identifier of the account, or `my_account`.',
  year: 'Four digits.',
  month: '1 to 12, in UTC.',
  _key: 'Key of the setting.',
}

const examples: Readonly<Record<string, string>> = { _analysis_id: 'last_analysis', year: '2026', month: '11' }

/** The parameters in braces of a path. */
export function pathParameters(path: string): readonly ParameterDescription[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    about: names[name] ?? 'Identifier.',
    schema: { type: 'string' },
    example: examples[name] ?? '1',
  }))
}

/** The example stands in the words: the reader of the description would fill it in, and every answer would lack the other fields. */
function choice(name: string, about: string, values: readonly string[], example: string): ParameterDescription {
  return {
    name,
    in: 'query',
    about: `${about} One or more of: ${values.join(', ')}; for example \`${example}\`.`,
    schema: { type: 'string' },
  }
}

function embeddable(resource: Resource): readonly string[] {
  return [...resource.embed]
}

/** `fields` and `embed`. */
export function readParameters(resource: Resource): readonly ParameterDescription[] {
  const fields = shownFields(resource)
  const embed = embeddable(resource)
  return [
    choice('fields', 'Restricts the returned fields, comma-separated.', fields, fields.slice(0, 2).join(',')),
    ...(embed.length === 0
      ? []
      : [choice('embed', 'Adds related objects, optionally with sub-fields (`name.field`).', embed, embed[0] ?? '')]),
  ]
}

function filterParameters(resource: Resource): readonly ParameterDescription[] {
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const found: ParameterDescription[] = []
    if (field.filter) {
      found.push({
        name,
        in: 'query',
        about: `Equality filter on \`${name}\`, without regard to case; \`null\` matches null; repeats are alternatives.`,
        schema: { type: 'string' },
      })
    }
    if (field.contains) {
      const about = `Containment filter on \`${name}\`, without regard to case.`
      found.push({ name: `${name}~`, in: 'query', about, schema: { type: 'string' } })
    }
    return found
  })
}

function rangeParameters(resource: Resource): readonly ParameterDescription[] {
  if (resource.range === null) return []
  const limit = resource.range.maximumSeconds
  const most = limit === null ? '' : ` At most ${limit / 86_400} days.`
  return ['from', 'to'].map((name) => ({
    name,
    in: 'query',
    about: `${name === 'from' ? 'Start (inclusive)' : 'End (exclusive)'} of the range: RFC 3339, Unix seconds, or negative seconds before now.${most}`,
    schema: { type: 'string' },
    ...(name === 'from' ? { example: '-86400' } : {}),
  }))
}

/** Every parameter of a list read (specification: Query parameters of reads). */
export function listParameters(resource: Resource): readonly ParameterDescription[] {
  const sortable = Object.keys(resource.fields).filter((name) => resource.fields[name]?.sort)
  const flags = resource.embed.includes('permissions') ? Object.keys(resource.permissions(anonymousCaller)) : []
  return [
    ...readParameters(resource),
    choice(
      'sort',
      'Sort keys, most significant first, `-` for descending; fields of embeddable objects too.',
      sortable,
      sortable[0] ?? '',
    ),
    {
      name: 'limit',
      in: 'query',
      about: 'Page size.',
      schema: { type: 'integer', minimum: 0, maximum: maximumLimit, default: defaultLimit },
    },
    { name: 'offset', in: 'query', about: 'Objects to skip.', schema: { type: 'integer', minimum: 0, default: 0 } },
    { name: 'query', in: 'query', about: `Text search in: ${resource.search.join(', ')}.`, schema: { type: 'string' } },
    ...rangeParameters(resource),
    ...filterParameters(resource),
    ...flags.map((flag) => ({
      name: `permissions.${flag}`,
      in: 'query' as const,
      about: 'Filter by what the caller may do.',
      schema: { type: 'boolean' },
    })),
  ]
}

/** The body of `POST /{resource}/search`. */
export const searchFields: Fields = {
  fields: list(text({}), { about: 'Array or comma-separated text.', example: ['id'] }),
  embed: list(text({}), { about: 'Array or comma-separated text.' }),
  sort: list(text({}), { about: 'Array or comma-separated text.', example: ['-id'] }),
  limit: integer({ minimum: 0, maximum: maximumLimit, about: 'Page size.' }),
  offset: integer({ minimum: 0, about: 'Objects to skip.' }),
  query: text({ about: 'Text search.' }),
  filters: json({ about: 'Query-parameter names with a value or an array of alternatives.', example: { id: [1, 2] } }),
}
