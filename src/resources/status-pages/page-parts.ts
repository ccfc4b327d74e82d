import { isDeepStrictEqual } from 'node:util'
import type { Executor } from '../../database/connect.ts'
import { pageChanged, pageOwner } from '../../database/status-pages.ts'
import { holds, type Row } from '../../domain/condition.ts'
import { lacksPermission } from '../../domain/lacking-right.ts'
import { mayWrite, ownOrParents } from '../../domain/permissions.ts'
import type { Problem } from '../../domain/problem.ts'
import type { Call } from '../../rest/call.ts'
import type { Writing } from '../../rest/declare.ts'
import { integer } from '../../rest/fields.ts'

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

export const pageField = integer({ required: true, immutable: true, filter: true, sort: true, example: 1 })
