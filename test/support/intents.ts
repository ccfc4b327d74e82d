import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import type { NoticeFacts } from '../../src/domain/notification/notice.ts'
import { failureNotice } from './notices.ts'

/** An account that reads notices; its services need not exist. */
export async function givenReader(database: Database, languageId = 'pl', timeZoneId = 'europe_warsaw') {
  const [reader] = await database.query<{ id: number }>(sql`
    with distribution as (insert into distributions (name) values ('test') returning id),
    package as (
      insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids,
        available_service_types)
      select id, 'test', 10, '{email}', '[]' from distribution returning id, distribution_id
    )
    insert into accounts (distribution_id, package_id, username, name, language_id, time_zone_id)
    select distribution_id, id, 'reader' || id, 'Reader', ${languageId}, ${timeZoneId} from package returning id`)
  if (reader === undefined) throw new Error('no account was made')
  return reader.id
}

export interface IntentValues {
  readonly accountId: number
  readonly facts?: NoticeFacts
  readonly channelId?: string
  readonly address?: string
  readonly addressId?: number
  readonly eventId?: string
  /** For an address that a user named. */
  readonly destination?: string
  readonly createdAt: number
}

/** An intent as the core writes it. */
export async function givenIntent(database: Database, values: IntentValues): Promise<void> {
  const { accountId, facts = failureNotice(), channelId = 'email', address = 'alice@example.com' } = values
  const { addressId = 7, eventId = `${facts.condition}-${facts.sinceAt}`, createdAt, destination = null } = values
  await database.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at)
    values (${facts.service.id}, ${eventId}, ${addressId}, ${accountId}, ${facts.group.id}, ${channelId},
      ${facts.condition}, ${address}, ${destination}, ${JSON.stringify(facts)}, ${new Date(createdAt)}, ${new Date(createdAt)})`)
}

export interface IntentRow {
  readonly event_id: string
  readonly address_id: number
  readonly address: string
  readonly notification_channel_id: string
  readonly subject: string | null
  readonly status: string
  readonly attempts: number
  readonly error_message: string | null
  readonly next_attempt_at: number | null
  readonly handed_over_at: number | null
  readonly finished_at: number | null
}

export function intentRows(database: Database): Promise<IntentRow[]> {
  return database.query<IntentRow>(sql`
    select event_id, address_id, address, notification_channel_id, subject, status, attempts, error_message,
      next_attempt_at, handed_over_at, finished_at
    from notification_intents order by id`)
}
