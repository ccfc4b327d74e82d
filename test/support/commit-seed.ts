import { execFileSync } from 'node:child_process'

/**
 * A seed from the tested commit: every commit tries something new, and repeating it gives the same. Without git: 2026.
 */
export function commitSeed(): number {
  try {
    const name = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(name.slice(0, 5), 16)
  } catch {
    return 2026
  }
}
