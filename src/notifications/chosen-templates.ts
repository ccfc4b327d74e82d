import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { MessageTemplate } from '../domain/notification/message-template.ts'
import { inBatches } from './batches.ts'

/** The facts of a claimed intent. */
interface Asked {
  readonly account_id: number
  readonly address_id: number
  readonly notification_channel_id: string
  readonly language_id: string | null
}

/** The template by which a message is worded; null: as usual. */
export type ChooseTemplate = (intent: Asked) => Promise<MessageTemplate | null>

/**
 * Chooses the contact's template for the channel, otherwise the account's active one for channel and language.
 * Templates of other accounts are never used.
 */
export function templateChooser(database: Executor): ChooseTemplate {
  return inBatches(async (asked: readonly Asked[]) => {
    const found = await database.query<MessageTemplate & { readonly place: number }>(
      sql`select distinct on (asked.place) asked.place::int, template.subject, template.body
        from unnest(${asked.map((each) => each.account_id)}::int[], ${asked.map((each) => each.address_id)}::int[],
          ${asked.map((each) => each.notification_channel_id)}::text[], ${asked.map((each) => each.language_id)}::text[])
          with ordinality asked (account_id, address_id, channel_id, language_id, place)
        join templates template on template.owner_id = asked.account_id and template.notification_channel_id = asked.channel_id
        left join notification_addresses address on address.id = asked.address_id
        left join contact_templates own on own.template_id = template.id and own.contact_id = address.contact_id
          and own.notification_channel_id = asked.channel_id
        where own.template_id is not null or (template.is_active and template.language_id = asked.language_id)
        order by asked.place, own.template_id is null`,
      'choose-templates',
    )
    const byPlace = new Map(found.map(({ place, subject, body }) => [place, { subject, body }]))
    return asked.map((_, index) => byPlace.get(index + 1) ?? null)
  })
}
