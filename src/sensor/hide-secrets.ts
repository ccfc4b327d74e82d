import type { CheckOutcome } from './attempt.ts'
import type { CheckEvidence } from './protocol.ts'

const shortest = 1
const cover = '***'

/** Replaces every secret, also as it stands in addresses, JSON and Basic credentials. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const spellings = new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(spellingsOf))
  return [...spellings]
    .toSorted((one, other) => other.length - one.length)
    .reduce((covered, spelling) => covered.replaceAll(spelling, cover), text)
}

/** Byte for byte, whatever the encoding of the page. */
export function hideSecretsInBytes(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  if (secrets.length === 0) return bytes
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return Buffer.from(hideSecrets(text, [...secrets, ...latin1(secrets)]), 'latin1')
}

function latin1(secrets: readonly string[]): string[] {
  return secrets.map((secret) => Buffer.from(secret).toString('latin1'))
}

/** Of what a failed check shows to everybody who may read the service: a page that repeats its request repeats the password. */
export function hideSecretsOfOutcome(outcome: CheckOutcome, given: readonly string[]): CheckOutcome {
  const { errorMessage, evidence } = outcome
  // Heads of responses are read as Latin-1.
  const secrets = [...given, ...latin1(given)]
  if (given.length === 0 || (errorMessage === null && evidence === null)) return outcome
  return {
    ...outcome,
    errorMessage: errorMessage === null ? null : hideSecrets(errorMessage, secrets),
    evidence: evidence === null ? null : hideSecretsOfEvidence(evidence, secrets),
  }
}

function hideSecretsOfEvidence(evidence: CheckEvidence, secrets: readonly string[]): CheckEvidence {
  const { base_url, response_headers, facts, artifacts } = evidence
  const hidden = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === 'string' ? hideSecrets(value, secrets) : value,
  ])
  return {
    ...evidence,
    base_url: hideSecrets(base_url, secrets),
    response_headers: response_headers === null ? null : hideSecrets(response_headers, secrets),
    facts: Object.fromEntries(hidden),
    artifacts: artifacts.map((artifact) => ({ ...artifact, bytes: hideSecretsInBytes(artifact.bytes, secrets) })),
  }
}

function spellingsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    Buffer.from(secret).toString('base64'),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ]
}
