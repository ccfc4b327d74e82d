import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { shownDuration } from '../domain/calendars/time.ts'
import { analysisIdText } from '../domain/judging/analysis-id.ts'
import type { OpenChange, PauseReason, State } from '../domain/judging/status-change.ts'
import type { DegradedNotice, HeldFailure, NoticeCheck, NoticeFacts } from '../domain/notification/notice.ts'
import type { NoticeEvent } from '../domain/notification/notification.ts'
import type { StoredSettings } from '../domain/services/extended-settings.ts'
import { writeRecoveries } from './escalation-recoveries.ts'
import { beginEscalations } from './escalations.ts'
import { tellContacts, tellGroups } from './recipients.ts'
import { gatherStorms } from './storms.ts'

/** An event that was decided, before it is addressed. */
export interface DecidedNotice {
  readonly serviceId: number
  readonly event: NoticeEvent
  readonly decidedAt: number
  /** The period that the notice speaks of; its row is written already. */
  readonly change: OpenChange
  readonly analysisId: number | null
  readonly checks: readonly NoticeCheck[]
  readonly pauseReason: PauseReason | null
  /** Failures of quiet hours that have ended. */
  readonly failures?: readonly HeldFailure[]
  readonly degraded?: DegradedNotice
}

/** The database's part of a notice: the service's present name and the previous periods. */
interface SubjectRow {
  service_id: number
  event_id: string
  name: string
  address: string
  type_id: string
  port: number | null
  group_id: number
  group_name: string
  tags: readonly string[]
  failure_id: number | null
  previous_status: State | null
  previous_start: number | null
  failure_start: number | null
  failure_end: number | null
}

async function readSubjects(transaction: Executor, notices: readonly DecidedNotice[]): Promise<SubjectRow[]> {
  return transaction.query<SubjectRow>(
    // By greatest numbers instead of laterals with a limit, which are refused where tables lie on several machines.
    sql`
    with subjects as materialized (
      select told.service_id, told.event_id, services.name, services.address, services.type_id,
        (services.extended_settings ->> 'port')::integer as port,
        groups.id as group_id, groups.name as group_name, array(select tags.name from tags where tags.id = any(services.tag_ids) order by tags.name) as tags,
        (select max(change_id) from status_changes earlier
          where earlier.service_id = services.id and earlier.change_id < told.change_id) as previous_id,
        (select max(change_id) from status_changes earlier
          where earlier.service_id = services.id and earlier.change_id <= told.change_id and status = 'failure') as failure_id
      from unnest(${notices.map(({ serviceId }) => serviceId)}::int[], ${notices.map(({ event }) => event.eventId)}::text[],
        ${notices.map(({ change }) => change.changeId)}::bigint[]) as told (service_id, event_id, change_id)
      join services on services.id = told.service_id
      join groups on groups.id = services.group_id)
    select subjects.service_id, event_id, name, address, type_id, port, group_id, group_name, tags, failure_id,
      previous.status as previous_status, previous.start_time as previous_start,
      failure.start_time as failure_start, failure.end_time as failure_end
    from subjects
    left join status_changes previous on previous.service_id = subjects.service_id and previous.change_id = previous_id
    left join status_changes failure on failure.service_id = subjects.service_id and failure.change_id = failure_id`,
    'read-subjects',
  )
}

/** For a failure, and for its end, the failure itself; else the state that began. */
function changeToldOf({ event, change }: DecidedNotice, subject: SubjectRow): NonNullable<NoticeFacts['change']> {
  const isOfFailure = event.condition === 'recovery' || event.condition === 'failure_continuation'
  if (!isOfFailure || subject.failure_id === null || subject.failure_start === null) {
    return { id: analysisIdText(change.changeId), startedAt: change.startedAt, endedAt: null }
  }
  return { id: analysisIdText(subject.failure_id), startedAt: subject.failure_start, endedAt: subject.failure_end }
}

