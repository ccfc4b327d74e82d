import type { Resource, Variants } from './declare.ts'
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

export const maximumInteger = 2 ** 31 - 1

/** Marks a schema that becomes a component of the document, with a reference in its place (`named-schemas.ts`). */
export const componentKey = 'x-component'

/** In a name of a component: that of the enumeration which it refers to. */
export const enumerationName = '*'

/** The schema as a component of the document; the same name always stands for the same schema. */
export function named(name: string, schema: Schema): Schema {
  return { ...schema, [componentKey]: name }
}

/** A JSON Schema that points to a component of the document. */
export function reference(component: string): Schema {
  return { $ref: `#/components/schemas/${component}` }
}

/** Whether values are written by a caller, or shown to one: an object that is shown has all its members. */
type Side = 'written' | 'shown'

function defined(members: Readonly<Record<string, unknown>>): Schema {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== false))
}

function constraints(field: Field): Schema {
  const isNumber = field.kind === 'integer' || field.kind === 'decimal'
  const isText = field.kind === 'text'
  return defined({
    minimum: isNumber ? field.minimum : undefined,
    maximum: isNumber ? (field.maximum ?? (field.kind === 'integer' ? maximumInteger : undefined)) : undefined,
    minLength: isText && field.emptyFor === undefined ? field.minimumLength : undefined,
    maxLength: isText ? field.maximumLength : undefined,
    maxItems: field.kind === 'list' ? field.maximumLength : undefined,
    pattern: isText ? field.pattern?.source : undefined,
    enum: field.oneOf === undefined ? undefined : field.nullable ? [...field.oneOf, null] : field.oneOf,
  })
}

function formatOf({ kind, maximum = maximumInteger }: Field): string | undefined {
  if (kind === 'moment') return 'date-time'
  return kind === 'integer' && maximum > maximumInteger ? 'int64' : undefined
}

/** The JSON Schema (2020-12, as OpenAPI 3.1 has it) of one field. */
export function schemaOf(field: Field, side: Side = 'written'): Schema {
  const type = field.kind === 'json' ? undefined : wireTypes[field.kind]
  return defined({
    ...field.schema?.[side],
    ...(field.shape === undefined ? {} : objectSchema(field.shape, side)),
    ...(field.members === undefined ? {} : { type: 'object', additionalProperties: schemaOf(field.members, side) }),
    ...(type === undefined ? {} : { type: field.nullable ? [type, 'null'] : type }),
    format: formatOf(field),
    description: field.about,
    deprecated: field.deprecated,
    readOnly: field.readOnly,
    writeOnly: field.writeOnly,
    ...constraints(field),
    items: field.of === undefined ? undefined : schemaOf(field.of, side),
    example: field.schema?.[side]['example'] ?? field.example,
  })
}

/**
 * A value of the field's type and its choice, without the limits of stored values: a moment may also be written in
 * other ways.
 */
export function valueSchemaOf(field: Field): Schema {
  const { kind, oneOf, of } = field
  if (kind === 'list') return of === undefined ? { type: 'string' } : valueSchemaOf(of)
  const type = kind === 'json' ? 'string' : wireTypes[kind]
  // Numbers that no object has can be asked for all the same.
  return defined({ type, format: kind === 'integer' ? 'int64' : undefined, enum: oneOf })
}

/** An object with these members; those marked so are required, and all of an object that is shown. */
export function objectSchema(fields: Fields, side: Side = 'written'): Schema {
  const required = Object.keys(fields).filter((name) => side === 'shown' || fields[name]?.required)
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field, side)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** Linters close what does not say that it is open. */
const open = { unevaluatedProperties: true } as const

/**
 * The form of a member that depends on another member's value, for validators. Generators ignore it and see all forms
 * in one.
 */
export function conditionsOf({ by, of, shapes }: Variants, side: Side): Schema {
  const chain = Object.entries(shapes).reduceRight<Schema>(
    (otherwise, [value, shape]) => ({
      if: { ...open, properties: { [by]: { const: value } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { ...open, properties: { [of]: shape[side] } },
      ...(Object.keys(otherwise).length === 0 ? {} : { else: otherwise }),
    }),
    {},
  )
  return { dependentSchemas: { [by]: chain } }
}

const sampleMoment = '2026-11-21T11:13:00Z'

/** A value that fulfils the field's schema. */
export function exampleOf(field: Field, side: Side = 'written'): unknown {
  const own = field.schema?.[side]['example']
  if (own !== undefined) return own
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

/** The JSON Schema of an answer, with an example of the whole. */
export function answerSchemaOf(field: Field): Schema {
  return { ...schemaOf(field), example: exampleOf(field) }
}

/** The JSON Schema of an object that is shown whole, with an example. */
export function shownSchemaOf(fields: Fields): Schema {
  const example = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, exampleOf(field, 'shown')]))
  return { ...objectSchema(fields, 'shown'), example }
}

function shown(resource: Resource): Fields {
  const entries = Object.entries(resource.fields).filter(([, field]) => !field.internal && !field.writeOnly)
  return Object.fromEntries(entries)
}

/**
 * The component's name for the permission flags. It differs from the member `permissions`, from which generators also
 * make a name.
 */
export function permissionsComponent(component: string): string {
  return `permissions_of_${component}`
}

function embedded(resource: Resource, name: string, componentOf: (name: string) => string): Schema | undefined {
  const relation = resource.relations[name]
  const only = `Only with \`embed=${name}\``
  if (name === 'permissions')
    return { ...reference(permissionsComponent(componentOf(resource.name))), description: `${only}.` }
  if (relation === undefined) return undefined
  const object = reference(componentOf(relation.to))
  if (relation.isAlwaysReadable) return { ...object, description: `${only}.` }
  return { anyOf: [object, { type: 'null' }], description: `${only}; null when the caller may not read it.` }
}

/** The example of an object: every field that is shown unless others are asked for. */
function objectExample(resource: Resource): Schema {
  const always = Object.entries(shown(resource)).filter(([, field]) => !field.embedOnly)
  return Object.fromEntries(always.map(([name, field]) => [name, exampleOf(field, 'shown')]))
}

function shownSchema(name: string, field: Field): Schema {
  if (!field.embedOnly) return schemaOf(field, 'shown')
  const about = [`Only with \`embed=${name}\`.`, field.about ?? ''].join(' ').trimEnd()
  return schemaOf({ ...field, about }, 'shown')
}

/** The component of a resource's objects: everything that can be shown; embedded objects only when asked for. */
export function resourceSchema(resource: Resource, componentOf: (name: string) => string): Schema {
  const fields = shown(resource)
  const embeds = resource.embed.flatMap((name) => {
    const schema = embedded(resource, name, componentOf)
    return schema === undefined ? [] : [[name, schema]]
  })
  const example = objectExample(resource)
  // Linters take what has a type and a default for a schema.
  const isLikeSchema = 'type' in example && 'default' in example
  return {
    type: 'object',
    description: resource.about,
    properties: {
      ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, shownSchema(name, field)])),
      ...Object.fromEntries(embeds),
    },
    required: Object.keys(example),
    ...(resource.variants === null ? {} : conditionsOf(resource.variants, 'shown')),
    ...(isLikeSchema ? {} : { example }),
  }
}
