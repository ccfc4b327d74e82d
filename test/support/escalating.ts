import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import type { EscalationStep } from '../../src/domain/notification/escalation.ts'
import type { NoticeFacts } from '../../src/domain/notification/notice.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { nextEscalationAt, tellDueSteps } from '../../src/outbox/escalation-steps.ts'
import { acknowledgeChange, unacknowledgeChange } from '../../src/service-state/acknowledgements.ts'
import type { MonitoringWorld } from './monitoring.ts'

/** Contacts, rotations and escalations of the world's only account, and time in which steps are told. */

export interface ToldRow {
  readonly event_id: string
  readonly notification_condition_id: string
  readonly address: string
  readonly contact_id: number | null
  readonly created_at: number
  readonly facts: NoticeFacts
}

interface StatusRow {
  readonly change_id: number
  readonly escalation_id: number
  readonly state: string
  readonly step: number
  readonly next_at: number | null
}

async function insertedId(rows: Promise<{ id: number }[]>): Promise<number> {
  const [row] = await rows
  if (row === undefined) throw new Error('Nothing was made.')
  return row.id
}

/** A step that tells at once whom `targets` names. */
export function step(targets: Partial<EscalationStep>): EscalationStep {
  return {
    ...{ delay_seconds: 0, contact_ids: [], contact_group_ids: [], rotation_ids: [] },
    ...{ channel_ids: null, repeat_seconds: null },
    ...targets,
  }
}

const owner = sql`(select id from accounts where username = 'alice')`

export function escalating({ database, clock }: Pick<MonitoringWorld, 'database' | 'clock'>) {
  /** Tells until nothing is due, as the notifier's loop does. */
  async function tellDue(by: Database = database): Promise<void> {
    while ((await tellDueSteps(by, clock.now())) > 0);
  }
  return {
    tellDue,
    /** A person with an address for each channel: `anna` is written to at anna@email. */
    async contact(name: string, channels: readonly string[] = ['email']): Promise<number> {
      const id = await insertedId(
        database.query(sql`
          insert into contacts (owner_id, name, language_id, time_zone_id)
          values (${owner}, ${name}, 'pl', 'europe_warsaw') returning id`),
      )
      for (const channel of channels) {
        await database.execute(sql`
          insert into notification_addresses (contact_id, notification_channel_id, address)
          values (${id}, ${channel}, ${`${name}@${channel}`})`)
      }
      return id
    },
    contactGroup: (contactIds: readonly number[]) =>
      insertedId(
        database.query(sql`
          insert into contact_groups (owner_id, name, contact_ids) values (${owner}, 'Group', ${[...contactIds]}) returning id`),
      ),
    rotation: (contactIds: readonly number[], at: string) =>
      insertedId(
        database.query(sql`
          insert into rotations (owner_id, name, time_zone_id, contact_ids, shift, starts_on)
          values (${owner}, 'Duty', 'europe_warsaw', ${[...contactIds]}, ${JSON.stringify({ every: 'day', at })}, '2026-11-01')
          returning id`),
      ),
    escalation: (steps: readonly EscalationStep[]) =>
      insertedId(
        database.query(sql`
          insert into escalations (owner_id, name, steps) values (${owner}, 'Nights', ${JSON.stringify(steps)}) returning id`),
      ),
    async give(serviceId: number, escalationId: number | null): Promise<void> {
      await database.execute(sql`update services set escalation_id = ${escalationId} where id = ${serviceId}`)
    },
    /** Lets time pass; rounds, calendars and steps happen at their own moments. */
    async passUntil(monitoring: Monitoring, at: number): Promise<void> {
      for (let round = 0; round < 10_000; round += 1) {
        const [plan] = await database.query<{ due_at: number | null }>(
          sql`select min(least(due_at, boundary_at)) as due_at from schedule`,
        )
        const next = Math.min(plan?.due_at ?? Number.POSITIVE_INFINITY, await nextEscalationAt(database))
        if (next > at) break
        clock.advanceTo(next)
        await monitoring.drain()
        await tellDue()
      }
      clock.advanceTo(at)
    },
    /** Somebody without a login does, by the link of a message. */
    async acknowledge(serviceId: number, changeId: number): Promise<void> {
      const given = {
        serviceId,
        changeId,
        at: clock.now(),
        accountId: null,
        name: 'anna',
        comment: null,
        channels: { incidents: [], replies: [] },
      }
      await database.transaction((transaction) => acknowledgeChange(transaction, given))
    },
    async unacknowledge(serviceId: number, changeId: number): Promise<void> {
      const failure = { serviceId, changeId, at: clock.now() }
      await database.transaction((transaction) => unacknowledgeChange(transaction, failure))
    },
    statuses: (serviceId: number) =>
      database.query<StatusRow>(sql`
        select change_id, escalation_id, state, step, next_at from escalation_statuses
        where service_id = ${serviceId} order by change_id`),
    /** The notifications of contacts, in order. */
    told: (serviceId: number) =>
      database.query<ToldRow>(sql`
        select event_id, notification_condition_id, address, contact_id, created_at, facts from notification_intents
        where service_id = ${serviceId} and contact_id is not null order by id`),
    async clear(): Promise<void> {
      await database.execute(sql`truncate escalation_statuses, notification_intents`)
      await database.execute(sql`delete from contacts`)
      await database.execute(sql`delete from contact_groups`)
      await database.execute(sql`delete from rotations`)
      await database.execute(sql`delete from escalations`)
      await database.execute(sql`update groups set escalation_id = null`)
    },
  }
}