function factsOf(notice: DecidedNotice, subject: SubjectRow): NoticeFacts {
  const { event, change, decidedAt } = notice
  const failureEndedAt = subject.failure_end ?? decidedAt
  const speaksOfFailure = event.condition === 'recovery' || event.condition === 'failure_continuation'
  return {
    condition: event.condition,
    service: {
      ...{ id: notice.serviceId, name: subject.name, address: subject.address, type_id: subject.type_id },
      ...(subject.port === null ? {} : { port: subject.port }),
      tags: subject.tags,
    },
    group: { id: subject.group_id, name: subject.group_name },
    decidedAt,
    sinceAt: notice.degraded?.sinceAt ?? change.startedAt,
    change: changeToldOf(notice, subject),
    previous:
      subject.previous_status === null || subject.previous_start === null
        ? null
        : { status: subject.previous_status, startedAt: subject.previous_start },
    durationSeconds:
      speaksOfFailure && subject.failure_start !== null
        ? shownDuration(subject.failure_start, failureEndedAt)
        : lengthOf(notice.degraded),
    analysis_id: notice.analysisId === null ? null : analysisIdText(notice.analysisId),
    checks: notice.checks,
    pauseReason: notice.pauseReason,
    ...(notice.failures === undefined ? {} : { failures: notice.failures }),
    ...(notice.degraded === undefined ? {} : { degraded: notice.degraded }),
  }
}

/** Whole seconds; null while the period lasts. */
function lengthOf(degraded: DegradedNotice | undefined): number | null {
  return degraded === undefined || degraded.endedAt === null ? null : shownDuration(degraded.sinceAt, degraded.endedAt)
}

/**
 * Addresses the notices (`recipients.ts` decides to whom). One row per event and address, however often the same event
 * is decided. Wakes the notifier when the transaction commits.
 */
export async function writeIntents(
  transaction: Executor,
  notices: readonly DecidedNotice[],
  now: number,
): Promise<void> {
  if (notices.length === 0) return
  const subjects = await readSubjects(transaction, notices)
  const byKey = new Map(notices.map((notice) => [`${notice.serviceId} ${notice.event.eventId}`, notice]))
  const subjectsByKey = new Map(subjects.map((subject) => [`${subject.service_id} ${subject.event_id}`, subject]))
  // In the order in which they were decided, since messages are numbered in it.
  const rows = [...byKey].flatMap(([key, notice]) => {
    const subject = subjectsByKey.get(key)
    return subject === undefined ? [] : [{ notice, facts: factsOf(notice, subject) }]
  })
  const told = rows.map(({ notice, facts }) => ({
    ...{ serviceId: notice.serviceId, eventId: notice.event.eventId, facts },
  }))
  const forAll = told.filter((_, index) => rows[index]?.notice.event.isForEscalatedAlone !== true)
  const recoveries = told.filter(({ facts }) => facts.condition === 'recovery')
  const written =
    (await tellGroups(transaction, forAll, now)) +
    (await tellContacts(transaction, forAll, now)) +
    (await writeRecoveries(transaction, recoveries, now))
  await beginEscalations(transaction, told, now)
  if (written === 0) return
  await gatherStorms(transaction, [...new Set(told.map(({ serviceId }) => serviceId))], now)
  await transaction.execute(sql`select pg_notify('notifications', '')`)
}

/** Where a test message goes: to every confirmed address of the group with the channel, or to one address. */
export type TestTarget = {
  /** Null: whatever channel the address has. */
  readonly channelIds: readonly string[] | null
  readonly service: { readonly id: number; readonly name: string } | null
} & ({ readonly groupId: number } | { readonly addressId: number })

/** Kept for intents that no service caused. */
export const noService = 0

/** Kept for intents to a contact that no service caused. */
export const noGroup = 0

