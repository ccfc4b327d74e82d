import { fileKeyPattern, managedByPattern } from '../domain/configuration/managed-key.ts'
import { isObject } from '../domain/input/json.ts'
import type { ConfiguredReference } from '../rest/configuration.ts'
import { componentKey, type Schema, schemaOf } from '../rest/schemas.ts'
import type { Kind, Model } from './model.ts'

/** The JSON Schema of files, by which editors complete and check them. Editors know draft 7 best. */

type Definitions = Map<string, Schema>

/** The place of a named schema. Beside a reference draft 7 hears nothing, so what was there goes around it. */
function referenceTo(name: string): Schema {
  return { $ref: `#/definitions/${name}` }
}

/** Names as `definitions`, and examples as draft 7 has them. */
function inDraft7(schema: unknown, definitions: Definitions): unknown {
  if (Array.isArray(schema)) return schema.map((one: unknown) => inDraft7(one, definitions))
  if (!isObject(schema)) return schema
  const { [componentKey]: name, example, writeOnly: _writeOnly, ...rest } = schema
  const members = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'enum' ? value : inDraft7(value, definitions),
  ])
  const own: Schema = Object.fromEntries(members)
  if (typeof name !== 'string') return example === undefined || example === null ? own : { ...own, examples: [example] }
  definitions.set(name, own)
  return referenceTo(name)
}

function namedSchema({ to, by, isOpen }: ConfiguredReference, isNullable: boolean): Schema {
  const what = to.replaceAll('_', ' ')
  if (by !== undefined) return { type: 'string', description: `Key or ${by} of one of the ${what}.` }
  return {
    type: ['string', 'integer', ...(isNullable ? ['null'] : [])],
    description:
      isOpen === true
        ? `Name or number of one of the ${what}.`
        : `Key of one of the ${what}, or the number of one that no file has.`,
  }
}

/** The schema with the form of a name at the place of the path. */
function withName(schema: Schema, way: readonly string[], reference: ConfiguredReference): Schema {
  const { properties, items, type } = schema as { properties?: Schema; items?: Schema; type?: unknown }
  if (items !== undefined)
    return { ...schema, items: withName(items, way, reference), examples: undefined, example: undefined }
  const [head, ...rest] = way
  if (head === undefined) {
    const { description = '' } = schema as { description?: string }
    const named = namedSchema(reference, Array.isArray(type) && type.includes('null'))
    return { ...named, description: [description, String(named['description'])].join(' ').trim() }
  }
  const below = properties?.[head]
  if (below === undefined) return schema
  return {
    ...schema,
    example: undefined,
    properties: { ...properties, [head]: withName(below as Schema, rest, reference) },
  }
}

function objectSchema(kind: Kind, definitions: Definitions): Schema {
  const fields = Object.entries(kind.members)
  let schema: Schema = {
    type: 'object',
    description: kind.about,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)])),
  }
  for (const [path, reference] of Object.entries(kind.configuration.references ?? {})) {
    schema = withName(schema, path.split('.'), reference)
  }
  const required = fields.flatMap(([name, { required: is, emptyFor }]) => (is && emptyFor === undefined ? [name] : []))
  const parts = Object.entries(kind.parts).map(([member, part]) => [member, mapSchema(part, definitions)])
  const {
    properties,
    example: _example,
    ...rest
  } = inDraft7(schema, definitions) as { properties: Schema; example?: unknown }
  return {
    ...rest,
    properties: { ...properties, ...settingsMember(kind), ...Object.fromEntries(parts), adopt },
    ...(required.length === 0 ? {} : { required }),
    ...(kind.variants === null ? {} : { allOf: variantsOf(kind, definitions) }),
    additionalProperties: false,
  }
}

const adopt = {
  type: ['integer', 'string'],
  description: 'The number of an object that is taken over, unless one has the key; `my_default_group` of groups.',
}

/** A member whose form another one decides has none of its own: an editor would offer every form. */
function settingsMember({ variants, members }: Kind): Schema {
  if (variants === null) return {}
  return { [variants.of]: { type: 'object', description: members[variants.of]?.about ?? '' } }
}

function variantsOf({ variants }: Kind, definitions: Definitions): readonly Schema[] {
  if (variants === null) return []
  const { by, of, shapes } = variants
  return Object.entries(shapes).map(([value, { written }]) => {
    const name = String(written[componentKey] ?? value)
    definitions.set(name, {
      ...(inDraft7({ ...written, [componentKey]: undefined }, definitions) as Schema),
      additionalProperties: false,
    })
    return {
      if: { properties: { [by]: { const: value } }, required: [by] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { properties: { [of]: referenceTo(name) } },
    }
  })
}

const keys = { pattern: fileKeyPattern.source }

function mapSchema(kind: Kind, definitions: Definitions): Schema {
  definitions.set(kind.name, objectSchema(kind, definitions))
  return {
    ...{ type: ['object', 'null'], description: kind.about, propertyNames: keys },
    additionalProperties: referenceTo(kind.name),
  }
}

export function configurationSchema(model: Model): Schema {
  const definitions: Definitions = new Map()
  const kinds = model.kinds.map((kind) => [kind.name, mapSchema(kind, definitions)])
  const moved = {
    type: 'object',
    required: ['kind', 'from', 'to'],
    additionalProperties: false,
    properties: { kind: { enum: model.all.map(({ name }) => name) }, from: { type: 'string' }, to: { type: 'string' } },
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of Latarnik',
    type: 'object',
    required: ['version'],
    properties: {
      version: { const: 1 },
      managed_by: {
        type: 'string',
        pattern: managedByPattern.source,
        description: 'The mark of the configuration; default `latarnik`.',
      },
      moved: { type: 'array', description: 'Objects that have a new key.', items: moved },
      ...Object.fromEntries(kinds),
    },
    patternProperties: { '^x-': {} },
    additionalProperties: false,
    definitions: Object.fromEntries([...definitions].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  }
}
