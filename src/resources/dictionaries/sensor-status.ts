import { formatMoment } from '../../domain/calendars/time.ts'
import type { Operation } from '../../rest/call.ts'
import type { Fields } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { shownSchemaOf } from '../../rest/schemas.ts'

const path = '/sensors/{_id}/status'

function ofStatus(fields: Fields): Fields {
  return Object.fromEntries(
    ['id', 'is_available', 'last_seen_at'].flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])),
  )
}

/** `GET /sensors/{_id}/status` */
export const sensorStatusOf = (fields: Fields): Operation => ({
  id: 'sensors.status',
  method: 'GET',
  path,
  tag: 'sensors',
  summary: 'Whether a station works now',
  access: 'public',
  parameters: pathParameters(path),
  answers: { 200: { about: 'The state.', schema: shownSchemaOf(ofStatus(fields)) } },
  async handle(call) {
    const row = await locatedRow(call.registry.get('sensors'), call, {
      flags: [],
      columns: ['id', 'is_available', 'last_seen_at'],
    })
    const seenAt = row['last_seen_at'] as number | null
    const body = {
      id: row['id'],
      is_available: row['is_available'],
      last_seen_at: seenAt === null ? null : formatMoment(seenAt),
    }
    return { status: 200, body }
  },
})
