import { oneOf, type Row } from '../domain/condition.ts'
import { formatMoment } from '../domain/time.ts'
import type { Call } from './call.ts'
import type { Relation, Resource } from './declare.ts'
import type { Field, Fields } from './fields.ts'
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

function presenterOf(field: Field): (value: unknown, row: Row) => unknown {
  const { shown } = field
  if (shown !== undefined) return (value, row) => presentValue(field, shown(value, row))
  return field.kind === 'moment' || field.kind === 'list' || field.shape !== undefined
    ? (value) => presentValue(field, value)
    : (value) => value ?? null
}

/** A row with the wanted fields, in the order of the declaration. */
function presentFields(resource: Resource, names: readonly string[]): (row: Row) => Shown {
  const presenters = names.flatMap((name) => {
    const field = resource.fields[name]
    return field === undefined ? [] : [{ name, present: presenterOf(field) }]
  })
  return (row) => {
    const shown: Shown = {}
    for (const { name, present } of presenters) shown[name] = present(row[name], row)
    return shown
  }
}

function pick(value: unknown, names: readonly string[] | null): unknown {
  if (names === null || value === null || value === undefined) return value ?? null
  if (Array.isArray(value)) return value.map((element: unknown) => pick(element, names))
  return Object.fromEntries(names.map((name) => [name, (value as Shown)[name]]))
}

/** The related objects of all rows by their key, read in one further query; unreadable ones are missing. */
async function readRelated(
  relation: Relation,
  call: Call,
  rows: readonly Row[],
  fields: readonly string[] | null,
): Promise<ReadonlyMap<unknown, Shown>> {
  const target = call.registry.get(relation.to)
  const keys = [...new Set(rows.map((row) => row[relation.by]))].filter((key) => key !== null && key !== undefined)
  if (keys.length === 0) return new Map()
  const names = fields ?? shownFields(target)
  const page = await readPage(target, call, {
    where: oneOf(relation.key, keys as (string | number)[]),
    sort: [],
    limit: keys.length + 1,
    offset: 0,
    columns: [...names, relation.key],
    flags: [],
  })
  const present = presentFields(target, names)
  return new Map(page.rows.map((row) => [row[relation.key], present(row)]))
}

type Attach = (shown: Shown, row: Row) => void

async function attachmentOf(resource: Resource, call: Call, rows: readonly Row[], embed: Embed): Promise<Attach> {
  const { name, fields } = embed
  const relation = resource.relations[name]
  if (relation === undefined) {
    return (shown, row) => {
      shown[name] = pick(row[name], fields)
    }
  }
  const related = await readRelated(relation, call, rows, fields)
  return (shown, row) => {
    shown[name] = related.get(row[relation.by]) ?? null
  }
}

/** What a read request needs of the rows: columns and permission flags. */
export function needsOf(resource: Resource, call: Call, request: ReadRequest): { columns: string[]; flags: string[] } {
  const columns = new Set(request.fields)
  let flags: string[] = []
  for (const { name, fields } of request.embeds) {
    const relation = resource.relations[name]
    if (name === 'permissions') flags = [...(fields ?? Object.keys(resource.permissions(call.caller)))]
    else columns.add(relation === undefined ? name : relation.by)
  }
  return { columns: [...columns], flags }
}

/** Shapes rows into what the caller asked for: chosen fields, moments as text, embedded objects (null where unreadable). */
export async function present(
  resource: Resource,
  call: Call,
  request: ReadRequest,
  rows: readonly Row[],
): Promise<readonly Shown[]> {
  const attachments = await Promise.all(request.embeds.map((embed) => attachmentOf(resource, call, rows, embed)))
  const presentRow = presentFields(resource, request.fields)
  return rows.map((row) => {
    const shown = presentRow(row)
    for (const attach of attachments) attach(shown, row)
    return shown
  })
}
