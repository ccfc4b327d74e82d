/** The cost of the day's incidents in rounds, checks and seconds. */
import type { RoundFacts } from './audit.ts'
import type { Incident } from './incidents.ts'

export interface FarAftermath {
  readonly incident: Incident
  /** Rounds whose moment lay between the kill and the return, and how the station answered in them. */
  readonly meanwhile: FarAnswers
  readonly otherwise: FarAnswers
  /** Milliseconds from a round's moment to its verdict. */
  readonly decidedMeanwhile: readonly number[]
  readonly decidedOtherwise: readonly number[]
  /** Moments of the first and the last round whose check the station did not answer; null if it answered all. */
  readonly unknownFrom: number | null
  readonly unknownTo: number | null
}

export interface FarAnswers {
  readonly rounds: number
  readonly unknown: number
  /** Errors of targets that worked. */
  readonly falseErrors: number
}

export interface DatabaseAftermath {
  readonly incident: Incident
  /** The moments between which no round was held: the longest such time that touches the incident. */
  readonly silence: Span
  /** From the incident until rounds were held again. */
  readonly cost: Span
  /** Missed rounds whose moment lay in that time. */
  readonly missed: number
}

/** Unix milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

function answersOf(rounds: readonly RoundFacts[]): FarAnswers {
  const count = (is: (round: RoundFacts) => boolean) => rounds.filter(is).length
  return {
    rounds: rounds.length,
    unknown: count(({ far }) => far === 'u'),
    falseErrors: count(({ far, shouldFail }) => far === 'e' && !shouldFail),
  }
}

function decisionsOf(rounds: readonly RoundFacts[]): number[] {
  return rounds.flatMap(({ dueAt, decidedAt }) => (decidedAt === null ? [] : [decidedAt - dueAt]))
}

export function farAftermath(each: readonly RoundFacts[], incident: Incident): FarAftermath {
  const isThen = ({ dueAt }: RoundFacts) => dueAt >= incident.from && dueAt <= incident.to
  const [then, other] = [each.filter(isThen), each.filter((round) => !isThen(round))]
  const unknown = each.filter(({ far }) => far === 'u').map(({ dueAt }) => dueAt)
  return {
    incident,
    ...{ meanwhile: answersOf(then), otherwise: answersOf(other) },
    ...{ decidedMeanwhile: decisionsOf(then), decidedOtherwise: decisionsOf(other) },
    unknownFrom: unknown.length === 0 ? null : unknown.reduce((least, one) => Math.min(least, one)),
    unknownTo: unknown.length === 0 ? null : unknown.reduce((most, one) => Math.max(most, one)),
  }
}

export function databaseAftermath(each: readonly RoundFacts[], incident: Incident): DatabaseAftermath {
  const held = each
    .filter(({ decidedAt }) => decidedAt !== null)
    .map(({ dueAt }) => dueAt)
    .toSorted((one, other) => one - other)
  const gaps = held.slice(1).map((to, place) => ({ from: held[place] ?? to, to }))
  const silence = gaps
    .filter(({ from, to }) => from <= incident.to && to >= incident.from)
    .reduce<Span>((longest, gap) => (gap.to - gap.from > longest.to - longest.from ? gap : longest), {
      ...{ from: incident.from, to: incident.from },
    })
  const cost = { from: incident.from, to: Math.max(incident.to, silence.to) }
  return { incident, silence, cost, missed: missedRounds(each).filter(({ dueAt }) => isWithin(dueAt, cost)).length }
}

export function isWithin(at: number, { from, to }: Span): boolean {
  return at >= from && at <= to
}

export function missedRounds(each: readonly RoundFacts[]): RoundFacts[] {
  return each.filter(({ decidedAt }) => decidedAt === null)
}
