import type { ServiceScript, Stretch } from '../script.ts'
import type { Change } from './life.ts'

/** The model's service level, second by second. Specification: "Service Level result", "Corrections"; answers §9. */

export interface Level {
  readonly ok: number
  readonly failure: number
  readonly paused: number
}

const states = ['paused', 'ok', 'failure'] as const

/** A state for each second of the story: whatever lasts covers those from its shown start to its shown end. */
export type Seconds = Uint8Array

/** "Times in output are whole seconds." */
const shown = (at: number) => Math.floor(at / 1000)

function fill(seconds: Seconds, story: Stretch, { from, to }: Stretch, status: (typeof states)[number]): void {
  const index = (at: number) => Math.min(seconds.length, Math.max(0, shown(at) - shown(story.from)))
  if (index(to) > index(from)) seconds.fill(states.indexOf(status), index(from), index(to))
}

/** "Time before the first verdict is `paused`." "Later corrections override earlier ones for the same range." */
export function secondsOf(story: Stretch, changes: readonly Change[], { corrections }: ServiceScript): Seconds {
  const seconds = new Uint8Array(shown(story.to) - shown(story.from))
  for (const { status, start, end } of changes) fill(seconds, story, { from: start, to: end ?? story.to }, status)
  for (const { status, from, to } of corrections) fill(seconds, story, { from, to }, status)
  return seconds
}

/** "half-open `[from, to)`, clipped to now and to the service's creation" */
export function levelOf(seconds: Seconds, story: Stretch, range: Stretch, createdAt: number): Level {
  const first = shown(Math.max(range.from, createdAt)) - shown(story.from)
  const end = shown(Math.min(range.to, story.to)) - shown(story.from)
  let [ok, failure] = [0, 0]
  for (let second = first; second < end; second++) {
    // Billions of them are counted: without a branch it takes half the time.
    const state = seconds[second] ?? 0
    ok += state & 1
    failure += state >> 1
  }
  return { ok, failure, paused: Math.max(0, end - first) - ok - failure }
}
