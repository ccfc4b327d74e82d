import sql from 'sql-template-tag'
import { countAsking } from '../../auth/asking-limits.ts'
import { destinationOf } from '../../channels/index.ts'
import { subscriberAddress } from '../../channels/subscriber-hooks.ts'
import type { VendorUrls } from '../../channels/vendors.ts'
import type { Executor } from '../../database/connect.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { askingLimits, isSubscriberKind, subscriberKinds } from '../../domain/status-pages/subscriber.ts'
import {
  addConfirmed,
  componentNames,
  countSubscribers,
  keyOfAddress,
  knownAddresses,
} from '../../outbox/many-subscribers.ts'
import { makeSubscriber, type Wanted } from '../../outbox/subscribers.ts'
import type { Call } from '../../rest/call.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { refuse } from '../../rest/problems.ts'
import { askingProblem, parentOrSelf } from './subscriber-asking.ts'
import { chosenComponents, type KnownComponents, knownComponents } from './subscriber-components.ts'
import type { TableRow } from './subscriber-table.ts'

export interface Importer {
  readonly vendorUrls: VendorUrls
  /** Usernames of the accounts that may declare a consent; `*`: all. */
  readonly trusted: readonly string[]
}

interface RefusedRow {
  readonly line: number
  readonly problem: Problem
}

export interface SubscriberImportReport {
  readonly asked: number
  readonly added: number
  readonly present: number
  readonly refused: readonly RefusedRow[]
}

/** A row that is right. */
interface GoodRow {
  readonly line: number
  readonly wanted: Wanted
  readonly key: string
  /** The row itself says that the address was not confirmed. */
  readonly isWaiting: boolean
}

interface Given {
  readonly rows: readonly TableRow[]
  readonly hasConsent: boolean
}

/** Adds the good rows in one transaction. Refuses a consent of an account that may declare none. */
export async function importTable(importer: Importer, call: Call, given: Given): Promise<SubscriberImportReport> {
  return call.database.transaction(async (transaction) => {
    const page = await lockForWrite(call.registry.get('status_pages'), transaction, call, 'update')
    const [pageId, ownerId] = [Number(page['id']), await parentOrSelf(transaction, Number(page['owner_id']))]
    if (given.hasConsent) await refuseConsent(transaction, importer, ownerId)
    const components = knownComponents(await componentNames(transaction, pageId))
    const read = readRows(given.rows, { pageId, importer, components })
    const fresh = await freshOf(transaction, pageId, { rows: read.good, hasConsent: given.hasConsent })
    const room = Math.max(0, countLimits.statusPageSubscribers - (await countSubscribers(transaction, pageId)))
    const full = fresh.slice(room).map(({ line }) => ({ line, problem: pageFull }))
    const added = fresh.slice(0, room).filter((row) => isAgreed(row, given.hasConsent))
    const toAsk = fresh.slice(0, room).filter((row) => !isAgreed(row, given.hasConsent))
    const count = await addConfirmed(transaction, pageId, {
      wanted: added.map(({ wanted }) => wanted),
      now: call.nowAt,
    })
    const { asked, refused } = await ask(transaction, { rows: toAsk, pageId, ownerId, now: call.nowAt })
    const wrong = [...read.wrong, ...full, ...refused].toSorted((one, other) => one.line - other.line)
    return { asked, added: count, present: given.rows.length - asked - count - wrong.length, refused: wrong }
  })
}

/** Browsers subscribe by themselves. */
const kindsOfTables = subscriberKinds.filter((kind) => kind !== 'web_push')

const pageFull: Problem = {
  error: 'limit_exceeded',
  facts: { limit: 'status_page_subscribers', value: countLimits.statusPageSubscribers },
}

async function refuseConsent(transaction: Executor, { trusted }: Importer, ownerId: number): Promise<void> {
  if (trusted.includes('*')) return
  const [owner] = await transaction.query<{ username: string }>(
    sql`select username from accounts where id = ${ownerId}`,
  )
  const isTrusted = owner !== undefined && trusted.includes(owner.username.toLowerCase())
  if (!isTrusted) refuse('incorrect_value', 'data.has_consent', { detail: 'subscriber_consent' })
}

