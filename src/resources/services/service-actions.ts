import type { Operation } from '../../rest/call.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { type ForceLimits, forceAnalysis } from '../../service-state/schedule.ts'

/** The periods of the limits of forced analyses. */
export const forcePeriods = { minute: '60 s', hour: '1 h', day: '24 h' } as const

/** `POST /services/{_id}/force_analysis` */
export function forceAnalysisOf(limits: ForceLimits): Operation {
  return {
    id: 'services.force_analysis',
    method: 'POST',
    path: '/services/{_id}/force_analysis',
    tag: 'services',
    summary: 'Force an analysis outside the schedule',
    about: 'Refused with force_limit_exceeded above the limits of a minute, an hour and a day.',
    access: 'customer',
    parameters: pathParameters('{_id}'),
    answers: noContent,
    async handle(call) {
      const services = call.registry.get('services')
      await call.database.transaction(async (transaction) => {
        const service = await lockForWrite(services, transaction, call, 'force_analyses')
        if (service['is_archived'] === true) refuse('service_is_archived')
        const exceeded = await forceAnalysis(transaction, Number(service['id']), call.nowAt, limits)
        if (exceeded !== null) {
          refuse('force_limit_exceeded', undefined, { value: exceeded.value, period: forcePeriods[exceeded.limit] })
        }
      })
      return { status: 204 }
    },
  }
}
