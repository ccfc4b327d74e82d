import sql from 'sql-template-tag'
import type { ApiWorld } from './api.ts'
import { type Created, create } from './create.ts'

/** The contacts of Alice's steps, and a failure of which they were notified. */
export async function furnishOnCall(api: ApiWorld, [serviceId, groupId]: readonly [number, number], changeId: string) {
  const { alice } = api.people.ids
  const contact = await create(api, 'alice', '/contacts', { name: 'Anna' })
  const group = await create(api, 'alice', '/contact_groups', { name: 'Operations', contact_ids: [contact] })
  const mail = { notification_channel_id: 'email', address: 'anna@example.com' }
  const address = await create(api, 'alice', '/contact_addresses', { contact_id: contact, ...mail })
  await create(api, 'alice', '/contact_addresses', { contact_id: contact, ...mail, address: 'night@example.com' })
  const notices = await api.database.query<Created>(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, facts, subject, status, attempts, created_at, contact_id)
    select ${serviceId}, told.condition || ':1', ${address}, ${alice}, ${groupId}, 'email', told.condition, 'anna@example.com',
      '{}', 'Sklep', 'sent', 1, ${new Date(api.clock.now() - 60_000)}, ${contact}
    from (values ('failure'), ('recovery')) as told (condition) returning id::int`)
  const absence = { contact_id: contact, end_time: '2031-01-01T00:00:00Z' }
  const suspension = await create(api, 'alice', '/contact_suspensions', absence)
  const shift = { every: 'week', at: '09:00', day_of_week: 1 }
  const turns = { name: 'Duty', time_zone_id: 'europe_warsaw', contact_ids: [contact], shift, starts_on: '2026-11-02' }
  const rotation = await create(api, 'alice', '/rotations', turns)
  const steps = [{ delay_seconds: 0, contact_ids: [contact], rotation_ids: [rotation] }]
  const escalation = await create(api, 'alice', '/escalations', { name: 'Nights', steps })
  await api.database.execute(sql`
    insert into escalation_statuses (service_id, change_id, escalation_id, owner_id, state, step, started_at, last_told_at, facts)
    values (${serviceId}, ${Number(changeId)}, ${escalation}, ${alice}, 'running', 1, ${new Date(api.clock.now())},
      ${new Date(api.clock.now())}, '{}')`)
  return {
    ...{ contacts: contact, contact_groups: group, contact_addresses: address, contact_suspensions: suspension },
    ...{ rotations: rotation, escalations: escalation },
    'accounts/{_account_id}/logs/contact_notifications': notices[0]?.id ?? 0,
  }
}
