import sql from 'sql-template-tag'
import type { StoredEvent } from '../../database/services/stream-events.ts'
import type { Columns } from '../../domain/queries/columns.ts'
import { all, always, type Condition, oneOf } from '../../domain/queries/condition.ts'
import { type EventReach, eventLines, type StreamEventKind, streamEventKinds } from '../../domain/stream-event.ts'
import type { Call } from '../../rest/call.ts'
import type { Resource } from '../../rest/declare.ts'
import { presentPage } from '../../rest/present.ts'
import { shownFields } from '../../rest/query.ts'
import { readPage } from '../../rest/select.ts'
import type { Language } from '../../wording/language.ts'

/** An event as it is written to those who may hear it. */
export interface ShownEvent extends EventReach {
  /** The id of the stored event. */
  readonly id: number
  readonly transaction: number
  /** The lines before `id`, in each language that somebody listens in. */
  readonly lines: ReadonlyMap<Language, Buffer>
}

interface Shape {
  readonly resource: string
  /** Which rows the events are of. */
  readonly where: (events: readonly StoredEvent[]) => Condition
  /** Tells the rows apart, as `keyOf` does the events. */
  readonly key: readonly string[]
  readonly keyOf: (event: StoredEvent) => string
}

const subjects = (events: readonly StoredEvent[]) => [...new Set(events.flatMap((event) => event.subject_id ?? []))]
const servicesOf = (events: readonly StoredEvent[]) => [...new Set(events.flatMap((event) => event.service_id ?? []))]
const ownersOf = (events: readonly StoredEvent[]) => [...new Set(events.flatMap((event) => event.owner_id ?? []))]

function byId(resource: string): Shape {
  return {
    resource,
    where: (events) => oneOf('id', subjects(events)),
    key: ['id'],
    keyOf: ({ subject_id }) => String(subject_id),
  }
}

function ofLog(resource: string): Shape {
  return {
    ...byId(resource),
    where: (events) => all(oneOf('account_id', ownersOf(events)), oneOf('id', subjects(events))),
  }
}

/** An event is told by the one resource that has its row. */
const shapes: Readonly<Record<StreamEventKind, readonly Shape[]>> = {
  service_status: [byId('service_statuses')],
  status_change: [
    {
      resource: 'status_changes',
      where: (events) => all(oneOf('service_id', servicesOf(events)), oneOf('change_key', subjects(events))),
      key: ['service_id', 'change_key'],
      keyOf: ({ service_id, subject_id }) => `${service_id} ${subject_id}`,
    },
  ],
  notification: [ofLog('logs/notifications'), ofLog('logs/contact_notifications')],
  report: [byId('reports')],
  sensor: [byId('sensors')],
}

interface ServiceFacts {
  readonly id: number
  readonly owner_id: number
  readonly group_id: number
  readonly tag_ids: readonly number[]
  readonly tags: readonly string[]
}

/**
 * Reads the present state of the events' objects, each resource in one query for everybody, and then their owners. A
 * group that a service has left meanwhile gets no event about it. Deleted objects are left out.
 */
export async function showEvents(
  call: Call,
  events: readonly StoredEvent[],
  languages: readonly Language[],
): Promise<readonly ShownEvent[]> {
  const written: WrittenEvent[] = []
  for (const kind of streamEventKinds) {
    const ofKind = latest(events.filter((event) => event.kind === kind))
    if (ofKind.length === 0) continue
    for (const shape of shapes[kind]) written.push(...(await writeKind(call, { kind, shape }, ofKind, languages)))
  }
  const services = await readServices(call, servicesOf(events))
  const parents = await readParents(call, ownersOf(events))
  return written
    .map(({ event, lines }) => ({ ...reachOf(event, services, parents), ...event, lines }))
    .toSorted((one, other) => one.id - other.id)
}

interface WrittenEvent {
  readonly event: StoredEvent
  readonly lines: ReadonlyMap<Language, Buffer>
}

function reachOf(
  { kind, owner_id, service_id }: StoredEvent,
  services: ReadonlyMap<number, ServiceFacts>,
  parents: ReadonlyMap<number, number | null>,
): EventReach {
  const service = service_id === null ? undefined : services.get(service_id)
  const ownerId = owner_id ?? service?.owner_id ?? null
  const parentId = ownerId === null ? null : (parents.get(ownerId) ?? null)
  const { group_id: groupId = null, tag_ids: tagIds = [], tags = [] } = service ?? {}
  return { kind, ownerId, parentId, groupId, tagIds, tags }
}

/** The state is read once: of several events that tell the same, the last stays. */
function latest(events: readonly StoredEvent[]): readonly StoredEvent[] {
  return [...new Map(events.map((event) => [`${event.service_id} ${event.subject_id}`, event])).values()]
}

async function writeKind(
  call: Call,
  { kind, shape }: { readonly kind: StreamEventKind; readonly shape: Shape },
  events: readonly StoredEvent[],
  languages: readonly Language[],
): Promise<readonly WrittenEvent[]> {
  // Each listener's own right to it is asked for by `mayHear`.
  const resource: Resource = { ...call.registry.get(shape.resource), visible: () => always(true) }
  const fields = shownFields(resource)
  const { page } = await readPage(resource, call, {
    ...{ where: shape.where(events), sort: [], limit: events.length + 1, offset: 0, flags: [] },
    columns: [...fields, ...shape.key],
  })
  const places = placesOf(page, shape.key)
  const lines = new Map<Language, readonly Buffer[]>()
  for (const language of languages) {
    const json = await presentPage(resource, { ...call, language }, { fields, embeds: [] }, page)
    const objects = JSON.parse(json.toString()) as readonly unknown[]
    const written = objects.map((object) => Buffer.from(eventLines(kind, JSON.stringify(object))))
    lines.set(language, written)
  }
  return events.flatMap((event) => {
    const place = places.get(shape.keyOf(event))
    if (place === undefined) return []
    return [{ event, lines: new Map(languages.flatMap((language) => lineAt(language, lines.get(language)?.[place]))) }]
  })
}

function lineAt(language: Language, lines: Buffer | undefined): [Language, Buffer][] {
  return lines === undefined ? [] : [[language, lines]]
}

function placesOf(page: Columns, key: readonly string[]): ReadonlyMap<string, number> {
  const columns = key.map((name) => page.column(name))
  const keyAt = (place: number) => columns.map((column) => String(column(place))).join(' ')
  return new Map(Array.from({ length: page.length }, (_none, place) => [keyAt(place), place]))
}

async function readServices({ database }: Call, ids: readonly number[]): Promise<ReadonlyMap<number, ServiceFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await database.query<ServiceFacts>(
    sql`select id, owner_id, group_id, tag_ids, array(select name from tags where tags.id = any(services.tag_ids)) as tags
      from services where id = any(${[...ids]}::int[])`,
    'services-of-events',
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Parents read the logs of their sub-accounts. */
async function readParents({ database }: Call, ids: readonly number[]): Promise<ReadonlyMap<number, number | null>> {
  if (ids.length === 0) return new Map()
  const rows = await database.query<{ id: number; parent_account_id: number | null }>(
    sql`select id, parent_account_id from accounts where id = any(${[...ids]}::int[])`,
    'parents-of-accounts',
  )
  return new Map(rows.map((row) => [row.id, row.parent_account_id]))
}
