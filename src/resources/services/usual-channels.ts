import sql from 'sql-template-tag'
import { integrations, usualChannelIds } from '../../channels/index.ts'
import type { Executor } from '../../database/connect.ts'

const integrationIds = integrations.map(({ channel }) => channel.id)

/** The default channels of a new service of the group: the usual ones, and all to which people connected the group. */
export async function usualChannelsOf(executor: Executor, groupId: number): Promise<readonly string[]> {
  const connected = await executor.query<{ id: string }>(sql`
    select distinct notification_channel_id as id from notification_addresses
    where group_id = ${groupId} and notification_channel_id = any(${integrationIds}::text[])`)
  return [...usualChannelIds, ...connected.map(({ id }) => id)]
}
