import { setTimeout as wait } from 'node:timers/promises'

/** Longer than the work takes. */
const answerAfterMs = 250

export type Pause = (milliseconds: number) => Promise<unknown>

/** Answers no sooner than others do, so that the time of the answer does not tell what the work found. */
export async function inEvenTime<T>(work: () => Promise<T>, pause: Pause = wait): Promise<T> {
  const [done] = await Promise.all([work(), pause(answerAfterMs)])
  return done
}

/** The same for work that is done, where only some of its outcomes wait. */
export async function evenUp(tookMs: number, pause: Pause = wait): Promise<void> {
  await pause(Math.max(0, answerAfterMs - tookMs))
}
