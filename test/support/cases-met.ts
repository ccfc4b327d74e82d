import { afterAll, expect } from 'vitest'

/**
 * Counts the cases that a test meets among those that it goes through. After the file's tests it says how many those
 * were, and fails if there were none, because then nothing was asserted.
 */
export function casesMet(what: string): <T>(found: T | null | undefined | false) => found is T {
  let [met, all] = [0, 0]
  afterAll(() => {
    if (all === 0) return
    process.stdout.write(`met ${met} of ${all}: ${what}\n`)
    expect(met, what).toBeGreaterThan(0)
  })
  return <T>(found: T | null | undefined | false): found is T => {
    all += 1
    const isMet = found !== null && found !== undefined && found !== false
    if (isMet) met += 1
    return isMet
  }
}
