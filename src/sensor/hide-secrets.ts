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

/** For heads of responses, which are read as Latin-1. To be used before a text is cut or cleaned: a changed secret is not found. */
export function hiderOf(secrets: readonly string[]): (text: string) => string {
  const spelt = [...secrets, ...latin1(secrets)]
  return (text) => hideSecrets(text, spelt)
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

/** Every text of it, so that a member of tomorrow is covered too; only content is text of the target's among the artifacts here. */
function hideSecretsOfEvidence(evidence: CheckEvidence, secrets: readonly string[]): CheckEvidence {
  const { facts, artifacts, ...others } = evidence
  return {
    ...hideSecretsOfTexts(others, secrets),
    facts: hideSecretsOfTexts(facts, secrets),
    artifacts: artifacts.map(({ typeId, contentType, bytes }) => ({
      typeId,
      contentType: hideSecrets(contentType, secrets),
      bytes: typeId === 'content' ? hideSecretsInBytes(bytes, secrets) : bytes,
    })),
  }
}

function hideSecretsOfTexts<T extends object>(texts: T, secrets: readonly string[]): T {
  const hidden = Object.entries(texts).map(([name, value]) => [
    name,
    typeof value === 'string' ? hideSecrets(value, secrets) : value,
  ])
  return Object.fromEntries(hidden) as T
}

function spellingsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll(/%[0-9A-F]{2}/g, (encoded) => encoded.toLowerCase()),
    encodeURI(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    // Without the padding, which some leave out.
    Buffer.from(secret).toString('base64').replaceAll('=', ''),
    Buffer.from(secret).toString('base64url'),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ]
}
