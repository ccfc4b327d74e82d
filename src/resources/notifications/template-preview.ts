import sql from 'sql-template-tag'
import type { MessageTemplate } from '../../domain/message-template.ts'
import type { NoticeFacts } from '../../domain/notice.ts'
import type { Problem } from '../../domain/problem.ts'
import { messageConditions } from '../../domain/template-variables.ts'
import { timeZoneName } from '../../domain/time-zones.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { type Fields, integer, text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { readOne } from '../../rest/select.ts'
import { type Language, languageOf } from '../../wording/language.ts'

export interface PreviewRequest {
  readonly template: MessageTemplate
  readonly channelId: string
  readonly language: Language
  /** IANA name. */
  readonly zone: string
  readonly publicUrl: string
  /** A notification that was sent; else the condition of an example. */
  readonly notice: NoticeFacts | (typeof messageConditions)[number]
}

export interface Preview {
  readonly subject: string
  readonly text: string
  /** Null: the channel has none. */
  readonly html: string | null
}

/** Words a message that is not sent, as the notifier would. */
export type PreviewMessage = (request: PreviewRequest) => Preview

const noticeFields = {
  service_id: integer({ about: 'Words the last notification of this service.', minimum: 1, untypical: true }),
  change_id: text({
    about: 'With `service_id`: words the last notification of this status change.',
    pattern: /^\d{1,15}$/,
    detail: 'past_notification',
    maximumLength: 15,
  }),
  condition: text({
    about: 'Without `service_id`: what the example tells.',
    oneOf: messageConditions,
    example: 'failure',
  }),
}

interface Given {
  readonly subject: string
  readonly body: string
  readonly notification_channel_id: string
  readonly language_id: string
  readonly service_id?: number
  readonly change_id?: string
  readonly condition?: (typeof messageConditions)[number]
}

/** The last notification of a service that the caller may read, of an account whose log they may read. */
async function pastNotice(call: Call, serviceId: number, changeId: string | undefined): Promise<NoticeFacts> {
  const where = { kind: 'is', field: 'id', value: serviceId } as const
  const service = await readOne(call.registry.get('services'), call, { where, columns: ['id'], flags: [] })
  if (service === null) refuse('incorrect_value', 'data.service_id', { detail: 'service' })
  const [found] = await call.database.query<{ facts: NoticeFacts }>(sql`
    select facts from notification_intents
    where service_id = ${serviceId} and account_id = any(${[...call.caller.account_ids]}::int[])
      and notification_condition_id <> all(${['test', 'confirmation']}::text[])
      and (${changeId ?? null}::text is null or facts -> 'change' ->> 'id' = ${changeId ?? null}::text)
    order by id desc limit 1`)
  const field = changeId === undefined ? 'data.service_id' : 'data.change_id'
  return found?.facts ?? refuse('incorrect_value', field, { detail: 'past_notification' })
}

async function zoneOf({ database, caller }: Call): Promise<string> {
  const [account] = await database.query<{ time_zone_id: string }>(
    sql`select time_zone_id from accounts where id = ${caller.account_id}`,
  )
  return timeZoneName(account?.time_zone_id ?? 'utc') ?? 'UTC'
}

const previewSchema = {
  type: 'object',
  properties: {
    subject: { type: 'string' },
    text: { type: 'string' },
    html: { type: ['string', 'null'], description: 'Null: the channel has none.' },
  },
  required: ['subject', 'text', 'html'],
  example: { subject: 'Shop: FAILURE', text: 'Shop failed at 2026-11-21 12:13:00 +01:00\n', html: null },
} as const

/** `POST /templates/preview`: nothing is kept and nothing is sent. */
export function templatePreview(
  fields: Fields,
  problemsOf: (template: Partial<MessageTemplate>) => readonly Problem[],
  previewMessage: PreviewMessage,
): Operation {
  const body = {
    ...fields,
    ...(fields['name'] === undefined ? {} : { name: { ...fields['name'], required: false } }),
    ...noticeFields,
  }
  return {
    id: 'templates.preview',
    method: 'POST',
    path: '/templates/preview',
    tag: 'templates',
    summary: 'Word a message by a template before it is saved',
    about:
      'The body is that of a creation. Nothing is kept and nothing is sent. The times are those of your own account’s zone. A part that comes out empty is shown in the usual wording. What is longer than the channel takes is cut when it is sent.',
    access: 'customer',
    body,
    answers: {
      200: {
        about: 'The message.',
        schema: previewSchema,
      },
    },
    async handle(call) {
      const { values, problems } = readBody(body, call.body, call.nowAt)
      refuseAny([...problems, ...problemsOf(values)])
      // What was read without a problem has these members.
      const given = values as unknown as Given
      const { service_id: serviceId, change_id: changeId, condition = 'failure' } = given
      if (serviceId === undefined && changeId !== undefined)
        refuse('missing_value', 'data.service_id', { name: 'service_id' })
      const preview = previewMessage({
        template: { subject: given.subject, body: given.body },
        channelId: given.notification_channel_id,
        language: languageOf(given.language_id),
        zone: await zoneOf(call),
        publicUrl: call.baseUrl.replace(/\/v3$/, ''),
        notice: serviceId === undefined ? condition : await pastNotice(call, serviceId, changeId),
      })
      return { status: 200, body: preview }
    },
  }
}
