import { iso, localDate, startOfDay } from '../../format/zone.ts'
import type { Range } from '../../parts/correct/use-preview.ts'

const day = 86_400_000
const lengths = { day, week: 7 * day, days30: 30 * day, days90: 90 * day, year: 365 * day } as const

export const presets = ['day', 'week', 'days30', 'days90', 'this_month', 'last_month', 'year'] as const
export type Preset = (typeof presets)[number]

const usual: Preset = 'days30'

export interface ShownRange extends Range {
  /** Null: a range of its own. */
  readonly preset: Preset | null
}

function monthOf(now: number, zone: string, back: number): Range {
  const [year = 1970, month = 1] = localDate(now, zone).split('-').map(Number)
  const first = (offset: number) => new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 10)
  return { from: startOfDay(first(-back), zone), to: back === 0 ? now : startOfDay(first(1 - back), zone) }
}

function rangeOf(preset: Preset, now: number, zone: string): Range {
  if (preset === 'this_month') return monthOf(now, zone, 0)
  if (preset === 'last_month') return monthOf(now, zone, 1)
  return { from: now - lengths[preset], to: now }
}

/** The range that the address bar names; `now` in whole seconds of Unix milliseconds. */
export function readRange(search: URLSearchParams, now: number, zone: string): ShownRange {
  const [from, to] = [Date.parse(search.get('from') ?? ''), Date.parse(search.get('to') ?? '')]
  if (to > from) return { from, to, preset: null }
  const preset = presets.find((name) => name === search.get('range')) ?? usual
  return { ...rangeOf(preset, now, zone), preset }
}

export function addressOf(range: Preset | Range): Record<string, string> {
  if (typeof range !== 'string') return { from: iso(range.from), to: iso(range.to) }
  return range === usual ? {} : { range }
}
