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

/** Some of the items, in their order; the tested commit decides which. @param count at most as many as there are */
export function chosenByCommit<T>(items: readonly T[], count: number, seed = commitSeed()): readonly T[] {
  const first = seed % items.length
  return items.filter((_, index) => (index - first + items.length) % items.length < count)
}
