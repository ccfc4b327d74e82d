import { dateAfter, localDate, startOfDay } from '../../format/zone.ts'
import type { ShownTurn } from '../../parts/on-call/on-call-queries.ts'

/** The part of a turn that lies in one week; its place is in shares of the week. */
export interface Piece {
  readonly turn: ShownTurn
  readonly left: number
  readonly width: number
}

export interface Week {
  /** Seven dates; the first one is today, or whole weeks later. */
  readonly days: readonly string[]
  readonly pieces: readonly Piece[]
}

const weekDays = 7

/** Days between the beginning of the week and the moment; a day at which clocks change is as wide as any other. */
function daysUntil(at: number, starts: readonly number[]): number {
  const day = starts.findLastIndex((start) => start <= at)
  const [start, end] = [starts[day], starts[day + 1]]
  if (start === undefined) return 0
  return end === undefined ? weekDays : day + (at - start) / (end - start)
}

function weekOf(first: string, turns: readonly ShownTurn[], zone: string): Week {
  const days = Array.from({ length: weekDays }, (_, index) => dateAfter(first, index))
  const starts = [...days, dateAfter(first, weekDays)].map((date) => startOfDay(date, zone))
  const pieces = turns.flatMap((turn) => {
    const from = daysUntil(Date.parse(turn.start_time), starts)
    const to = turn.end_time === null ? weekDays : daysUntil(Date.parse(turn.end_time), starts)
    return from < to ? [{ turn, left: from / weekDays, width: (to - from) / weekDays }] : []
  })
  return { days, pieces }
}

/** The weeks from the day on which the first turn begins, which is today. */
export function weeksOf(turns: readonly ShownTurn[], zone: string, count: number): readonly Week[] {
  const [first] = turns
  if (first === undefined) return []
  const today = localDate(Date.parse(first.start_time), zone)
  return Array.from({ length: count }, (_, index) => weekOf(dateAfter(today, index * weekDays), turns, zone))
}