/** A hook has no person who could have agreed elsewhere. */
function isAgreed({ wanted, isWaiting }: GoodRow, hasConsent: boolean): boolean {
  return hasConsent && !isWaiting && wanted.kind === 'email'
}

interface Reading {
  readonly pageId: number
  readonly importer: Importer
  readonly components: KnownComponents
}

function readRows(rows: readonly TableRow[], reading: Reading) {
  const [good, wrong]: [GoodRow[], RefusedRow[]] = [[], []]
  for (const row of rows) {
    const read = readRow(row, reading)
    if ('problem' in read) wrong.push({ line: row.line, problem: read.problem })
    else good.push(read)
  }
  return { good, wrong }
}

const wrongValue = (field: string, facts: NonNullable<Problem['facts']>) => ({
  problem: { error: 'incorrect_value', field, facts } as const,
})

function readRow(row: TableRow, { pageId, importer, components }: Reading): GoodRow | { readonly problem: Problem } {
  const kind = row.kind === '' ? 'email' : row.kind
  if (!isSubscriberKind(kind)) return wrongValue('kind', { allowed: kindsOfTables.join(', ') })
  if (kind === 'web_push') return wrongValue('kind', { detail: 'subscriber_browser' })
  if (row.state === 'disabled') return wrongValue('state', { detail: 'subscriber_disabled' })
  if (row.address === '') return { problem: { error: 'value_too_short', field: 'address', facts: { minimum: 1 } } }
  const completed = subscriberAddress({ kind, address: row.address }, importer.vendorUrls)
  if ('problems' in completed) {
    const [problem = { error: 'incorrect_value' }] = completed.problems
    return { problem: { ...problem, field: 'address' } }
  }
  const chosen = chosenComponents(row, components)
  if ('field' in chosen) return wrongValue(chosen.field, { detail: chosen.detail })
  const wanted = { ...completed.address, pageId, componentIds: chosen.ids }
  return { line: row.line, wanted, key: keyOfAddress(wanted), isWaiting: row.state === 'waiting' }
}

/** Rows of addresses that are new to the page, each once. An address that waits is new to a consent. */
async function freshOf(
  transaction: Executor,
  pageId: number,
  { rows, hasConsent }: { readonly rows: readonly GoodRow[]; readonly hasConsent: boolean },
): Promise<readonly GoodRow[]> {
  const keys = [...new Set(rows.map(({ key }) => key))]
  const known = await knownAddresses(transaction, pageId, keys)
  const met = new Set<string>()
  return rows.filter((row) => {
    if (met.has(row.key)) return false
    met.add(row.key)
    return !known.has(row.key) || (known.get(row.key) === false && isAgreed(row, hasConsent))
  })
}

interface Asking {
  readonly rows: readonly GoodRow[]
  readonly pageId: number
  readonly ownerId: number
  readonly now: number
}

/**
 * Asks as many as the limits of the owner allow. They are counted in the order of their addresses, so that no two
 * imports wait for each other.
 */
async function ask(
  transaction: Executor,
  { rows, pageId, ownerId, now }: Asking,
): Promise<{ readonly asked: number; readonly refused: readonly RefusedRow[] }> {
  const refused: RefusedRow[] = []
  let asked = 0
  let limited: Problem | null = null
  const candidates = rows.slice(0, askingLimits.owner.most)
  for (const row of candidates.toSorted((one, other) => (one.key < other.key ? -1 : 1))) {
    const destination = destinationOf(row.wanted.kind, row.wanted.sameness)
    const limit =
      limited === null ? await countAsking(transaction, { pageId, by: { ownerId }, destination }, now) : null
    if (limit === null && limited === null) {
      await makeSubscriber(transaction, row.wanted, now)
      asked += 1
      continue
    }
    const problem: Problem = limit === null ? (limited ?? askingProblem('owner')) : askingProblem(limit.limit)
    if (limit !== null && limit.limit !== 'address') limited = problem
    refused.push({ line: row.line, problem })
  }
  const beyond = rows.slice(candidates.length).map(({ line }) => ({ line, problem: limited ?? askingProblem('owner') }))
  return { asked, refused: [...refused, ...beyond] }
}
