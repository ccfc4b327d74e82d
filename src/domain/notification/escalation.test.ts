import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type EscalationProgress,
  type EscalationStep,
  escalationEventId,
  escalationEventsOf,
  maximumRepeats,
  nextStepNotification,
  progressAfter,
  type StepNotification,
} from './escalation.ts'

function step(delay_seconds: number, repeat_seconds: number | null = null): EscalationStep {
  return { delay_seconds, contact_ids: [1], contact_group_ids: [], rotation_ids: [], channel_ids: null, repeat_seconds }
}

const begun: EscalationProgress = { startedAt: 0, step: 0, stepToldAt: null, repeats: 0, lastToldAt: null }

/** Every notification, if each one goes out `late` milliseconds after it is due. */
function live(steps: readonly EscalationStep[], most = 1000, late = 0): StepNotification[] {
  const told: StepNotification[] = []
  let [progress, now] = [begun, 0]
  for (let waited = nextStepNotification(steps, progress, now); waited !== null && told.length < most; ) {
    now = waited.at + late
    // By the time of a late notification another step may be due.
    const next = nextStepNotification(steps, progress, now)
    if (next === null) break
    told.push({ ...next, at: now })
    progress = progressAfter(progress, next, now)
    waited = nextStepNotification(steps, progress, now)
  }
  return told
}

function lines(told: readonly StepNotification[]): string[] {
  return told.map(({ step: number, repeat, at }) => `${number}.${repeat} at ${at / 1000}`)
}

describe('steps', () => {
  test('each waits from the step before, and the first from the notification', () => {
    expect(lines(live([step(0), step(300), step(600)]))).toEqual(['1.0 at 0', '2.0 at 300', '3.0 at 900'])
    expect(lines(live([step(60), step(60)]))).toEqual(['1.0 at 60', '2.0 at 120'])
  })

  test('a step is told again until the next one, which replaces a repetition of the same moment', () => {
    expect(lines(live([step(0, 100), step(300)]))).toEqual(['1.0 at 0', '1.1 at 100', '1.2 at 200', '2.0 at 300'])
    expect(lines(live([step(0, 100), step(250)]))).toEqual(['1.0 at 0', '1.1 at 100', '1.2 at 200', '2.0 at 250'])
  })

  test('the last one is told again a hundred times at most', () => {
    const told = live([step(0), step(10, 60)])
    expect(told).toHaveLength(2 + maximumRepeats)
    expect(lines(told).at(-1)).toBe(`2.100 at ${10 + 60 * maximumRepeats}`)
  })

  test('steps with no delay follow each other at once', () => {
    expect(lines(live([step(0), step(0), step(0)]))).toEqual(['1.0 at 0', '2.0 at 0', '3.0 at 0'])
  })

  test('who was told late still has the whole delay', () => {
    expect(lines(live([step(0), step(300)], 10, 3_600_000))).toEqual(['1.0 at 3600', '2.0 at 7500'])
  })

  test('a repetition that was not told in time gives way to the next step once that is due', () => {
    const late = { ...begun, step: 1, stepToldAt: 0, lastToldAt: 0 }
    const steps = [step(0, 60), step(300)]
    expect(nextStepNotification(steps, late, 299_999)).toMatchObject({ step: 1, repeat: 1 })
    expect(nextStepNotification(steps, late, 300_000)).toMatchObject({ step: 2, repeat: 0 })
  })

  test('fewer steps than were told: nothing follows', () => {
    const progress = { ...begun, step: 3, stepToldAt: 0, lastToldAt: 0 }
    expect(nextStepNotification([step(0)], progress, 0)).toBeNull()
  })
})

const anySteps = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 3600 }), fc.option(fc.integer({ min: 60, max: 3600 })))
    .map(([delay, repeat]) => step(delay, repeat)),
  { minLength: 1, maxLength: 6 },
)

describe('properties', () => {
  test('time never goes back, every step comes once and in its order, and event ids are different', () => {
    fc.assert(
      fc.property(anySteps, fc.integer({ min: 0, max: 100_000 }), (steps, late) => {
        const told = live(steps, 10_000, late)
        expect(told.map(({ at }) => at)).toEqual(told.map(({ at }) => at).toSorted((one, other) => one - other))
        const first = told.filter(({ repeat }) => repeat === 0)
        expect(first.map(({ step: number }) => number)).toEqual(steps.map((_step, index) => index + 1))
        expect(new Set(told.map((notification) => escalationEventId(7, notification))).size).toBe(told.length)
        expect(told.every((notification) => escalationEventId(7, notification).startsWith(escalationEventsOf(7)))).toBe(
          true,
        )
      }),
    )
  })

  test('between two steps there is exactly the delay of the later one', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const first = live(steps, 10_000).filter(({ repeat }) => repeat === 0)
        const waited = first.map(({ at }, index) => (at - (first[index - 1]?.at ?? 0)) / 1000)
        expect(waited).toEqual(steps.map(({ delay_seconds }) => delay_seconds))
      }),
    )
  })
})
