import type { CheckEvidence, CheckResult } from '../sensor/protocol.ts'

/** What a target sends may hold U+0000 and lone surrogates, which PostgreSQL keeps neither in text nor in jsonb. */
const unstorable = /[\0\p{Cs}]/gu

function storable<Text extends string | null>(text: Text): Text | string {
  return text === null ? text : text.replace(unstorable, '\ufffd')
}

/** The result with every text as the database can keep it. */
export function storableResult(result: CheckResult): CheckResult {
  if (result.errorMessage === null && result.evidence === null) return result
  const evidence = result.evidence === null ? null : storableEvidence(result.evidence)
  return { ...result, errorMessage: storable(result.errorMessage), evidence }
}

function storableEvidence(evidence: CheckEvidence): CheckEvidence {
  const facts = Object.entries(evidence.facts).map(([key, value]) => [
    storable(key),
    typeof value === 'string' ? storable(value) : value,
  ])
  return {
    ...evidence,
    base_url: storable(evidence.base_url),
    ip_address: storable(evidence.ip_address),
    response_headers: storable(evidence.response_headers),
    content_type: storable(evidence.content_type),
    file_name: storable(evidence.file_name),
    facts: Object.fromEntries(facts),
  }
}
