import type { SettingValue } from '../domain/services/service-types.ts'
import { oneLine } from '../domain/text/one-line.ts'
import type { CheckOutcome } from './attempt.ts'
import { longest, most } from './bounds.ts'
import type { CheckEvidence } from './protocol.ts'

/** A target may send texts of any length; this limits how much of them leaves the station. */
export function boundedResult<T extends CheckOutcome>(result: T): T {
  const { errorMessage, evidence, steps } = result
  if (errorMessage === null && evidence === null && steps === null) return result
  return {
    ...result,
    errorMessage: errorMessage === null ? null : oneLine(errorMessage, longest.message),
    steps: steps?.slice(0, most.steps).map((step) => ({ ...step, name: step.name.slice(0, longest.text) })) ?? null,
    evidence: evidence === null ? null : boundedEvidence(evidence),
  }
}

function boundedEvidence(evidence: CheckEvidence): CheckEvidence {
  const facts = Object.entries(evidence.facts).slice(0, most.facts)
  return {
    ...evidence,
    base_url: evidence.base_url.slice(0, longest.text),
    ip_address: cut(evidence.ip_address, longest.id),
    response_headers: cut(evidence.response_headers, longest.keptHeaders),
    content_type: cut(evidence.content_type, longest.text),
    file_name: cut(evidence.file_name, longest.text),
    facts: Object.fromEntries(facts.map(([key, value]) => [key.slice(0, longest.name), boundedFact(value)])),
    artifacts: evidence.artifacts.map((artifact) => ({
      ...artifact,
      contentType: artifact.contentType.slice(0, longest.text),
    })),
  }
}

function boundedFact(value: SettingValue): SettingValue {
  return typeof value === 'string' ? value.slice(0, longest.text) : value
}

function cut(given: string | null, longestLength: number): string | null {
  return given === null ? null : given.slice(0, longestLength)
}
