import { readRunDelay } from '../../child-process/run-delay.ts'

/**
 * Begins to watch processes of a browser. The function that it returns tells for how many milliseconds since then that one of them which
 * waited most had no CPU: such time is not the page's. 0 where the system does not tell.
 */
export function watchStarvation(processIds: readonly number[], read = readRunDelay): () => number {
  const before = processIds.map((id) => [id, read(id)] as const)
  return () => {
    const waited = before.map(([id, delayMs]) => (delayMs === null ? 0 : (read(id) ?? delayMs) - delayMs))
    return Math.max(0, ...waited)
  }
}