/** Writes one intent for each such address. @param eventId new for every test @returns how many */
export async function writeTestIntents(
  transaction: Executor,
  { channelIds, service, ...where }: TestTarget,
  eventId: string,
  now: number,
): Promise<number> {
  const chosen =
    'addressId' in where
      ? sql`target.id = ${where.addressId}`
      : sql`target.group_id = ${where.groupId} and target.is_enabled`
  const written = await transaction.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at, contact_id)
    select ${service?.id ?? noService}, ${eventId}, target.id, coalesce(contacts.owner_id, groups.owner_id),
      coalesce(groups.id, ${noGroup}), target.notification_channel_id, 'test', target.address, target.destination,
      jsonb_build_object('condition', 'test', 'service', ${JSON.stringify(service)}::jsonb, 'group',
        jsonb_build_object('id', coalesce(groups.id, ${noGroup}), 'name', coalesce(contacts.name, groups.name)), 'decidedAt', ${now}::bigint),
      ${new Date(now)}, ${new Date(now)}, target.contact_id
    from notification_addresses target
    left join groups on groups.id = target.group_id
    left join contacts on contacts.id = target.contact_id
    where ${chosen} and (${channelIds === null} or target.notification_channel_id = any(${[...(channelIds ?? [])]}::text[]))
      and target.confirmed_at is not null`)
  if (written > 0) await transaction.execute(sql`select pg_notify('notifications', '')`)
  return written
}

/** An address that is tried before it is saved. */
export interface UnsavedAddress {
  readonly accountId: number
  /** The group or the contact that it would be of. */
  readonly place: { readonly groupId: number } | { readonly contactId: number }
  readonly channelId: string
  readonly address: string
  readonly settings: StoredSettings
  readonly destination: string | null
}

/** Kept for intents that go to no saved address. */
export const noAddress = 0

/** @param eventId new for every test */
export async function writeTrialIntent(
  transaction: Executor,
  { accountId, place, channelId, address, settings, destination }: UnsavedAddress,
  eventId: string,
  now: number,
): Promise<void> {
  const [groupId, contactId] = 'groupId' in place ? [place.groupId, null] : [noGroup, place.contactId]
  await transaction.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, settings, destination, facts, created_at, next_attempt_at, contact_id)
    select ${noService}, ${eventId}, ${noAddress}, ${accountId}, ${groupId}, ${channelId}, 'test', ${address},
      ${JSON.stringify(settings)}::jsonb, ${destination},
      jsonb_build_object('condition', 'test', 'service', null, 'group', jsonb_build_object('id', ${groupId}::int,
        'name', coalesce((select name from contacts where id = ${contactId}), (select name from groups where id = ${groupId}))),
        'decidedAt', ${now}::bigint),
      ${new Date(now)}, ${new Date(now)}, ${contactId}`)
  await transaction.execute(sql`select pg_notify('notifications', '')`)
}

/** Test messages of the account, and those sent again by hand, since a moment in Unix milliseconds. */
export async function countTestIntents(executor: Executor, accountId: number, since: number): Promise<number> {
  const [counted] = await executor.query<{ count: number }>(sql`
    select count(*)::int as count from notification_intents
    where account_id = ${accountId} and created_at > ${new Date(since)}
      and (notification_condition_id = 'test' or repeats is not null)`)
  return counted?.count ?? 0
}

/** The outcome of a test message. */
export interface TestOutcome {
  readonly status: 'sent' | 'failed' | 'pending'
  /** Why it failed, or why it is tried again. */
  readonly error_message: string | null
}

/** @param eventId as `writeTestIntents` got it, for one address */
export async function readTestOutcome(executor: Executor, eventId: string, addressId: number): Promise<TestOutcome> {
  const [found] = await executor.query<{ status: string; error_message: string | null }>(sql`
    select status, error_message from notification_intents
    where service_id = ${noService} and event_id = ${eventId} and address_id = ${addressId}`)
  if (found === undefined) return { status: 'failed', error_message: null }
  const { status } = found
  return { status: status === 'sent' || status === 'pending' ? status : 'failed', error_message: found.error_message }
}
