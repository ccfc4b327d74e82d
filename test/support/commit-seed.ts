import { execFileSync } from 'node:child_process'

/** A seed of the commit that is tested: every commit tries something new, and trying it again is the same. Without git: 2026. */
export function commitSeed(): number {
  try {
    const name = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(name.slice(0, 5), 16)
  } catch {
    return 2026
  }
}
