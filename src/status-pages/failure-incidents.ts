import type { Database, Executor } from '../database/connect.ts'
import { readManualIncidents } from '../database/status-pages/known-page-failures.ts'
import {
  componentNames,
  type FailurePageRow,
  failureKey,
  hasRoomForIncident,
  insertFailureIncident,
  type LastingIncidentRow,
  lockFailurePage,
  readEnds,
  readKnownFailures,
  readLastingFailures,
  readNewFailures,
  rememberFailures,
} from '../database/status-pages/page-failures.ts'
import { writeUpdates } from '../database/status-pages/status-page-incidents.ts'
import { componentsOf, pageChanged } from '../database/status-pages/status-pages.ts'
import { concernedComponents } from '../domain/status-pages/incident-notice.ts'
import {
  failedChanges,
  failuresByPage,
  knownFailures,
  openedIncident,
  type PageFailure,
} from '../domain/status-pages/page-failure.ts'
import {
  type IncidentProgress,
  type IncidentStatus,
  type IncidentUpdate,
  progressTo,
} from '../domain/status-pages/status-page.ts'
import { tellOfIncident } from '../outbox/incident-notices.ts'
import { type Language, languageOf } from '../wording/language.ts'
import { statusPageText } from '../wording/status-pages.ts'

/** Failures open incidents, and recoveries end those that no person has published. */
export async function followFailures(database: Database, now: number): Promise<void> {
  for (const [pageId, failures] of failuresByPage(await readNewFailures(database, now))) {
    await database.transaction((transaction) => open(transaction, { pageId, found: failures }, now))
  }
  await resolveEnded(database, now)
}

async function newFailures(executor: Executor, failures: readonly PageFailure[]): Promise<readonly PageFailure[]> {
  if (failures.length === 0) return []
  const known = await readKnownFailures(executor, failures)
  return failures.filter((failure) => !known.has(failureKey(failure)))
}

const longestName = 200

/** The failures of which a person told the public before. */
async function toldBefore(
  transaction: Executor,
  page: FailurePageRow,
  failures: readonly PageFailure[],
): Promise<readonly PageFailure[]> {
  const incidents = await readManualIncidents(transaction, page.id)
  if (incidents.length === 0) return []
  const components = await componentsOf(transaction, page.id)
  const told = incidents.map((one) => ({ ...one, componentIds: concernedComponents(one.componentIds, components) }))
  return knownFailures(failures, told, page.publish_after_seconds * 1000)
}

interface Found {
  readonly pageId: number
  readonly found: readonly PageFailure[]
}

function nameOf(components: readonly string[], language: Language): string {
  const [component = '', ...others] = components
  const text =
    others.length === 0
      ? statusPageText('failure_name', language, { component })
      : statusPageText('failures_name', language, { components: components.join(', ') })
  return text.slice(0, longestName)
}

/** Under the lock of the page: another process may have opened it meanwhile. */
async function open(transaction: Executor, { pageId, found }: Found, now: number): Promise<void> {
  const page = await lockFailurePage(transaction, pageId)
  if (page === undefined) return
  const fresh = await newFailures(transaction, found)
  const told = await toldBefore(transaction, page, fresh)
  await rememberFailures(transaction, { pageId, failures: failedChanges(told) }, null)
  const failures = fresh.filter((failure) => !told.includes(failure))
  if (failures.length === 0) return
  if (!(await hasRoomForIncident(transaction, pageId))) {
    await rememberFailures(transaction, { pageId, failures: failedChanges(failures) }, null)
    return
  }
  const opened = openedIncident(failures)
  const language = languageOf(page.language_id)
  const name = nameOf(await componentNames(transaction, opened.componentIds), language)
  const made = { ...opened, pageId, name, isPublished: page.auto_publish }
  const id = await insertFailureIncident(transaction, made, now)
  const update = said(id, 0, { status: 'investigating', body: statusPageText('failure_body', language), now })
  const progress = { status: 'investigating', monitoring_at: null, resolved_at: null } as const
  await write(transaction, { id, pageId, before: progress, updates: [update] }, now)
}

interface Said {
  readonly status: IncidentStatus
  readonly body: string
  readonly now: number
}

function said(id: number, count: number, { status, body, now }: Said): IncidentUpdate {
  return {
    ...{ id: `${id}-${count + 1}`, status, body, affected_components: [] },
    ...{ display_at: now, created_at: now, updated_at: now },
  }
}

interface Written {
  readonly id: number
  readonly pageId: number
  readonly before: IncidentProgress
  readonly updates: readonly IncidentUpdate[]
}

async function write(transaction: Executor, { id, pageId, before, updates }: Written, now: number): Promise<void> {
  const progress = progressTo(updates.at(-1)?.status ?? before.status, before, now)
  await writeUpdates(transaction, id, { updates, progress, now })
  await tellOfIncident(transaction, id, now)
  await pageChanged(transaction, pageId, now)
}

/** An incident is over once the recovery from all of its failures is public. */
async function resolveEnded(database: Database, now: number): Promise<void> {
  const rows = await readLastingFailures(database)
  if (rows.length === 0) return
  const ends = await readEnds(database, rows)
  const isEnded = (row: LastingIncidentRow) => {
    const endedAt = ends.get(`${row.service_id} ${row.change_id}`)
    return endedAt !== undefined && endedAt + row.publish_after_seconds * 1000 <= now
  }
  const lasting = new Set(rows.filter((row) => !isEnded(row)).map(({ id }) => id))
  for (const id of new Set(rows.map((row) => row.id))) {
    if (!lasting.has(id)) await database.transaction((transaction) => resolve(transaction, id, now))
  }
}

/** Under the lock of the page, from what is stored now: people may have written meanwhile. */
async function resolve(transaction: Executor, id: number, now: number): Promise<void> {
  const [seen] = await readLastingFailures(transaction, id)
  if (seen === undefined || (await lockFailurePage(transaction, seen.page_id)) === undefined) return
  const [row] = await readLastingFailures(transaction, id)
  if (row === undefined) return
  const body = statusPageText('recovery_body', languageOf(row.language_id))
  const updates = [...row.updates, said(id, row.updates.length, { status: 'resolved', body, now })]
  await write(transaction, { id, pageId: row.page_id, before: row, updates }, now)
}
