import sql from 'sql-template-tag'
import { channelIds } from '../../channels/index.ts'
import type { Executor } from '../../database/connect.ts'
import { mayWrite, ownOrParents, templatePermissions } from '../../domain/access/permissions.ts'
import { languageIds } from '../../domain/dictionaries.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import {
  longestTemplateBody,
  longestTemplateSubject,
  type MessageTemplate,
} from '../../domain/notification/message-template.ts'
import { faultOfTemplate } from '../../domain/notification/template-check.ts'
import { messageShape } from '../../domain/notification/template-variables.ts'
import type { Call } from '../../rest/call.ts'
import { one, type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, identifier, integer, text } from '../../rest/fields.ts'
import { templateFaultText } from '../../wording/template-faults.ts'
import { type OwnerFacts, ownerFacts, ownerProblem } from '../on-call/references.ts'
import { type PreviewMessage, templatePreview } from './template-preview.ts'

interface Template extends MessageTemplate, Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly notification_channel_id: string
  readonly language_id: string
  readonly is_active: boolean
}

/** Locks the account, so that of two templates that become active at once one stays so. */
async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<Template>,
  before: Template | null,
): Promise<OwnerFacts> {
  const owner = ownerFacts(call, given, before)
  await transaction.execute(sql`select 1 from accounts where id = ${owner.ownerId} for no key update`)
  return owner
}

/** Faults of the sources, with line and column. */
function templateProblems({ subject, body }: Partial<MessageTemplate>): readonly Problem[] {
  return Object.entries({ subject, body }).flatMap(([name, source]) => {
    const fault = source === undefined ? null : faultOfTemplate(source, messageShape)
    if (fault === null) return []
    return [{ error: 'incorrect_value', field: `data.${name}`, expected: templateFaultText(fault) }]
  })
}

async function deactivateOthers(transaction: Executor, row: Template): Promise<void> {
  if (!row.is_active) return
  await transaction.execute(sql`
    update templates set is_active = false
    where owner_id = ${row.owner_id} and notification_channel_id = ${row.notification_channel_id}
      and language_id = ${row.language_id} and id <> ${row.id} and is_active`)
}

const write: Writing<Template, OwnerFacts> = {
  countLimit: { count: countLimits.templates, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts,
  complete: (given, before, { ownerId }) => ({
    row: before === null ? { ...given, is_active: given.is_active ?? true, owner_id: ownerId } : given,
    problems: [],
  }),
  rules: (row, owner) => [...ownerProblem(owner), ...templateProblems(row)],
  created: (transaction, _call, row) => deactivateOthers(transaction, row),
  changed: (transaction, _call, row) => deactivateOthers(transaction, row),
}

const fields = {
  id: identifier(),
  owner_id: integer({
    about: 'Whose messages it words. Default: the main account.',
    immutable: true,
    filter: true,
    sort: true,
  }),
  name: text({
    about: 'For people.',
    required: true,
    minimumLength: 1,
    maximumLength: 200,
    filter: true,
    contains: true,
    sort: true,
    example: 'Short mails',
  }),
  notification_channel_id: text({
    about: 'Element of the dictionary notification_channels.',
    required: true,
    oneOf: channelIds,
    filter: true,
    sort: true,
    example: 'email',
  }),
  language_id: text({
    about: 'The language of the readers for whom it is taken.',
    required: true,
    oneOf: languageIds,
    filter: true,
    sort: true,
    example: 'en',
  }),
  subject: text({
    about: 'In the language of templates (docs/templates.md). Channels that have no subject leave it out.',
    required: true,
    minimumLength: 1,
    maximumLength: longestTemplateSubject,
    contains: true,
    example: '{{service.name}}: {{headline}}',
  }),
  body: text({
    about:
      'The text, in the same language. What comes out empty, or longer than 20,000 characters, is worded as usual.',
    required: true,
    multiline: true,
    minimumLength: 1,
    maximumLength: longestTemplateBody,
    contains: true,
    example: '{{#if failure}}{{service.name}} failed at {{time start_time}}: {{reason}}{{/if}}',
  }),
  is_active: boolean({
    about:
      'Whether messages of the channel in this language are worded by it. An active one makes the others of the same account, channel and language inactive. Contacts may have an inactive one too.',
    filter: true,
    sort: true,
    example: true,
  }),
}

export function templates(previewMessage: PreviewMessage): Resource {
  return resource('templates', {
    about: 'Subjects and texts of messages as an account words them, for a channel and a language.',
    singular: 'notification template',
    source: table('templates'),
    fields,
    relations: { owner: one('accounts', 'owner_id') },
    embed: ['owner', 'permissions'],
    subresources: ['owner'],
    search: ['id', 'name', 'subject', 'body'],
    scope: 'notifications',
    visible: (caller) => ownOrParents(caller),
    permissions: templatePermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    configuration: {},
    write,
    actions: [templatePreview(fields, templateProblems, previewMessage)],
  })
}
