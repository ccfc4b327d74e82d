import { rotateKey } from '../../auth/api-keys.ts'
import { mayRotate } from '../../domain/access/api-key.ts'
import type { KeyScope } from '../../domain/access/key-scopes.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import { type Call, type Operation, secretHeaders } from '../../rest/call.ts'
import { integer } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'

const path = '/api_keys/{_id}/rotate'
const dayInSeconds = 86_400

const body = {
  grace_seconds: integer({
    about: 'For so long the former key works too. Default: a day.',
    ...{ minimum: 0, maximum: 30 * dayInSeconds, example: dayInSeconds },
  }),
}

const answer = {
  type: 'object',
  required: ['key', 'prefix', 'previous_expires_at'],
  properties: {
    key: { type: 'string', description: 'Shown this once.' },
    prefix: { type: 'string', description: 'The first characters of the key.' },
    previous_expires_at: { type: 'string', format: 'date-time', description: 'The former key works until then.' },
  },
  example: {
    key: 'lat_3sXlkuPxYgWyqvVcZJGk1Q',
    prefix: 'lat_3sXlkuPx',
    previous_expires_at: '2026-11-22T12:00:00.000Z',
  },
}

/** `POST /api_keys/{_id}/rotate` */
export const rotateApiKey: Operation = {
  id: 'api_keys.rotate',
  method: 'POST',
  path,
  tag: 'api_keys',
  summary: 'Replace an API key by a new one',
  about:
    'The former key works for a while, so that programs can be given the new one without a gap. A key that was replaced before ends at once. Access tokens of the key end with that time at the latest. A key rotates no key that outlives it, an access token rotates none, and the key of an assistant’s login is not replaced.',
  access: 'any',
  parameters: pathParameters(path),
  body,
  isBodyOptional: true,
  answers: { 200: { about: 'The new key.', schema: answer } },
  async handle(call: Call) {
    const { values, problems } = readBody(body, call.body ?? {}, call.nowAt)
    refuseAny(problems)
    const grace = Number(values['grace_seconds'] ?? dayInSeconds)
    const until = call.nowAt + grace * 1000
    const { key, prefix } = await call.database.transaction(async (transaction) => {
      const row = await lockForWrite(call.registry.get('api_keys'), transaction, call, 'update')
      const scopes = row['scopes'] as readonly KeyScope[]
      const expiresAt = row['expires_at'] as number | null
      // Nobody knows the key of an assistant's login; a new one would outlive what the login granted.
      if (row['client_id'] !== null) refuse('forbidden')
      if (!mayRotate(call.caller, { scopes, expires_at: expiresAt })) refuse('forbidden')
      return rotateKey(transaction, Number(row['id']), new Date(until))
    })
    const shown = { key, prefix, previous_expires_at: formatMoment(until) }
    return { status: 200, body: shown, headers: secretHeaders }
  },
}
