import { reportsIn } from '../../checks/index.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import type { Row } from '../../domain/queries/condition.ts'
import { awaited } from '../../domain/services/heartbeat.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { readParent } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { readHearing, readHeartbeats } from '../../service-state/heartbeats.ts'
import { readNextRound } from '../../service-state/next-round.ts'

const answerSchema = {
  type: 'object',
  required: ['time', 'reason', 'expected_at'],
  properties: {
    expected_at: { type: ['string', 'null'], format: 'date-time' },
    time: { type: ['string', 'null'], format: 'date-time' },
    reason: { type: ['string', 'null'], enum: ['interval', 'confirmation', 'forced', null] },
  },
  example: { time: '2026-11-21T11:20:00Z', reason: 'interval', expected_at: null },
} as const

/** `GET /services/{_id}/next_analysis`: an answer of its own, since plans lie apart from services. */
export const nextAnalysis: Operation = {
  id: 'services.next_analysis',
  method: 'GET',
  path: '/services/{_id}/next_analysis',
  tag: 'services',
  summary: 'When the service is checked next',
  about:
    'Null while monitoring is stopped. A moment that has gone by is that of the round under way. `expected_at` is the moment at which the next report of a heartbeat is expected, before its grace; null for other types, before the first ping and while it fails. `confirmation` is a round before the usual one, for a notice that waits for it.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: { 200: { about: 'The moment, and why then.', schema: answerSchema } },
  async handle(call) {
    const service = await readParent(call.registry.get('services'), call)
    const next = await readNextRound(call.database, Number(service['id']))
    const expectedAt = next !== null && reportsIn(String(service['type_id'])) ? await readExpected(call, service) : null
    return {
      status: 200,
      body: {
        ...{ time: momentOrNull(next?.due_at), reason: next?.reason ?? null },
        expected_at: momentOrNull(expectedAt),
      },
    }
  },
}

function momentOrNull(at: number | null | undefined): string | null {
  return at == null || !Number.isFinite(at) ? null : formatMoment(at)
}

/** As the judge would say now; null while nothing is waited for. */
async function readExpected({ database }: Call, { id }: Row): Promise<number | null> {
  const heartbeat = (await readHeartbeats(database, [Number(id)])).get(Number(id))
  if (heartbeat === undefined) return null
  const { state, rules } = heartbeat
  if (state.failure !== null || state.baseAt === null) return null
  const hearing = await readHearing(database, [Number(id)])
  return awaited(rules, state.baseAt, hearing(Number(id)).outages)
}
