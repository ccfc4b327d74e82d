import type { Problem } from '../../domain/input/problem.ts'
import type { MessageTemplate } from '../../domain/notification/message-template.ts'
import type { Operation } from '../../rest/call.ts'
import type { Fields } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { refuseAny } from '../../rest/problems.ts'
import { type Language, languageOf } from '../../wording/language.ts'
import { ownerFacts, ownerProblem } from '../on-call/references.ts'
import { type ChosenNotice, noticeFields, noticeOf, type PreviewedNotice, zoneOf } from './previewed-notice.ts'

export interface PreviewRequest {
  readonly template: MessageTemplate
  readonly channelId: string
  readonly language: Language
  /** IANA name. */
  readonly zone: string
  readonly publicUrl: string
  readonly notice: PreviewedNotice
}

export interface Preview {
  readonly subject: string
  readonly text: string
  /** Null: the channel has none. */
  readonly html: string | null
}

/** Words a message that is not sent, as the notifier would. */
export type PreviewMessage = (request: PreviewRequest) => Preview

interface Given extends ChosenNotice {
  readonly subject: string
  readonly body: string
  readonly notification_channel_id: string
  readonly language_id: string
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
      refuseAny([...problems, ...problemsOf(values), ...ownerProblem(ownerFacts(call, values, null))])
      // Values read without a problem have these members.
      const given = values as unknown as Given
      const preview = previewMessage({
        template: { subject: given.subject, body: given.body },
        channelId: given.notification_channel_id,
        language: languageOf(given.language_id),
        zone: await zoneOf(call),
        publicUrl: call.baseUrl.replace(/\/v3$/, ''),
        notice: await noticeOf(call, given),
      })
      return { status: 200, body: preview }
    },
  }
}
