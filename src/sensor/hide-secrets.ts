import type { CheckOutcome } from './attempt.ts'
import type { CheckEvidence } from './protocol.ts'

const shortest = 1
const cover = '***'

/** Replaces every secret, including its forms in addresses, JSON and Basic credentials. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const spellings = new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(spellingsOf))
  return [...spellings]
    .toSorted((one, other) => other.length - one.length)
    .reduce((covered, spelling) => covered.replaceAll(spelling, cover), text)
}

/**
 * For response heads, which are read as Latin-1. Apply it before a text is cut or cleaned, because a changed secret is
 * not found.
 */
export function hiderOf(secrets: readonly string[]): (text: string) => string {
  const spelt = [...secrets, ...latin1(secrets)]
  return (text) => hideSecrets(text, spelt)
}

/** Works byte for byte, whatever the page's encoding. */
export function hideSecretsInBytes(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  if (secrets.length === 0) return bytes
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return Buffer.from(hideSecrets(text, [...secrets, ...latin1(secrets)]), 'latin1')
}

function latin1(secrets: readonly string[]): string[] {
  return secrets.map((secret) => Buffer.from(secret).toString('latin1'))
}

/**
 * Hides secrets in everything that a failed check shows to readers of the service. A page that echoes its request
 * echoes the password.
 */
export function hideSecretsOfOutcome(outcome: CheckOutcome, given: readonly string[]): CheckOutcome {
  const { errorMessage, evidence } = outcome
  // Response heads are read as Latin-1.
  const secrets = [...given, ...latin1(given)]
  if (given.length === 0 || (errorMessage === null && evidence === null)) return outcome
  return {
    ...outcome,
    errorMessage: errorMessage === null ? null : hideSecrets(errorMessage, secrets),
    evidence: evidence === null ? null : hideSecretsOfEvidence(evidence, secrets),
  }
}

/**
 * Covers every text, so that future members are covered too. Among the artifacts only `content` is the target's own
 * text.
 */
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
    // Without the padding, which some programs omit.
    Buffer.from(secret).toString('base64').replaceAll('=', ''),
    Buffer.from(secret).toString('base64url'),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ]
}
