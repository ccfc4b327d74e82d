import type { Resource } from './declare.ts'
import type { Field, Fields } from './fields.ts'

export type Schema = Readonly<Record<string, unknown>>

const wireTypes = {
  integer: 'integer',
  decimal: 'number',
  text: 'string',
  boolean: 'boolean',
  moment: 'string',
  list: 'array',
  object: 'object',
} as const

const maximumInteger = 2 ** 31 - 1

function defined(members: Readonly<Record<string, unknown>>): Schema {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== false))
}

function constraints(field: Field): Schema {
  const isNumber = field.kind === 'integer' || field.kind === 'decimal'
  const isText = field.kind === 'text'
  return defined({
    minimum: isNumber ? field.minimum : undefined,
    maximum: isNumber ? (field.maximum ?? (field.kind === 'integer' ? maximumInteger : undefined)) : undefined,
    minLength: isText ? field.minimumLength : undefined,
    maxLength: isText ? field.maximumLength : undefined,
    maxItems: field.kind === 'list' ? field.maximumLength : undefined,
    pattern: isText ? field.pattern?.source : undefined,
    enum: field.oneOf === undefined ? undefined : field.nullable ? [...field.oneOf, null] : field.oneOf,
  })
}

/** The JSON Schema (2020-12, as OpenAPI 3.1 has it) of one field. */
export function schemaOf(field: Field): Schema {
  const type = field.kind === 'json' ? undefined : wireTypes[field.kind]
  return defined({
    ...(field.shape === undefined ? {} : objectSchema(field.shape)),
    type: field.nullable && type !== undefined ? [type, 'null'] : type,
    format: field.kind === 'moment' ? 'date-time' : undefined,
    description: field.about,
    deprecated: field.deprecated,
    readOnly: field.readOnly,
    writeOnly: field.writeOnly,
    ...constraints(field),
    items: field.of === undefined ? undefined : schemaOf(field.of),
    example: field.example,
  })
}

/** An object with these members; the required ones are those marked so. */
export function objectSchema(fields: Fields): Schema {
  const required = Object.keys(fields).filter((name) => fields[name]?.required)
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

const sampleMoment = '2026-11-21T11:13:00Z'

/** A value that fulfils the field's schema. */
export function exampleOf(field: Field): unknown {
  if (field.example !== undefined) return field.example
  switch (field.kind) {
    case 'integer':
    case 'decimal':
      return field.oneOf?.[0] ?? Math.max(1, field.minimum ?? 1)
    case 'text':
      return field.oneOf?.[0] ?? 'text'
    case 'boolean':
      return true
    case 'moment':
      return sampleMoment
    case 'list':
      return field.of === undefined ? [] : [exampleOf(field.of)]
    case 'object':
      return Object.fromEntries(Object.entries(field.shape ?? {}).map(([name, part]) => [name, exampleOf(part)]))
    case 'json':
      return null
  }
}

function shown(resource: Resource): Fields {
  const entries = Object.entries(resource.fields).filter(([, field]) => !field.internal && !field.writeOnly)
  return Object.fromEntries(entries)
}

/** The component of a resource's objects: everything that can be shown; embedded objects only when asked for. */
export function resourceSchema(resource: Resource, componentOf: (name: string) => string): Schema {
  const fields = shown(resource)
  const embeds = resource.embed.flatMap((name) => {
    const relation = resource.relations[name]
    if (relation === undefined && name !== 'permissions') return []
    const component = relation === undefined ? `${componentOf(resource.name)}_permissions` : componentOf(relation.to)
    const schema = { anyOf: [{ $ref: `#/components/schemas/${component}` }, { type: 'null' }] }
    return [[name, { ...schema, description: `Only with \`embed=${name}\`; null when the caller may not read it.` }]]
  })
  const always = Object.entries(fields).filter(([, field]) => !field.embedOnly)
  return {
    type: 'object',
    description: resource.about,
    properties: {
      ...Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name, schemaOf({ ...field, required: false })]),
      ),
      ...Object.fromEntries(embeds),
    },
    example: Object.fromEntries(always.map(([name, field]) => [name, exampleOf(field)])),
  }
}
