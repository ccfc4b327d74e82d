import sql from 'sql-template-tag'
import type { ApiWorld } from './api.ts'

/** An attempt at each failure in the log of notifications; ids by address. */
export async function givenDeliveries({ database }: ApiWorld): Promise<ReadonlyMap<number, number>> {
  const request = { method: 'POST', url: 'https://example.com/hook', headers: { 'webhook-id': 'one' }, body: '{}' }
  const exchanged = { request, response: { status: 204, headers: {}, body: '' }, durationMs: 40 }
  const made = await database.query<{ id: number; address_id: number }>(sql`
    insert into deliveries (address_id, account_id, group_id, notification_id, notification_channel_id, time, attempt,
      status, exchanged)
    select address_id, account_id, group_id, id, notification_channel_id, created_at, 1, 'sent', ${JSON.stringify(exchanged)}::jsonb
    from notification_intents where notification_condition_id = 'failure'
    returning id, address_id`)
  return new Map(made.map(({ id, address_id: addressId }) => [addressId, id]))
}
