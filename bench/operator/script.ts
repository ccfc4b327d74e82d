/** When each target fails: known beforehand, so that every verdict and every notice is known too. */
import { chanceOf } from '../../test/crash/chance.ts'

/** How a target behaves: most always work, some never do, some break and recover. */
export type Temper = 'steady' | 'down' | 'flapping'

/** The rounds of the measurement, which are the same number for every service. */
export interface Course {
  /** Unix milliseconds: moments of the grid from here on are measured. */
  readonly startsAt: number
  /** Measured rounds of each service. */
  readonly rounds: number
  readonly intervalMs: number
}

/** In thousandths of all. */
const downShare = 10
const flappingShare = 60
const salt = 7919

export function temperOf(index: number): Temper {
  const draw = chanceOf(index + salt).between(0, 999)
  if (draw < downShare) return 'down'
  return draw < downShare + flappingShare ? 'flapping' : 'steady'
}

/** A phase of a target lasts so many rounds. */
const longestUp = 12
const longestDown = 4

/**
 * Whether a flapping target fails in each of its measured rounds. It works before them, and afterwards keeps its state.
 */
export function failingRounds(index: number, rounds: number): boolean[] {
  const chance = chanceOf(index)
  const failing: boolean[] = []
  while (failing.length < rounds) {
    const up = chance.between(1, longestUp)
    const down = chance.between(1, longestDown)
    failing.push(...Array<boolean>(up).fill(false), ...Array<boolean>(down).fill(true))
  }
  return failing.slice(0, rounds)
}

/** The first measured moment of a service whose grid has the phase (milliseconds). */
export function firstMoment({ startsAt, intervalMs }: Course, phase: number): number {
  return Math.ceil((startsAt - phase) / intervalMs) * intervalMs + phase
}

/**
 * The round in whose middle the moment lies; below 0 before the measurement. Targets change half-way between two
 * rounds, so no check is near a change.
 */
export function roundAt(course: Course, phase: number, at: number): number {
  return Math.floor((at - firstMoment(course, phase)) / course.intervalMs + 0.5)
}

/** Whether the target should fail in that round, or in the one before or after the measured ones that is nearest. */
export function isFailing(index: number, failing: readonly boolean[], round: number): boolean {
  const temper = temperOf(index)
  if (temper !== 'flapping') return temper === 'down'
  return round >= 0 && (failing[Math.min(round, failing.length - 1)] ?? false)
}

/** Notices of a service's whole life, in order: of a failure when it begins, of a recovery when it ends. */
export function expectedNotices(index: number, rounds: number): ('failure' | 'recovery')[] {
  const failing = temperOf(index) === 'flapping' ? failingRounds(index, rounds) : [temperOf(index) === 'down']
  return failing.flatMap((fails, round) => {
    if (fails === (failing[round - 1] ?? false)) return []
    return [fails ? ('failure' as const) : ('recovery' as const)]
  })
}
