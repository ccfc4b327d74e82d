import { isDeepStrictEqual } from 'node:util'
import sql, { raw } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { componentsOf, pageChanged, pageOwner } from '../../database/status-pages/status-pages.ts'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { holds, type Row } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import { one, table, type Writing } from '../../rest/declare.ts'
import { identifier, integer, moment } from '../../rest/fields.ts'

/** The common rules of components and incidents, which are parts of a page. */

export interface PageFacts {
  /** Null: the caller may change no such page. */
  readonly pageOwnerId: number | null
  readonly pageId: number
  readonly now: number
}

export async function pageFacts(
  transaction: Executor,
  { caller, nowAt }: Call,
  given: Row,
  before: Row | null,
): Promise<PageFacts> {
  const id = before?.['status_page_id'] ?? given['status_page_id']
  if (typeof id !== 'number') return { pageOwnerId: null, pageId: 0, now: nowAt }
  const ownerId = await pageOwner(transaction, id)
  const isOwn = ownerId !== undefined && holds(ownOrParents(caller), { owner_id: ownerId })
  return { pageOwnerId: isOwn ? ownerId : null, pageId: id, now: nowAt }
}

/** The facts of a part that names components of its page. */
export interface NamingFacts extends PageFacts {
  readonly components: ReadonlySet<number>
}

export async function namingFacts(
  transaction: Executor,
  call: Call,
  given: Row,
  before: Row | null,
): Promise<NamingFacts> {
  const page = await pageFacts(transaction, call, given, before)
  const components = await componentsOf(transaction, page.pageId)
  return { ...page, components: new Set(components.map(({ id }) => id)) }
}

/** A missing status_page_id was told before. */
export function pageProblems(row: Row, { pageOwnerId }: PageFacts): readonly Problem[] {
  return pageOwnerId !== null || row['status_page_id'] === undefined
    ? []
    : [{ error: 'incorrect_value', field: 'data.status_page_id', facts: { detail: 'object_of_owner' } }]
}

/** False if the object would stay as it is. */
export function isDifferent(given: Row, before: Row | null): boolean {
  return before === null || Object.keys(given).some((name) => !isDeepStrictEqual(given[name], before[name]))
}

const touch = (transaction: Executor, { nowAt }: Call, row: Row) =>
  pageChanged(transaction, Number(row['status_page_id']), nowAt)

/** Every write to a part is one to its page. */
export const partWriting = {
  allowed: ({ caller }) => mayWrite(caller),
  explain: (_row, flag, { caller }) => (flag === 'create' ? [lacksPermission(caller, 'update')] : []),
  created: touch,
  async changed(transaction, call, row, before) {
    if (isDifferent(row, before)) await touch(transaction, call, row)
  },
  removed: touch,
} as const satisfies Writing

const pageField = integer({ required: true, immutable: true, filter: true, sort: true, example: 1 })
export const ofServer = { readOnly: true, computed: true, filter: true, sort: true } as const

/** The fields of every part, around its own. */
export const firstFields = { id: identifier(), status_page_id: pageField } as const
export const lastFields = {
  created_at: moment(ofServer),
  updated_at: moment(ofServer),
  owner_id: integer({ internal: true }),
} as const

/** The rest of the declaration of a part; its table has the name of the resource. */
export function partOf(name: string) {
  return {
    source: table(
      name,
      () => sql`select part.*, p.owner_id from ${raw(name)} part join status_pages p on p.id = part.status_page_id`,
    ),
    relations: { status_page: one('status_pages', 'status_page_id') },
    embed: ['status_page', 'permissions'],
    subresources: ['status_page'],
    search: ['id', 'name'],
    visible: ownOrParents,
    permissions: tagPermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  } as const
}

/** Components that the page does not have: incorrect_value at each. @param fieldOf the place of the one in the body */
export function componentProblems(
  ids: readonly number[],
  known: ReadonlySet<number>,
  fieldOf: (index: number) => string,
): readonly Problem[] {
  return ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ error: 'incorrect_value', field: fieldOf(index), facts: { detail: 'component_of_page' } as const }],
  )
}

/** The problems of `component_ids`. A component that the object named before is never wrong. */
export function namingProblems(
  ids: readonly number[],
  { components }: NamingFacts,
  before: readonly number[] = [],
): readonly Problem[] {
  return componentProblems(ids, new Set([...components, ...before]), (index) => `data.component_ids[${index}]`)
}
