import { componentKey, enumerationName, reference, type Schema } from './schemas.ts'

type Json = Readonly<Record<string, unknown>>
type Change = (schema: Json, name: string) => Json

interface Document extends Json {
  readonly components: Json & { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Keys whose values are not schemas. */
const opaque = new Set(['example', 'examples', 'default', 'const', 'enum', 'required'])

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Every object below with the change applied, members first. `name` is that of the property or parameter which it
 * describes.
 */
function mapped(value: unknown, change: Change, name = '', isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => mapped(element, change, name))
  if (!isObject(value)) return value
  const own = typeof value['name'] === 'string' && isObject(value['schema']) ? value['name'] : name
  const members = Object.entries(value).map(([key, member]) => {
    if (isProperties) return [key, mapped(member, change, key)]
    return [key, opaque.has(key) ? member : mapped(member, change, own, key === 'properties')]
  })
  const copy = Object.fromEntries(members) as Json
  return isProperties ? copy : change(copy, own)
}

function withSchemas(document: Document, change: Change, added: ReadonlyMap<string, Schema>): Document {
  const { components, ...rest } = mapped(document, change) as Document
  const sorted = [...added].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [name] of sorted)
    if (Object.hasOwn(components.schemas, name)) throw new Error(`Two schemas of the document are called ${name}.`)
  return { ...rest, components: { ...components, schemas: { ...components.schemas, ...Object.fromEntries(sorted) } } }
}

/** Each marked schema as a component. */
function withMarked(document: Document): Document {
  const marked = new Map<string, Schema>()
  const change: Change = ({ [componentKey]: mark, ...schema }) => {
    if (typeof mark !== 'string') return schema
    const name = mark.replace(enumerationName, /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(schema))?.[1] ?? '')
    const known = marked.get(name) ?? schema
    if (JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`${name} is described in two ways.`)
    marked.set(name, schema)
    return reference(name)
  }
  mapped(document, change)
  return withSchemas(document, change, marked)
}

interface Enumeration {
  readonly type: unknown
  readonly values: readonly unknown[]
  /** How many properties and parameters have these values, by name. */
  readonly uses: Map<string, number>
}

const withoutNull = (values: unknown) => (values as readonly unknown[]).filter((value) => value !== null)
const keyOf = (values: unknown) => JSON.stringify(withoutNull(values))

/** `notification_channel_ids` and `owner.language_id` hold a `notification_channel_id` and a `language_id`. */
function valueName(name: string): string {
  const own = name.slice(name.lastIndexOf('.') + 1)
  return own.endsWith('_ids') ? own.slice(0, -1) : own
}

function enumerationsOf(document: Document): ReadonlyMap<string, Enumeration> {
  const found = new Map<string, Enumeration>()
  mapped(document, (schema, name) => {
    const { enum: values, type } = schema
    if (!Array.isArray(values)) return schema
    const base: unknown = Array.isArray(type) ? type.find((one) => one !== 'null') : type
    const entry = found.get(keyOf(values)) ?? { type: base, values: withoutNull(values), uses: new Map() }
    found.set(keyOf(values), entry)
    entry.uses.set(valueName(name), (entry.uses.get(valueName(name)) ?? 0) + 1)
    return schema
  })
  return found
}

/** The name that most have; the first of the alphabet where as many have another. */
function usualName({ uses }: Enumeration): string {
  const [first] = [...uses].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return first?.[0] ?? ''
}

/** The values tell enumerations apart whose properties have the same name, or the name of another component. */
function nameOf(enumeration: Enumeration, others: Iterable<Enumeration>, taken: Json): string {
  const name = usualName(enumeration)
  const isShared = [...others].some((other) => other !== enumeration && other.uses.has(name))
  const parts = isShared || Object.hasOwn(taken, name) ? [name, ...enumeration.values.slice(0, 3)] : [name]
  return parts.join('_').toLowerCase().replaceAll(/\W+/g, '_')
}

/** Each set of values as a component: generators make one type of it, however often it is used. */
function withEnumerations(document: Document): Document {
  const found = enumerationsOf(document)
  const names = new Map(
    [...found].map(([key, one]) => [key, nameOf(one, found.values(), document.components.schemas)] as const),
  )
  if (new Set(names.values()).size < names.size) throw new Error('Two enumerations of the document have one name.')
  const added = [...found].map(([key, { type, values }]) => [names.get(key) ?? '', { type, enum: values }] as const)
  const change: Change = (schema) => {
    const { type: _type, enum: values, ...beside } = schema
    if (!Array.isArray(values)) return schema
    const known = reference(names.get(keyOf(values)) ?? '')
    return values.includes(null) ? { anyOf: [known, { type: 'null' }], ...beside } : { ...known, ...beside }
  }
  return withSchemas(document, change, new Map(added))
}

/** Members that describe the value, whatever its type. */
const annotations = new Set(['description', 'example', 'default', 'readOnly', 'writeOnly', 'deprecated'])

/** Objects that may be null as alternatives: openapi-generator takes those of two types for never null. */
function withNullableObjects(document: Document): Document {
  const change: Change = (schema) => {
    const { type, ...others } = schema
    if (!Array.isArray(type) || type.length !== 2 || !type.includes('object') || !type.includes('null')) return schema
    const members = Object.entries(others)
    const shape = Object.fromEntries(members.filter(([name]) => !annotations.has(name)))
    const beside = Object.fromEntries(members.filter(([name]) => annotations.has(name)))
    return { anyOf: [{ type: 'object', ...shape }, { type: 'null' }], ...beside }
  }
  return mapped(document, change) as Document
}

/** The document with a component for each schema that is marked as one, and for each set of values. */
export function withNamedSchemas(document: Document): Document {
  return withNullableObjects(withMarked(withEnumerations(document)))
}
