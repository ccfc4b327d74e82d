import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { webhook } from '../channels/webhook.ts'
import { rotatedSecrets } from '../channels/webhook-signature.ts'
import type { StoredSettings } from '../domain/extended-settings.ts'
import { formatMoment } from '../domain/time.ts'
import type { Operation } from '../rest/call.ts'
import { lockForWrite } from '../rest/operations/write.ts'
import { pathParameters } from '../rest/parameter-descriptions.ts'
import { refuse } from '../rest/problems.ts'

/** Hours that the old secret signs beside the new one. */
const overlapHours = 24

/** `POST /{resource}/{_id}/rotate_secret`: the resource holds rows of `notification_addresses`. */
export function rotateSecretOf(resource: 'notification_addresses' | 'contact_addresses'): Operation {
  const path = `/${resource}/{_id}/rotate_secret`
  return {
    id: `${resource}.rotate_secret`,
    method: 'POST',
    path,
    tag: resource,
    summary: 'Give a webhook a new signing secret',
    about:
      `The answer shows the new secret, and nothing shows it again. For ${overlapHours} hours each request carries two signatures, of the new secret and of ` +
      'the one before. An older one that was still in use ends at once. Needs the right to change the address.',
    access: 'customer',
    parameters: pathParameters(path),
    answers: {
      200: {
        about: 'The new secret.',
        schema: {
          type: 'object',
          required: ['secret', 'old_secret_until'],
          properties: {
            secret: { type: 'string', description: 'As Standard Webhooks writes it.' },
            old_secret_until: {
              type: ['string', 'null'],
              format: 'date-time',
              description: 'Until then the one before signs too; null: there was none.',
            },
          },
          example: {
            secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwwq1kT5hTk2k=',
            old_secret_until: '2026-11-24T12:00:00Z',
          },
        },
      },
    },
    async handle(call) {
      const made = `whsec_${randomBytes(32).toString('base64')}`
      const until = call.nowAt + overlapHours * 3_600_000
      const hadOne = await call.database.transaction(async (transaction) => {
        const row = await lockForWrite(call.registry.get(resource), transaction, call, 'update')
        const channel = String(row['notification_channel_id'])
        if (channel !== webhook.channel.id) refuse('impossible_for_channel', undefined, { channel })
        const { secret } = row['settings'] as StoredSettings
        const before = typeof secret === 'string' ? secret : null
        await transaction.execute(sql`
          update notification_addresses set old_secret_until = ${before === null ? null : new Date(until)},
            settings = jsonb_set(settings, '{secret}', to_jsonb(${rotatedSecrets(made, before)}::text))
          where id = ${row['id']}`)
        return before !== null
      })
      return { status: 200, body: { secret: made, old_secret_until: hadOne ? formatMoment(until) : null } }
    },
  }
}
