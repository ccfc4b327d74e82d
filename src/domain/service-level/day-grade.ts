import type { DayBar } from './history-bars.ts'

/** How much of a day was failure. */
export type DayGrade = 'none' | 'ok' | 'slight' | 'little' | 'some' | 'much'

const daySeconds = 86_400

/** Shares of the day up to which a failure has the grade. */
const steps = [
  ['slight', 0.001],
  ['little', 0.01],
  ['some', 0.05],
] as const

/**
 * The grade by the share of the whole day, so that a minute of failure never colors a day that has just begun. `none`:
 * nothing watched it.
 */
export function dayGrade({ ok, failure }: Pick<DayBar, 'ok' | 'failure'>): DayGrade {
  if (ok + failure === 0) return 'none'
  if (failure === 0) return 'ok'
  // Several services have several days' worth of seconds.
  const share = failure / Math.max(daySeconds, ok + failure)
  return steps.find(([, most]) => share <= most)?.[0] ?? 'much'
}
