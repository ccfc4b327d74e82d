import type { Answer } from '../rest/call.ts'
import type { Schema } from '../rest/schemas.ts'
import { type Cut, type Shape, schemaOfShape, shaped } from './shapes.ts'

/** Bytes of the JSON of a result at most: some thousands of words for the model that reads it. */
const maximumBytes = 32_768

const cuts: readonly Pick<Cut, 'characters' | 'elements'>[] = [
  { characters: 1000, elements: 50 },
  { characters: 300, elements: 20 },
  { characters: 80, elements: 8 },
]
const usualCut: Cut = cuts[0] ?? { characters: 1000, elements: 50 }

export type ToolResult = Readonly<Record<string, unknown>>

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

const shortenedSchema: Schema = {
  type: 'boolean',
  description: 'True: long lists or texts are cut, because the result would be too large. Ask for less.',
}

/** The JSON Schema of the result of a read. */
export function readSchema(shape: Shape): Schema {
  return {
    type: 'object',
    properties: { found: schemaOfShape(shape), shortened: shortenedSchema },
    required: ['found', 'shortened'],
  }
}

/** An object in its shape, cut until it is small enough. */
export function toolResult(shape: Shape, value: unknown): ToolResult {
  let result: ToolResult = { found: null, shortened: true }
  for (const cut of cuts) {
    let isCut = cut !== cuts[0]
    const onCut = () => {
      isCut = true
    }
    const found = shaped(shape, value, { ...cut, onCut })
    result = { found, shortened: isCut }
    if (bytesOf(result) <= maximumBytes) return result
  }
  return { found: null, shortened: true }
}

/** The JSON Schema of a page of a list. */
export function pageSchema(shape: Shape): Schema {
  return {
    type: 'object',
    properties: {
      items: { type: 'array', items: schemaOfShape(shape) },
      total: { type: 'integer', description: 'All that match.' },
      next_offset: {
        type: ['integer', 'null'],
        description: 'There is more: call again with this `offset`. Null: these are the last.',
      },
      shortened: shortenedSchema,
    },
    required: ['items', 'total', 'next_offset', 'shortened'],
  }
}

/** A page of a list: as many of its items as there is room for. */
export function pageResult(
  shape: Shape,
  page: { items: readonly unknown[]; total: number; offset: number },
): ToolResult {
  const { total, offset } = page
  let isCut = false
  const onCut = () => {
    isCut = true
  }
  const items: unknown[] = []
  let left = maximumBytes - bytesOf({ items: [], total, next_offset: total, shortened: false })
  for (const item of page.items) {
    const shown = shaped(shape, item, { ...usualCut, onCut })
    left -= bytesOf(shown) + 1
    if (left < 0) break
    items.push(shown)
  }
  const [first] = page.items
  if (items.length === 0 && first !== undefined) {
    isCut = true
    items.push(toolResult(shape, first)['found'])
  }
  const end = offset + items.length
  return { items, total, next_offset: end < total && items.length > 0 ? end : null, shortened: isCut }
}

/** The body of an answer as JSON. */
export function bodyOf({ body, json }: Answer): unknown {
  return json === undefined ? body : JSON.parse(Buffer.from(json).toString('utf8'))
}
