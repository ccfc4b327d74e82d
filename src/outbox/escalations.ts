import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { NoticeFacts } from '../domain/notification/notice.ts'

/**
 * The progress of escalations: one row for each failure that began one. Every writer of a row has locked the plan of
 * its service, except when an escalation is made due again.
 */

/** An event that was decided, with what its messages tell. */
export interface DecidedEvent {
  readonly serviceId: number
  readonly facts: NoticeFacts
}

/** A failure that is told now, or that quiet hours held back and that lasts. */
function isFailure({ facts: { condition, failures } }: DecidedEvent): boolean {
  return condition === 'failure' || (condition === 'silent_failure' && failures?.at(-1)?.endedAt === null)
}

/** The content of the steps' messages: the failure, however it was notified. */
function factsOfSteps({ failures: _held, ...facts }: NoticeFacts): NoticeFacts {
  return { ...facts, condition: 'failure' }
}

/** Begins the escalations of services, or of their groups, that have one. Once a failure, however often it is told. */
export async function beginEscalations(
  transaction: Executor,
  told: readonly DecidedEvent[],
  now: number,
): Promise<void> {
  const failures = told.filter(isFailure)
  if (failures.length === 0) return
  const serviceIds = failures.map(({ serviceId }) => serviceId)
  const begun = await transaction.query<{ service_id: number }>(
    sql`
    insert into escalation_statuses (service_id, change_id, escalation_id, owner_id, state, started_at, next_at, facts)
    select services.id, told.change_id, coalesce(services.escalation_id, groups.escalation_id), services.owner_id, 'running',
      to_timestamp(told.at / 1000), ${new Date(now)}, told.facts
    from unnest(${serviceIds}::int[], ${failures.map(({ facts }) => Number(facts.change?.id))}::bigint[],
      ${failures.map(({ facts }) => facts.decidedAt)}::float8[],
      ${failures.map(({ facts }) => JSON.stringify(factsOfSteps(facts)))}::jsonb[]) as told (service_id, change_id, at, facts)
    join services on services.id = told.service_id
    join groups on groups.id = services.group_id
    where coalesce(services.escalation_id, groups.escalation_id) is not null
    on conflict do nothing returning service_id`,
    'begin-escalations',
  )
  const begunIds = begun.map((row) => row.service_id)
  await transaction.execute(
    sql`
    update service_statuses set is_escalated = service_id = any(${begunIds}::int[])
    where service_id = any(${serviceIds}::int[]) and is_escalated <> (service_id = any(${begunIds}::int[]))`,
    'mark-escalated',
  )
  if (begun.length > 0) await wakeEscalator(transaction)
}

/**
 * Ends the escalations of services whose failure is over, or that are no longer monitored. Their waiting messages are
 * not needed any more.
 */
export async function endEscalations(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  await transaction.execute(
    sql`
    update escalation_statuses set state = 'over', next_at = null, facts = '{}'
    where service_id = any(${[...serviceIds]}::int[]) and state <> 'over'`,
    'end-escalations',
  )
}

/** For deleted services. */
export async function removeEscalations(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  await transaction.execute(sql`delete from escalation_statuses where service_id = any(${[...serviceIds]}::int[])`)
}

/** Somebody knows of the failure: no further step is told. */
export async function acknowledgeEscalation(transaction: Executor, serviceId: number, changeId: number): Promise<void> {
  await transaction.execute(sql`
    update escalation_statuses set state = 'acknowledged', next_at = null
    where service_id = ${serviceId} and change_id = ${changeId} and state = 'running'`)
}

/** It goes on where it was: what became due meanwhile is told at once. */
export async function resumeEscalation(
  transaction: Executor,
  { serviceId, changeId, now }: { readonly serviceId: number; readonly changeId: number; readonly now: number },
): Promise<void> {
  await transaction.execute(sql`
    update escalation_statuses set state = 'running', next_at = ${new Date(now)}
    where service_id = ${serviceId} and change_id = ${changeId} and state = 'acknowledged'`)
  await wakeEscalator(transaction)
}

/** Quiet hours of the services have ended, or the failure of a parent that held their notifications. */
export async function releaseEscalations(
  transaction: Executor,
  serviceIds: readonly number[],
  now: number,
): Promise<void> {
  if (serviceIds.length === 0) return
  const released = await transaction.execute(
    sql`
    update escalation_statuses set next_at = ${new Date(now)}
    where service_id = any(${[...serviceIds]}::int[]) and state = 'running' and next_at = 'infinity'`,
    'release-escalations',
  )
  if (released > 0) await wakeEscalator(transaction)
}

/** The steps or the suspensions of an escalation have changed: what that means for each failure is worked out anew. */
export async function escalationChanged(transaction: Executor, escalationId: number, now: number): Promise<void> {
  const touched = await transaction.execute(sql`
    update escalation_statuses set next_at = ${new Date(now)}
    where escalation_id = ${escalationId} and state = 'running'`)
  if (touched > 0) await wakeEscalator(transaction)
}

async function wakeEscalator(transaction: Executor): Promise<void> {
  await transaction.execute(sql`select pg_notify('notifications', '')`)
}
