import { randomBytes, scryptSync } from 'node:crypto'
import type { ManagedState } from '../domain/configuration/managed-key.ts'

/**
 * Secrets are shown by nobody, so whether one differs is told by a fingerprint of what was set. It is slow to compute,
 * because those who may read it could guess a short secret. One salt serves a configuration, so each secret is computed
 * once in a run.
 */
export interface Fingerprints {
  of(secret: string): string
}

const cost = { N: 16_384, r: 8, p: 1 } as const
const prefix = 's:'

function saltIn(states: Iterable<ManagedState>): string | undefined {
  for (const state of states) {
    const known = Object.values(state).find((entry) => entry.startsWith(prefix))
    if (known !== undefined) return known.split(':')[1]
  }
  return undefined
}

export function fingerprintsWith(states: Iterable<ManagedState>): Fingerprints {
  const salt = saltIn(states) ?? randomBytes(9).toString('base64url')
  const known = new Map<string, string>()
  return {
    of(secret) {
      const found = known.get(secret)
      if (found !== undefined) return found
      const made = `${prefix}${salt}:${scryptSync(secret, salt, 15, cost).toString('base64url')}`
      known.set(secret, made)
      return made
    },
  }
}
