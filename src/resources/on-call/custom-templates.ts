import sql from 'sql-template-tag'
import { channelIds } from '../../channels/index.ts'
import type { Executor } from '../../database/connect.ts'
import { ownOrParents, templatePermissions } from '../../domain/access/permissions.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Call } from '../../rest/call.ts'
import { oneOfSameReaders, resource, table, type Writing } from '../../rest/declare.ts'
import { integer, text } from '../../rest/fields.ts'
import { refuse } from '../../rest/problems.ts'

interface CustomTemplate extends Readonly<Record<string, unknown>> {
  readonly contact_id: number
  readonly notification_channel_id: string
  readonly template_id: number
}

interface Facts {
  /** The template is the owner's of the contact, and for this channel. */
  readonly isTemplateAllowed: boolean
}

async function facts(transaction: Executor, { parameters }: Call, given: Partial<CustomTemplate>): Promise<Facts> {
  const channel = parameters['_channel_id'] ?? ''
  if (!channelIds.includes(channel)) refuse('not_found')
  const found =
    given.template_id === undefined
      ? []
      : await transaction.query(sql`
          select from templates join contacts on contacts.owner_id = templates.owner_id
          where templates.id = ${given.template_id} and contacts.id = ${Number(parameters['_id'])}
            and templates.notification_channel_id = ${channel} for key share of templates`)
  return { isTemplateAllowed: found.length > 0 }
}

function rules(row: Partial<CustomTemplate>, { isTemplateAllowed }: Facts): readonly Problem[] {
  if (row.template_id === undefined || isTemplateAllowed) return []
  return [{ error: 'incorrect_value', field: 'data.template_id', facts: { detail: 'template_of_channel' } }]
}

const write: Writing<CustomTemplate, Facts> = {
  facts,
  rules,
}

const key = { immutable: true, filter: true, sort: true } as const

export const customTemplates = resource('custom_templates', {
  about: 'Templates that word the messages of a contact in place of those of the account, one for a channel.',
  tag: 'templates',
  singular: 'custom template',
  path: '/contacts/{_id}/custom_templates',
  parent: 'contacts',
  bound: { _id: 'contact_id', _channel_id: 'notification_channel_id' },
  key: ['contact_id', 'notification_channel_id'],
  storedKey: { contact_id: 'contact_id', notification_channel_id: 'notification_channel_id' },
  source: table(
    'contact_templates',
    () => sql`select own.*, contacts.owner_id from contact_templates own join contacts on contacts.id = own.contact_id`,
  ),
  fields: {
    contact_id: integer(key),
    notification_channel_id: text({ ...key, oneOf: channelIds, example: 'email' }),
    template_id: integer({
      about: "A template of the contact's owner for the channel, active or not, in any language.",
      required: true,
      minimum: 1,
      filter: true,
      sort: true,
    }),
    owner_id: integer({ internal: true }),
  },
  relations: {
    contact: oneOfSameReaders('contacts', 'contact_id'),
    template: oneOfSameReaders('templates', 'template_id'),
  },
  embed: ['contact', 'template', 'permissions'],
  search: ['notification_channel_id'],
  sort: ['notification_channel_id'],
  scope: 'notifications',
  visible: (caller) => ownOrParents(caller),
  permissions: templatePermissions,
  operations: ['list', 'read', 'put', 'remove', 'permissions'],
  write,
})
