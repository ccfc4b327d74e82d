/** Why notices of the script were not decided: what a service's verdicts say must be told, against what was told. */
import { expectedNotices, failingRounds, temperOf } from './script.ts'

/** The verdicts of a service's rounds, by number; undefined where there was no round. */
export type Verdicts = readonly ('ok' | 'failure' | 'none' | undefined)[]

type Condition = 'failure' | 'recovery'

interface Phase {
  readonly condition: Condition
  readonly rounds: number
  readonly isSeen: boolean
}

/**
 * Runs of rounds in which the target fails or works, without the first one in which it works, because nothing is
 * notified then.
 */
function phasesOf(index: number, verdicts: Verdicts): Phase[] {
  const { length } = verdicts
  const temper = temperOf(index)
  const failing = temper === 'flapping' ? failingRounds(index, length) : Array<boolean>(length).fill(temper === 'down')
  const starts = failing.flatMap((fails, round) => (fails === (failing[round - 1] ?? false) ? [] : [round]))
  return starts.map((from, place) => {
    const to = starts[place + 1] ?? length
    const isSeen = verdicts.slice(from, to).includes(failing[from] ? 'failure' : 'ok')
    return { condition: failing[from] ? 'failure' : 'recovery', rounds: to - from, isSeen }
  })
}

/** The notifications that can follow from the phases: a phase equal to the last one continues it. */
function tellable(phases: readonly Phase[]): Condition[] {
  const told: Condition[] = []
  for (const { condition, isSeen } of phases)
    if (isSeen && condition !== (told.at(-1) ?? 'recovery')) told.push(condition)
  return told
}

const unseenReason = 'no verdict in any of the'

/** The reason is that no round saw a phase, not that something was told wrongly. */
export function isUnseen(reason: string): boolean {
  return reason.startsWith(unseenReason)
}

export function reasonsOf(index: number, verdicts: Verdicts, decided: readonly string[]): string[] {
  if (decided.join() === expectedNotices(index, verdicts.length).join()) return []
  const phases = phasesOf(index, verdicts)
  const unseen = phases
    .filter(({ isSeen }) => !isSeen)
    .map(({ condition, rounds }) => `${unseenReason} ${rounds} rounds of a ${condition}`)
  const isExplained = tellable(phases).join() === decided.join()
  return isExplained ? unseen : [...unseen, 'told otherwise than its verdicts say']
}
