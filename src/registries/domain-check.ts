import { formatMoment } from '../domain/calendars/time.ts'
import {
  type DomainDemands,
  findingOf,
  namesIn,
  type RegistryFault,
  type RegistryMemory,
  registrableDomain,
} from '../domain/expiry/registration.ts'
import { errorType, resultOfFailure } from '../domain/judging/error-types.ts'
import type { SettingValue } from '../domain/services/service-types.ts'
import { errorText } from '../domain/text/error-text.ts'
import type { CheckEvidence, CheckJob, CheckResult } from '../sensor/protocol.ts'
import { asciiName } from './ascii-name.ts'
import type { Registries } from './registries.ts'

/** The check of a domain: the core does it, with the answers that all services share. */

/** Never rejects. */
export async function checkDomain(
  job: CheckJob,
  registries: Pick<Registries, 'read'>,
  now: () => number,
): Promise<CheckResult> {
  const domain = asciiName(registrableDomain(job.address) ?? '')
  if (domain === null) {
    return resultOf(job, { symbol: 'setting_invalid', message: `${job.address} is no domain that can be registered` })
  }
  let memory: RegistryMemory
  try {
    memory = await registries.read(domain)
  } catch (error) {
    return resultOf(job, { symbol: 'sensor_fault', message: errorText(error) })
  }
  const { fault, expiry } = findingOf(domain, memory, demandsOf(job.settings), now())
  const result = resultOf(job, fault)
  const isKnown = fault === null || result.result === 'error'
  const evidence: CheckEvidence = {
    ...{ base_url: domain, ip_address: null, status_code: null, response_headers: null },
    ...{ content_type: null, file_name: null, artifacts: [] },
    facts: isKnown ? factsOf(memory) : {},
  }
  return { ...result, evidence, ...(expiry === null ? {} : { expiry }) }
}

function demandsOf(settings: CheckJob['settings']): DomainDemands {
  return {
    nameServers: namesIn(String(settings['expected_name_servers'] ?? '')).map((name) => asciiName(name) ?? name),
    registrar: String(settings['expected_registrar'] ?? '').trim(),
    mustBeSigned: settings['require_dnssec'] === true,
  }
}

/** Without the moment of the answer, which would tell whether somebody else watches the domain. */
function factsOf({ registration }: RegistryMemory): Readonly<Record<string, SettingValue>> {
  if (registration === null) return {}
  const { endsAt, registeredAt, registrar, nameServers, isSigned, statuses } = registration
  return {
    domain_ends: endsAt === null ? null : formatMoment(endsAt),
    domain_registered: registeredAt === null ? null : formatMoment(registeredAt),
    domain_registrar: registrar,
    domain_name_servers: nameServers.join(', '),
    domain_signed: isSigned,
    domain_status: statuses.join(', '),
  }
}

function resultOf({ serviceId, sensorId, startAt }: CheckJob, fault: RegistryFault | null): CheckResult {
  return {
    ...{ serviceId, sensorId, startedAt: startAt, responseTime: null, dataSize: null },
    ...{ phases: null, steps: null, evidence: null },
    result: fault === null ? 'ok' : resultOfFailure(fault.symbol),
    errorTypeId: fault === null ? null : errorType(fault.symbol).id,
    errorMessage: fault === null ? null : fault.message,
  }
}
