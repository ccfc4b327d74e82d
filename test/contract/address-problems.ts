import sql from 'sql-template-tag'
import type { ErrorCase } from './error-cases.ts'

export const signsNothing: ErrorCase = {
  async prepare({ call }) {
    const address = { notification_channel_id: 'email', address: 'bob@example.com' }
    const { id } = (await call('alice', 'POST', '/notification_addresses', address)).body as { readonly id: number }
    return (headers) => call('alice', 'POST', `/notification_addresses/${id}/rotate_secret`, undefined, headers)
  },
}

/** The notification of the delivery is not in the log any more. */
export const unrepeatableDelivery: ErrorCase = {
  async prepare({ call, database, clock }) {
    await database.execute(sql`delete from notification_intents where notification_condition_id = 'test'`)
    const address = { notification_channel_id: 'email', address: 'alice@example.com' }
    const { id } = (await call('alice', 'POST', '/notification_addresses', address)).body as { readonly id: number }
    const [made] = await database.query<{ id: number }>(sql`
      insert into deliveries (address_id, account_id, group_id, notification_id, notification_channel_id, time, attempt,
        status, exchanged)
      select a.id, g.owner_id, g.id, 0, a.notification_channel_id, ${new Date(clock.now())}, 1, 'sent', '{}'
      from notification_addresses a join groups g on g.id = a.group_id where a.id = ${id} returning id`)
    const path = `/notification_addresses/${id}/deliveries/${made?.id}/redeliver`
    return (headers) => call('alice', 'POST', path, undefined, headers)
  },
}
