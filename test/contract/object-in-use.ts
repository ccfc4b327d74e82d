import sql from 'sql-template-tag'
import type { ErrorCase } from './error-cases.ts'

/** The escalation whose step refers to the rotation that is to be deleted. */
let escalationId = 0

export const objectInUse: ErrorCase = {
  facts: () => ({ resource: 'escalations', id: escalationId, name: 'Nights' }),
  async prepare({ call, database, people }) {
    const [contact] = await database.query<{ id: number }>(sql`
      insert into contacts (owner_id, name, language_id, time_zone_id)
      values (${people.ids.alice}, 'Anna', 'pl', 'europe_warsaw') returning id`)
    const turns = { time_zone_id: 'utc', contact_ids: [contact?.id], shift: { every: 'day', at: '09:00' } }
    const rotation = await call('alice', 'POST', '/rotations', { name: 'Duty', starts_on: '2026-11-02', ...turns })
    const { id } = rotation.body as { readonly id: number }
    const steps = [{ delay_seconds: 0, rotation_ids: [id] }]
    const escalation = await call('alice', 'POST', '/escalations', { name: 'Nights', steps })
    escalationId = (escalation.body as { readonly id: number }).id
    return (headers) => call('alice', 'DELETE', `/rotations/${id}`, undefined, headers)
  },
}
