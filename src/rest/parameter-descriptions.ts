import { anonymousCaller } from '../domain/access/caller.ts'
import type { ParameterDescription } from './call.ts'
import type { Registry, Resource } from './declare.ts'
import { type DescribedFilter, filtersOf } from './described-filters.ts'
import { defaultLimit, maximumLimit, shownFields } from './query.ts'
import { valueSchemaOf } from './schemas.ts'

const names: Readonly<Record<string, string>> = {
  _id: 'Identifier, or an alias such as `my_account` where the resource has one.',
  _analysis_id: 'Identifier of the analysis, or `last_analysis`, `last_ok_analysis`, `last_failure_analysis`.',
  _sensor_id: 'Identifier of the sensor.',
  _change_id: 'Identifier of the status change.',
  _escalation_id: 'Identifier of the escalation.',
  _account_id: 'Identifier of the account, or `my_account`.',
  year: 'Four digits.',
  month: '1 to 12, in UTC.',
  _key: 'Key of the setting.',
  _service_type_id: 'Identifier of the service type.',
  _artifact_id: 'Element of the dictionary artifact_types.',
  _type_id: 'Element of the dictionary report_attachment_types.',
  _report_id: 'Identifier of the report.',
  _ping_id: 'Identifier of the ping.',
  _delivery_id: 'Identifier of the delivery.',
  _comment_id: 'Identifier of the comment.',
  file_name: 'Name of the file, as the link has it.',
  _channel_id: 'Element of the dictionary notification_channels.',
  _language_id: 'Element of the dictionary languages.',
}

const examples: Readonly<Record<string, string>> = {
  _analysis_id: 'last_analysis',
  year: '2026',
  month: '11',
  _channel_id: 'email',
  _language_id: 'en',
  _service_type_id: 'http',
  _artifact_id: 'content',
  _type_id: 'pdf',
  _key: 'theme',
  file_name: 'report.pdf',
}

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

/**
 * The example is part of the text. As a real example the viewer would fill it in, and every answer would lack the other
 * fields.
 */
function choice(name: string, about: string, values: readonly string[], example: string): ParameterDescription {
  return {
    name,
    in: 'query',
    about: `${about} One or more of: ${values.join(', ')}; for example \`${example}\`.`,
    schema: { type: 'array', items: { type: 'string' } },
    isCommaSeparated: true,
  }
}

/** `fields` and `embed`. */
export function readParameters(resource: Resource): readonly ParameterDescription[] {
  const fields = shownFields(resource)
  const { embed } = resource
  const only = 'Restricts the returned fields, comma-separated; then the others are not there, required or not.'
  return [
    choice('fields', only, fields, fields.slice(0, 2).join(',')),
    ...(embed.length === 0
      ? []
      : [choice('embed', 'Adds related objects, optionally with sub-fields (`name.field`).', embed, embed[0] ?? '')]),
  ]
}

function filterAbout({ name, field, isContainment }: DescribedFilter): string {
  if (isContainment) return 'The text contains this, without regard to case; repeats are alternatives.'
  if (name.startsWith('permissions.')) return 'Filter by what the caller may do.'
  const text = (field.of ?? field).kind === 'text' ? ', without regard to case' : ''
  const moment = field.kind === 'moment' ? ': RFC 3339, Unix seconds, or negative seconds before now' : ''
  const none = field.nullable ? '; `null` matches null' : ''
  return `${field.kind === 'list' ? 'One of them equals this' : 'Equal to this'}${text}${moment}${none}; repeats are alternatives.`
}

/** Both of a flag's values are no filter: it is asked for once. */
function filterParameter(filter: DescribedFilter): ParameterDescription {
  const { name, field, isContainment } = filter
  const one = isContainment ? { type: 'string' } : valueSchemaOf(field)
  const schema = field.kind === 'boolean' ? one : { type: 'array', items: one }
  return { name, in: 'query', about: filterAbout(filter), schema }
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

/** Objects may be skipped up to any number that JSON holds exactly. */
const offsetSchema = { type: 'integer', format: 'int64', minimum: 0 } as const

/**
 * Every parameter of a list read (specification: Query parameters of reads); with the registry, also those of related
 * objects.
 */
export function listParameters(resource: Resource, registry?: Registry): readonly ParameterDescription[] {
  const sortable = Object.keys(resource.fields).filter((name) => resource.fields[name]?.sort)
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
    { name: 'offset', in: 'query', about: 'Objects to skip.', schema: { ...offsetSchema, default: 0 } },
    ...filterParameters(resource, registry),
  ]
}

/** The search, the range and the filters of a list; with the registry, also those of related objects. */
export function filterParameters(resource: Resource, registry?: Registry): readonly ParameterDescription[] {
  return [
    { name: 'query', in: 'query', about: aboutSearch(resource), schema: { type: 'string' } },
    ...rangeParameters(resource),
    ...filtersOf(resource, registry).map(filterParameter),
  ]
}

/** The permission flags of the resource. */
export function flagsOf(resource: Resource): readonly string[] {
  return Object.keys(resource.permissions(anonymousCaller))
}

/** A field that answers do not have is described. */
function aboutSearch({ search, fields }: Resource): string {
  const names = search.map((name) => (fields[name]?.internal ? (fields[name].about ?? name) : name))
  return `Text search in: ${names.join(', ')}.`
}
