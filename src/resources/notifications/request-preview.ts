import { integrationOf } from '../../channels/index.ts'
import type { StoredSettings } from '../../domain/services/extended-settings.ts'
import type { Call, Operation } from '../../rest/call.ts'
import type { Fields } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { acceptNew } from '../../rest/operations/create.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import type { Language } from '../../wording/language.ts'
import { type ChosenNotice, noticeFields, noticeOf, type PreviewedNotice, zoneOf } from './previewed-notice.ts'
import type { AddressResource } from './test-messages.ts'

export interface RequestPreviewed {
  readonly channelId: string
  readonly address: string
  readonly settings: StoredSettings
  readonly language: Language
  /** IANA name. */
  readonly zone: string
  readonly publicUrl: string
  readonly notice: PreviewedNotice
}

/** A request as people may see it: `***` stands for each secret. */
export interface RequestPreview {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null: it has none, or none that people can read. */
  readonly body: string | null
}

/** Makes the request of a notification as the notifier does, without sending it. Null: the channel does not send it. */
export type PreviewRequestTo = (previewed: RequestPreviewed) => RequestPreview | null

const schema = {
  type: 'object',
  properties: {
    method: { type: 'string' },
    url: { type: 'string' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    body: { type: ['string', 'null'], description: 'Null: there is none, or none that people can read.' },
  },
  required: ['method', 'url', 'headers', 'body'],
  example: {
    method: 'POST',
    url: 'https://hooks.example.com/latarnik',
    headers: { 'Content-Type': 'application/json' },
    body: '{"type":"service.failure"}',
  },
} as const

/** The values that must meet the rules of a new address. */
interface Accepted {
  readonly notification_channel_id: string
  readonly address: string
  readonly settings: StoredSettings
}

async function accept(call: Call, resource: AddressResource, fields: Fields): Promise<Accepted> {
  const given = Object.entries((call.body ?? {}) as Readonly<Record<string, unknown>>)
  const body = Object.fromEntries(given.filter(([name]) => fields[name] !== undefined))
  const { row } = await call.database.transaction((transaction) =>
    acceptNew(call.registry.get(resource), transaction, { ...call, body }),
  )
  // An accepted row has these members.
  return row as unknown as Accepted
}

/** `POST /{resource}/preview`: nothing is kept and nothing is sent. */
export function requestPreview(resource: AddressResource, fields: Fields, previewRequest: PreviewRequestTo): Operation {
  const body = { ...fields, ...noticeFields }
  return {
    id: `${resource}.preview`,
    method: 'POST',
    path: `/${resource}/preview`,
    tag: resource,
    summary: 'Show the request that a notification becomes, before the address is saved',
    about:
      'For channels whose address is made of `settings`: webhooks with their templates, and all other integrations. The body and the rights are those of a creation, with the notification that is told. Nothing is kept and nothing is sent; `***` stands for each secret.',
    access: 'customer',
    body,
    answers: { 200: { about: 'The request.', schema } },
    async handle(call) {
      const { values, problems } = readBody(body, call.body, call.nowAt)
      refuseAny(problems)
      const { notification_channel_id: channelId, address, settings } = await accept(call, resource, fields)
      if (integrationOf(channelId) === undefined)
        refuse('incorrect_value', 'data.notification_channel_id', { detail: 'channel_with_settings' })
      // Values read without a problem have these members.
      const notice = await noticeOf(call, values as ChosenNotice)
      const zone = await zoneOf(call)
      const publicUrl = call.baseUrl.replace(/\/v3$/, '')
      const { language } = call
      const shown = previewRequest({ channelId, address, settings, language, zone, publicUrl, notice })
      return {
        status: 200,
        body: shown ?? refuse('incorrect_value', 'data.condition', { detail: 'untold_condition' }),
      }
    },
  }
}
