import { formatMoment } from '../domain/calendars/time.ts'
import { type Column, type Columns, columnsOf } from '../domain/queries/columns.ts'
import { oneOf, type Row } from '../domain/queries/condition.ts'
import { inReadingOrder } from '../domain/text/one-line.ts'
import type { Call } from './call.ts'
import type { Relation, Resource } from './declare.ts'
import type { Field, Fields } from './fields.ts'
import { jsonOfRows, type Member } from './json-bytes.ts'
import { opensFor } from './keys.ts'
import { momentTexts } from './moment-texts.ts'
import { type Embed, type ReadRequest, shownFields } from './query.ts'
import { readPage } from './select.ts'

type Shown = Record<string, unknown>

/** jsonb forgets the order of its members; the declaration has it. */
function presentObject(shape: Fields, value: Shown): Shown {
  return Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, presentValue(part, value[name])]))
}

/** One value as the interface shows it. */
export function presentValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (field.kind === 'moment') return formatMoment(Number(value))
  const { of, shape } = field
  if (of !== undefined && (of.kind === 'moment' || of.shape !== undefined) && Array.isArray(value)) {
    return value.map((element: unknown) => presentValue(of, element))
  }
  return shape === undefined ? value : presentObject(shape, value as Shown)
}

/** A text that is read and written as one line (`readText` of input.ts). */
function isLine({ kind, multiline, oneOf: allowed }: Field): boolean {
  return kind === 'text' && multiline !== true && allowed === undefined
}

/** As input takes it, so that what was read can be written back. */
function lineOf(value: unknown): unknown {
  return typeof value === 'string' ? inReadingOrder(value) : (value ?? null)
}

function presented(name: string, field: Field, page: Columns, { language, baseUrl }: Call): Column {
  const [at, { shown, needs = [] }] = [page.column(name), field]
  if (shown !== undefined) {
    const rowAt = page.rows([name, ...needs])
    return (place) => presentValue(field, shown(at(place), rowAt(place), language, baseUrl))
  }
  if (field.kind === 'moment') return momentTexts(at)
  if (isLine(field)) return (place) => lineOf(at(place))
  const isPlain = field.kind !== 'list' && field.shape === undefined
  return isPlain ? (place) => at(place) ?? null : (place) => presentValue(field, at(place))
}

/** The wanted fields, in the order of the declaration. */
function fieldMembers(resource: Resource, names: readonly string[], page: Columns, call: Call): readonly Member[] {
  return names.flatMap((name) => {
    const field = resource.fields[name]
    return field === undefined ? [] : [{ name, at: presented(name, field, page, call) }]
  })
}

/** Members whose values are read in a query of their own. The page has the objects' `id`. */
async function attachedMembers(
  resource: Resource,
  call: Call,
  names: readonly string[],
  page: Columns,
): Promise<readonly Member[]> {
  const members: Member[] = []
  for (const name of names) {
    const field = resource.fields[name]
    if (field?.attached === undefined || page.length === 0) continue
    const id = page.column('id')
    const keys = Array.from({ length: page.length }, (_none, place) => Number(id(place)))
    const values = await field.attached(call.database, keys, call.nowAt)
    const valueAt = (place: number) => {
      const value = values.get(keys[place] ?? 0) ?? null
      return presentValue(field, field.shown?.(value, {}, call.language, call.baseUrl) ?? value)
    }
    members.push({ name, at: valueAt })
  }
  return members
}

/** The wanted fields, in the order of the declaration, wherever they are read. */
async function allMembers(
  resource: Resource,
  call: Call,
  names: readonly string[],
  page: Columns,
): Promise<readonly Member[]> {
  const attached = new Map((await attachedMembers(resource, call, names, page)).map((member) => [member.name, member]))
  return fieldMembers(resource, names, page, call).map((member) => attached.get(member.name) ?? member)
}

function objectsOf(members: readonly Member[], count: number): readonly Shown[] {
  return Array.from({ length: count }, (_none, place) => {
    const shown: Shown = {}
    for (const { name, at } of members) shown[name] = at(place)
    return shown
  })
}

function pick(value: unknown, names: readonly string[] | null): unknown {
  if (names === null || value === null || value === undefined) return value ?? null
  if (Array.isArray(value)) return value.map((element: unknown) => pick(element, names))
  return Object.fromEntries(names.map((name) => [name, (value as Shown)[name]]))
}

/** The related objects by their key, read in one further query; unreadable ones are missing. */
async function readRelated(
  relation: Relation,
  call: Call,
  related: Column,
  { rows, fields }: { readonly rows: number; readonly fields: readonly string[] | null },
): Promise<ReadonlyMap<unknown, Shown>> {
  const target = call.registry.get(relation.to)
  if (!opensFor(call.caller, target, call.registry)) return new Map()
  const keys = new Set(Array.from({ length: rows }, (_none, place) => related(place) ?? null))
  keys.delete(null)
  if (keys.size === 0) return new Map()
  const names = fields ?? shownFields(target)
  const { page } = await readPage(target, call, {
    where: oneOf(relation.key, [...keys] as (string | number)[]),
    sort: [],
    limit: keys.size + 1,
    offset: 0,
    columns: [...names, relation.key],
    flags: [],
  })
  const key = page.column(relation.key)
  const objects = objectsOf(await allMembers(target, call, names, page), page.length)
  return new Map(objects.map((object, place) => [key(place), object]))
}

async function embeddedMember(resource: Resource, call: Call, page: Columns, embed: Embed): Promise<Member> {
  const { name, fields } = embed
  const relation = resource.relations[name]
  const at = page.column(relation?.by ?? name)
  if (relation === undefined) {
    const [attached] = await attachedMembers(resource, call, [name], page)
    return { name, at: (place) => pick((attached?.at ?? at)(place), fields) }
  }
  const related = await readRelated(relation, call, at, { rows: page.length, fields })
  return { name, at: (place) => related.get(at(place)) ?? null }
}

async function membersOf(
  resource: Resource,
  call: Call,
  request: ReadRequest,
  page: Columns,
): Promise<readonly Member[]> {
  const embedded = await Promise.all(request.embeds.map((embed) => embeddedMember(resource, call, page, embed)))
  const members = new Map(
    (await allMembers(resource, call, request.fields, page)).map((member) => [member.name, member]),
  )
  for (const member of embedded) members.set(member.name, member)
  return [...members.values()]
}

/** The columns and permission flags that a read request needs. */
export function needsOf(resource: Resource, call: Call, request: ReadRequest): { columns: string[]; flags: string[] } {
  const columns = new Set(request.fields)
  if (request.fields.some((name) => resource.fields[name]?.attached !== undefined)) columns.add('id')
  let flags: string[] = []
  for (const { name, fields } of request.embeds) {
    const relation = resource.relations[name]
    if (name === 'permissions') flags = [...(fields ?? Object.keys(resource.permissions(call.caller)))]
    else columns.add(relation === undefined ? name : relation.by)
  }
  return { columns: [...columns], flags }
}

/** Shapes a row for the request: chosen fields, moments as text, embedded objects (null if unreadable). */
export async function present(resource: Resource, call: Call, request: ReadRequest, row: Row): Promise<Shown> {
  const [shown = {}] = objectsOf(await membersOf(resource, call, request, columnsOf([row])), 1)
  return shown
}

/** Shapes the rows of a page in the same way, as a JSON array. */
export async function presentPage(
  resource: Resource,
  call: Call,
  request: ReadRequest,
  page: Columns,
): Promise<Buffer> {
  return jsonOfRows(await membersOf(resource, call, request, page), page.length)
}
