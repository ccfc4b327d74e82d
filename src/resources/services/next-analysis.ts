import { formatMoment } from '../../domain/time.ts'
import type { Operation } from '../../rest/call.ts'
import { readParent } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { readNextRound } from '../../service-state/next-round.ts'

const answerSchema = {
  type: 'object',
  required: ['time', 'reason'],
  properties: {
    time: { type: ['string', 'null'], format: 'date-time' },
    reason: { type: ['string', 'null'], enum: ['interval', 'confirmation', 'forced', null] },
  },
  example: { time: '2026-11-21T11:20:00Z', reason: 'interval' },
} as const

/** `GET /services/{_id}/next_analysis`: an answer of its own, since plans lie apart from services. */
export const nextAnalysis: Operation = {
  id: 'services.next_analysis',
  method: 'GET',
  path: '/services/{_id}/next_analysis',
  tag: 'services',
  summary: 'When the service is checked next',
  about:
    'Null while monitoring is stopped. A moment that has gone by is that of the round under way. `confirmation` is a round before the usual one, for a notice that waits for it.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: { 200: { about: 'The moment, and why then.', schema: answerSchema } },
  async handle(call) {
    const service = await readParent(call.registry.get('services'), call)
    const next = await readNextRound(call.database, Number(service['id']))
    return {
      status: 200,
      body: { time: next === null ? null : formatMoment(next.due_at), reason: next?.reason ?? null },
    }
  },
}
