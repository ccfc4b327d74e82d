import type { WatchedDomain } from '../domain/expiry/watched-domain.ts'
import { coreSensorId } from '../domain/judging/analysis.ts'
import { errorType } from '../domain/judging/error-types.ts'
import type { ServiceType } from '../domain/services/service-types.ts'
import type { CheckJob, CheckResult } from '../sensor/protocol.ts'

/** The checks that the core does by itself, without any station. */
export interface CoreChecks {
  /** Never rejects. */
  check(job: CheckJob): Promise<CheckResult>
  /**
   * The domain of a service's host, as far as it is known; null: there is none to watch. Absent where nobody asks
   * registries.
   */
  domainOf?(type: Pick<ServiceType, 'addressForm'>, address: string): WatchedDomain | null
  /** Removes what is kept no longer. */
  tidy(): Promise<void>
}

/** Where the core checks nothing by itself. */
export const noCoreChecks: CoreChecks = {
  async check({ serviceId, startAt, typeId }) {
    return {
      ...{ serviceId, sensorId: coreSensorId, result: 'unknown', startedAt: startAt, responseTime: null },
      ...{ dataSize: null, phases: null, steps: null, evidence: null },
      errorTypeId: errorType('type_not_supported').id,
      errorMessage: `services of type ${typeId} are not checked here`,
    }
  },
  tidy: async () => undefined,
}
