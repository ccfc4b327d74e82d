import { isObject } from '../domain/input/json.ts'
import type { Schema } from '../rest/schemas.ts'
import { cleanText } from './clean-text.ts'

/**
 * The form of a part of a result, derived from a declaration. It says which texts are the program's own words; every
 * other text may come from a checked site or from a person, and is marked as untrusted.
 */
export type Shape =
  | { readonly kind: 'own'; readonly schema: Schema }
  | { readonly kind: 'untrusted'; readonly about: string | undefined }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, Shape>> }

/** How much of long values a result shows. */
export interface Cut {
  readonly characters: number
  readonly elements: number
  /** Called for a list whose end is left out. */
  readonly onCut?: () => void
}

/** Identifiers that the program makes of numbers. */
const ownIdentifier = /(^|_)(analysis|change)_id$/

const sourceKeys = ['type', 'format', 'enum', 'description', 'minimum', 'maximum'] as const

function ownSchema(schema: Schema): Schema {
  return Object.fromEntries(
    sourceKeys.flatMap((key) => {
      const { [key]: value } = schema
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

function typesOf({ type }: Schema): readonly unknown[] {
  return Array.isArray(type) ? type : [type]
}

/** The shape of what a JSON Schema describes. `isOwn`: all its texts are the program's, as those of a catalogue. */
export function shapeOf(schema: Schema, name: string, isOwn = false): Shape {
  const types = typesOf(schema)
  const { properties, items, description } = schema
  if (types.includes('array') && isObject(items)) return { kind: 'list', of: shapeOf(items, name, isOwn) }
  if (types.includes('object') && isObject(properties)) {
    const members = Object.entries(properties).flatMap(([key, inner]) =>
      isObject(inner) ? [[key, shapeOf(inner, key, isOwn)] as const] : [],
    )
    return { kind: 'object', members: Object.fromEntries(members) }
  }
  const isOpen = types.some((type) => type === undefined || type === 'object' || type === 'array')
  const isText = types.includes('string')
  const isKnown = isOwn || schema['enum'] !== undefined || schema['format'] === 'date-time' || ownIdentifier.test(name)
  if (isOpen || (isText && !isKnown))
    return { kind: 'untrusted', about: typeof description === 'string' ? description : undefined }
  return { kind: 'own', schema: ownSchema(schema) }
}

/** The JSON Schema of a result of this shape. Every part may be null. */
export function schemaOfShape(shape: Shape): Schema {
  switch (shape.kind) {
    case 'own': {
      const { type, enum: values, ...rest } = shape.schema
      const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null')
      const choice = Array.isArray(values) ? { enum: [...values.filter((one) => one !== null), null] } : {}
      return { ...rest, ...choice, type: [...types, 'null'] }
    }
    case 'untrusted':
      return {
        type: ['object', 'null'],
        ...(shape.about === undefined ? {} : { description: shape.about }),
        properties: { untrusted: { type: 'string' }, characters: { type: 'integer' } },
        required: ['untrusted'],
      }
    case 'list':
      return { type: ['array', 'null'], items: schemaOfShape(shape.of) }
    case 'object':
      return {
        type: ['object', 'null'],
        properties: Object.fromEntries(
          Object.entries(shape.members).map(([name, member]) => [name, schemaOfShape(member)]),
        ),
      }
  }
}

/** A marked text. `characters` is its whole length, if it was cut. */
export interface Untrusted {
  readonly untrusted: string
  readonly characters?: number
}

/** Marks a text, or any other value as its JSON text. Nothing in it can end the mark: it is one string. */
export function untrusted(value: unknown, { characters }: Pick<Cut, 'characters'>): Untrusted {
  const text = cleanText(typeof value === 'string' ? value : JSON.stringify(value))
  const whole = [...text.slice(0, 2 * characters + 2)]
  if (whole.length <= characters) return { untrusted: text }
  return { untrusted: whole.slice(0, characters).join(''), characters: text.length }
}

/** The value in this shape: cut, cleaned and marked. Unknown members are left out. */
export function shaped(shape: Shape, value: unknown, cut: Cut): unknown {
  if (value === null || value === undefined) return null
  switch (shape.kind) {
    case 'own':
      return typeof value === 'object' ? null : value
    case 'untrusted':
      return untrusted(value, cut)
    case 'list':
      if (!Array.isArray(value)) return null
      if (value.length > cut.elements) cut.onCut?.()
      return value.slice(0, cut.elements).map((one) => shaped(shape.of, one, cut))
    case 'object':
      if (!isObject(value)) return null
      return Object.fromEntries(
        Object.entries(shape.members).flatMap(([name, member]) =>
          Object.hasOwn(value, name) ? [[name, shaped(member, value[name], cut)]] : [],
        ),
      )
  }
}
