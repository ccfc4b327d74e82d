import { type OfferedType, watchesDomain } from '../checks/index.ts'
import { trialServiceId } from '../sensor/protocol.ts'
import type { AnalysedTarget } from '../service-state/claims.ts'
import type { Analysis } from './analysis.ts'
import type { CoreChecks } from './core-checks.ts'

/** The domain of the host, for an analysis. A trial asks no registry: anybody may try any name. */
export function watchedDomain(
  type: OfferedType,
  { id, address }: AnalysedTarget,
  core: Pick<CoreChecks, 'domainOf'> | undefined,
): Pick<Analysis, 'domain'> {
  if (core?.domainOf === undefined || id === trialServiceId) return {}
  return { domain: watchesDomain(type) ? core.domainOf(type, address) : null }
}
