import sql from 'sql-template-tag'
import { webhook } from '../../channels/webhook.ts'
import { rotatedSecret } from '../../channels/webhook-signature.ts'
import { dayLength } from '../../domain/calendars/durations.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import type { StoredSettings } from '../../domain/services/extended-settings.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import type { AddressResource } from './test-messages.ts'

/** Milliseconds for which the secret before the new one signs, too. */
const overlap = dayLength

/** `POST /{resource}/{_id}/rotate_secret` */
export function rotateSecretOf(resource: AddressResource): Operation {
  const path = `/${resource}/{_id}/rotate_secret`
  return {
    id: `${resource}.rotate_secret`,
    method: 'POST',
    path,
    tag: resource,
    summary: 'Give a webhook a new signing secret',
    about:
      'For 24 hours the old secret signs beside the new one, each with a signature of its own in `webhook-signature`; then it is forgotten. ' +
      'The new one is shown this once. Needs the right to change the address.',
    access: 'customer',
    parameters: pathParameters(path),
    answers: {
      200: {
        about: 'The new secret.',
        schema: {
          type: 'object',
          required: ['secret', 'old_secret_until'],
          properties: {
            secret: { type: 'string' },
            old_secret_until: { type: ['string', 'null'], description: 'Null: there was none before.' },
          },
          example: {
            secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3Yxq1+6FHN8=',
            old_secret_until: '2026-11-24T12:00:00Z',
          },
        },
      },
    },
    handle: (call) => rotate(call, resource),
  }
}

async function rotate(call: Call, resource: AddressResource) {
  const { database, nowAt, registry } = call
  return database.transaction(async (transaction) => {
    const address = await lockForWrite(registry.get(resource), transaction, call, 'update')
    if (address['notification_channel_id'] !== webhook.channel.id) refuse('channel_signs_nothing')
    const present = (address['settings'] as StoredSettings)['secret'] ?? null
    const { fresh, stored } = rotatedSecret(present === null ? null : String(present))
    const until = present === null ? null : nowAt + overlap
    await transaction.execute(sql`
      update notification_addresses
      set settings = settings || jsonb_build_object('secret', ${stored}::text),
        old_secret_until = ${until === null ? null : new Date(until)}
      where id = ${address['id']}`)
    return { status: 200, body: { secret: fresh, old_secret_until: until === null ? null : formatMoment(until) } }
  })
}
