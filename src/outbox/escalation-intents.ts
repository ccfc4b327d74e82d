import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { shownDuration } from '../domain/calendars/time.ts'
import { type EscalationStep, escalationEventId, type StepNotification } from '../domain/notification/escalation.ts'
import type { NoticeFacts } from '../domain/notification/notice.ts'
import { withoutAbsent } from './absent-contacts.ts'
import { contactsOf, type EscalationPlan } from './escalation-plans.ts'
import { gatherStorms } from './storms.ts'

/** The messages of a step. */

export interface DueStep {
  readonly serviceId: number
  readonly changeId: number
  readonly escalation: EscalationPlan
  readonly notification: StepNotification
  /** The facts of the failure. */
  readonly facts: NoticeFacts
}

function stepOf({ escalation, notification }: DueStep): EscalationStep[] {
  return escalation.steps.slice(notification.step - 1, notification.step)
}

function factsOf({ facts, escalation, notification }: DueStep, now: number): NoticeFacts {
  const { id, name, steps } = escalation
  const startedAt = facts.change?.startedAt ?? facts.sinceAt
  return {
    ...facts,
    decidedAt: now,
    durationSeconds: shownDuration(startedAt, now),
    escalation: { id, name, step: notification.step, steps: steps.length, repeat: notification.repeat },
  }
}

/** Addresses each step to its available contacts. One row per event and address, however often it is written. */
export async function writeSteps(transaction: Executor, told: readonly DueStep[], now: number): Promise<void> {
  if (told.length === 0) return
  const steps = told.flatMap(stepOf)
  const named = await contactsOf(transaction, steps, now)
  const present = await withoutAbsent(transaction, [...new Set(named.flat())], now)
  const chosen = named.flatMap((ids, place) => ids.filter((id) => present.has(id)).map((id) => ({ place, id })))
  const written = await transaction.execute(
    sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at, contact_id)
    select services.id, told.event_id, target.id, services.owner_id, services.group_id, target.notification_channel_id, 'failure',
      target.address, target.destination, told.facts, ${new Date(now)}, ${new Date(now)}, target.contact_id
    from unnest(${told.map((_step, place) => place)}::int[], ${told.map(({ serviceId }) => serviceId)}::int[],
      ${told.map(({ changeId, notification }) => escalationEventId(changeId, notification))}::text[],
      ${steps.map(({ channel_ids: ids }) => JSON.stringify(ids))}::jsonb[],
      ${told.map((step) => JSON.stringify(factsOf(step, now)))}::jsonb[]) as told (place, service_id, event_id, channel_ids, facts)
    join unnest(${chosen.map(({ place }) => place)}::int[], ${chosen.map(({ id }) => id)}::int[]) as chosen (place, contact_id)
      on chosen.place = told.place
    join services on services.id = told.service_id
    join notification_addresses target on target.contact_id = chosen.contact_id
    where (told.channel_ids = 'null' or told.channel_ids ? target.notification_channel_id)
      and target.confirmed_at is not null and target.is_enabled
    on conflict (service_id, event_id, address_id) do nothing`,
    'write-steps',
  )
  if (written === 0) return
  await gatherStorms(transaction, [...new Set(told.map(({ serviceId }) => serviceId))], now)
  await transaction.execute(sql`select pg_notify('notifications', '')`)
}
