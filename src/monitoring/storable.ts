import { storable } from '../domain/input/storable.ts'
import { oneLine } from '../domain/text/one-line.ts'
import type { CheckEvidence, CheckResult } from '../sensor/protocol.ts'

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storable(text)
}

/** The longest sentence of a failure, whoever says it. */
const longestMessage = 4000

/**
 * The result with every text in a form that the database can store, and its sentence in one that is safe for terminals.
 */
export function storableResult(result: CheckResult): CheckResult {
  if (result.errorMessage === null && result.evidence === null) return result
  const evidence = result.evidence === null ? null : storableEvidence(result.evidence)
  const errorMessage = result.errorMessage === null ? null : oneLine(storable(result.errorMessage), longestMessage)
  return { ...result, errorMessage, evidence }
}

function storableEvidence(evidence: CheckEvidence): CheckEvidence {
  const facts = Object.entries(evidence.facts).map(([key, value]) => [
    storable(key),
    typeof value === 'string' ? storable(value) : value,
  ])
  return {
    ...evidence,
    base_url: storable(evidence.base_url),
    ip_address: storableOrNull(evidence.ip_address),
    response_headers: storableOrNull(evidence.response_headers),
    content_type: storableOrNull(evidence.content_type),
    file_name: storableOrNull(evidence.file_name),
    facts: Object.fromEntries(facts),
  }
}
