import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesMet } from '../../../test/support/cases-met.ts'
import { notificationModeIds, recoveryNotificationModeIds } from '../dictionaries.ts'
import { type Dependence, independent } from '../judging/dependencies.ts'
import { changeFor, type OpenChange, type State, type StateTrigger } from '../judging/status-change.ts'
import {
  decideNotice,
  type NoticeDecision,
  type NoticeMemory,
  notificationModes,
  pauseEvent,
  pendingConfirmation,
  recoveryNotificationModes,
} from './notification.ts'

const failures = casesMet('failing rounds at which a failure is told')
const events = casesMet('rounds that tell something')

interface Told extends NoticeDecision {
  readonly at: number
  readonly change: OpenChange
  readonly stateBefore: OpenChange['state'] | null
}

interface Step {
  readonly what: 'ok' | 'failure' | 'stop'
  readonly at: number
  readonly quiet?: boolean
  readonly isAcknowledged?: boolean
  readonly dependence?: Dependence
}

interface Modes {
  readonly modeId: string
  readonly recoveryModeId: string
}

const promptly: Modes = { modeId: 'default', recoveryModeId: 'default' }

const everyCondition: readonly string[] = ['failure', 'failure_continuation', 'pause', 'recovery', 'silent_failure']

/** Applies the rules to a service's life as the recorder does. */
function live(steps: readonly Step[], modes: Modes = promptly, conditionIds = everyCondition): Told[] {
  let open: OpenChange | null = null
  let memory: NoticeMemory = { failureNotified: false, continuationsSent: 0, lastNoticeAt: null }
  let delaysFromAt = 0
  const told: Told[] = []
  for (const { what, at, quiet = false, isAcknowledged = false, dependence = independent } of steps) {
    const trigger: StateTrigger =
      what === 'stop' ? { kind: 'stop', reason: 'user', at } : { kind: 'verdict', verdict: what, analysisId: at, at }
    const stateBefore: OpenChange['state'] | null = open?.state ?? null
    const opened = changeFor(open, trigger)
    open = opened ?? open
    if (opened !== null) delaysFromAt = at
    if (what === 'stop' || open === null) continue
    const from = opened === null ? null : { from: stateBefore }
    const standing = { memory, quiet, conditionIds, isAcknowledged, isEscalated: false, dependence }
    const situation = { now: at, change: open, delaysFromAt, opened: from, ...standing }
    const decision = decideNotice({ verdict: what, ...situation, ...modes })
    memory = decision.memory
    told.push({ ...decision, at, change: open, stateBefore })
  }
  return told
}

/**
 * A life such as `ok@0 failure@60` (seconds). `!` marks quiet hours, `+` a failure that somebody acknowledged, `^` a
 * failed parent.
 */
function life(text: string): Step[] {
  return text.split(' ').map((word) => {
    const [what = '', seconds = ''] = word.replace(/[!+^]$/, '').split('@')
    if (what !== 'ok' && what !== 'failure' && what !== 'stop') throw new Error(`no such step: ${word}`)
    const dependence = word.endsWith('^') ? { ...independent, heldBy: 7 } : independent
    const marks = { quiet: word.endsWith('!'), isAcknowledged: word.endsWith('+'), dependence }
    return { what, at: Number(seconds) * 1000, ...marks }
  })
}

function eventsOf(text: string, modes: Partial<Modes> = {}): string[] {
  return live(life(text), { ...promptly, ...modes }).flatMap(({ event, at }) =>
    event === null ? [] : [`${event.condition}@${at / 1000}`],
  )
}

test('an acknowledged failure is not told again while it lasts; its recovery is, and so is the next failure', () => {
  expect(eventsOf('ok@0 failure@60 failure@120+ failure@180+ failure@240 ok@300 failure@360 failure@420')).toEqual([
    'failure@60',
    'failure_continuation@240',
    'recovery@300',
    'failure@360',
    'failure_continuation@420',
  ])
})

describe('a failed parent', () => {
  test.each([
    ['holds the failure', 'ok@0 failure@60^ failure@120^', []],
    ['holds it until it is back', 'ok@0 failure@60^ failure@120', ['failure@120']],
    ['keeps everything of a failure that ends meanwhile', 'ok@0 failure@60^ ok@120', []],
    ['holds no recovery of a failure that was notified', 'failure@0 failure@60^ ok@120', ['failure@0', 'recovery@120']],
    [
      'holds continuations',
      'failure@0 failure@60^ failure@120^ failure@180',
      ['failure@0', 'failure_continuation@180'],
    ],
    ['keeps a held failure out of the quiet hours too', 'ok@0 failure@60^ ok@120!', []],
  ])('%s', (_name, steps, events) => {
    expect(eventsOf(steps)).toEqual(events)
  })

  test('does not take the recovery of an earlier failure, which a new one put off', () => {
    const patient = { recoveryModeId: 'after_5_minutes' }
    const steps = 'failure@0 ok@60 failure@120^ ok@180 ok@480'
    expect(eventsOf(steps, patient)).toEqual(['failure@0', 'recovery@480'])
  })
})

describe('default modes', () => {
  test.each([
    ['ok@0 failure@60', ['failure@60']],
    ['failure@0', ['failure@0']],
    ['ok@0 stop@30 failure@60', ['failure@60']],
    ['ok@0 ok@60', []],
    ['failure@0 ok@60', ['failure@0', 'recovery@60']],
    ['failure@0 ok@60 ok@120 failure@180', ['failure@0', 'recovery@60', 'failure@180']],
    ['failure@0 failure@59 failure@60 failure@100', ['failure@0', 'failure_continuation@60']],
    ['failure@0 stop@10 ok@60', ['failure@0', 'recovery@60']],
    ['failure@0 stop@10 failure@60', ['failure@0', 'failure@60']],
    ['ok@0 failure@60! ok@120', []],
    ['ok@0 failure@60! failure@120', ['failure@120']],
    ['failure@0 ok@60! ok@120', ['failure@0', 'recovery@120']],
  ])('%s tells %o', (steps, events) => {
    expect(eventsOf(steps)).toEqual(events)
  })

  test('a long failure is continued five times, a minute apart', () => {
    const steps = Array.from({ length: 60 }, (_, index) => `failure@${index * 20}`).join(' ')
    const seconds = [60, 120, 180, 240, 300].map((at) => `failure_continuation@${at}`)
    expect(eventsOf(steps)).toEqual(['failure@0', ...seconds])
  })
})

describe('a service that is not told of everything', () => {
  const sent = (text: string, conditionIds: readonly string[]) =>
    live(life(text), promptly, conditionIds).flatMap(({ event, at }) =>
      event !== null && conditionIds.includes(event.condition) ? [`${event.condition}@${at / 1000}`] : [],
    )

  test.each([
    ['failure@0 failure@60 ok@120', ['recovery'], []],
    ['failure@0 failure@60 ok@120', ['failure', 'recovery'], ['failure@0', 'recovery@120']],
    ['failure@0 ok@120', ['failure_continuation', 'recovery'], []],
    ['failure@0 failure@20 ok@120', ['failure_continuation', 'recovery'], ['failure_continuation@20', 'recovery@120']],
    ['failure@0 ok@60 failure@120 ok@180', ['recovery'], []],
  ])('%s with %j sends %j: nobody hears of the end of what they never heard of', (steps, conditions, events) => {
    expect(sent(steps, conditions)).toEqual(events)
  })
})

describe('delayed modes', () => {
  const modeId = 'after_5_minutes_failure'

  test('a failure is told only when it is confirmed after the delay', () => {
    expect(eventsOf('ok@0 failure@60 failure@120 failure@360 failure@420', { modeId })).toEqual([
      'failure@360',
      'failure_continuation@420',
    ])
  })

  test('delays count from when the period began by the clock as it is set now', () => {
    const change: OpenChange = { changeId: 7, state: 'failure', startedAt: 9_000_000 }
    const memory: NoticeMemory = { failureNotified: false, continuationsSent: 0, lastNoticeAt: null }
    const facts = { change, delaysFromAt: 5_400_000, modeId, recoveryModeId: 'default' }
    const shared = {
      opened: null,
      memory,
      quiet: false,
      isAcknowledged: false,
      isEscalated: false,
      dependence: independent,
      conditionIds: everyCondition,
    }
    const situation = { ...facts, ...shared, verdict: 'failure' } as const
    expect(decideNotice({ ...situation, now: 5_699_999 })).toMatchObject({ event: null, confirmAt: 5_700_000 })
    expect(decideNotice({ ...situation, now: 5_700_000 }).event).toEqual({ condition: 'failure', eventId: 'failure:7' })
    expect(pendingConfirmation({ ...facts, failureNotified: false })).toBe(5_700_000)
  })

  test('a recovery of what was only escalated is for those whom a step told', () => {
    const change: OpenChange = { changeId: 8, state: 'ok', startedAt: 60_000 }
    const memory: NoticeMemory = { failureNotified: true, continuationsSent: 0, lastNoticeAt: null }
    const facts = { change, delaysFromAt: 60_000, opened: { from: 'failure' }, memory, quiet: false } as const
    const standing = { isAcknowledged: false, dependence: independent }
    const situation = { ...facts, ...promptly, ...standing, verdict: 'ok', now: 60_000 } as const
    const told = (isEscalated: boolean, lastNoticeAt: number | null = null) =>
      decideNotice({ ...situation, memory: { ...memory, lastNoticeAt }, isEscalated, conditionIds: ['recovery'] }).event
    const recovery = { condition: 'recovery', eventId: 'recovery:8' }
    expect(told(false)).toBeNull()
    expect(told(true)).toEqual({ ...recovery, isForEscalatedAlone: true })
    expect(told(true, 0)).toEqual(recovery)
  })

  test('a failure that ends sooner is never told, nor is its recovery', () => {
    expect(eventsOf('ok@0 failure@60 failure@120 ok@180 ok@500', { modeId })).toEqual([])
  })

  test('the confirming analysis is wanted at the exact delay', () => {
    expect(live(life('failure@60 failure@360'), { ...promptly, modeId }).map(({ confirmAt }) => confirmAt)).toEqual([
      360_000,
      null,
    ])
  })

  test('a recovery is told only when the service still works after the delay', () => {
    const recoveryModeId = 'after_1_minute'
    expect(eventsOf('failure@0 ok@30 ok@60 ok@90', { recoveryModeId })).toEqual(['failure@0', 'recovery@90'])
    expect(eventsOf('failure@0 ok@30 failure@60 ok@90 ok@150', { recoveryModeId })).toEqual([
      'failure@0',
      'failure@60',
      'recovery@150',
    ])
    expect(live(life('failure@0 ok@30'), { ...promptly, recoveryModeId }).at(-1)?.confirmAt).toBe(90_000)
  })

  test('mode off tells nothing at all, recovery mode off no recovery', () => {
    expect(eventsOf('failure@0 failure@60 ok@120', { modeId: 'off' })).toEqual([])
    expect(eventsOf('failure@0 ok@120 failure@180', { recoveryModeId: 'off' })).toEqual(['failure@0', 'failure@180'])
  })
})

const steps: fc.Arbitrary<Step[]> = fc
  .array(
    fc.record({
      what: fc.constantFrom<Step['what']>('ok', 'failure', 'failure', 'stop'),
      after: fc.constantFrom(1000, 20_000, 30_000, 60_000, 299_999, 300_000, 900_000),
      quiet: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((list) => {
    let at = 0
    return list.map(({ what, after, quiet }) => {
      at += after
      return { what, at, quiet }
    })
  })

const modes = fc.record({
  modeId: fc.constantFrom(...notificationModeIds),
  recoveryModeId: fc.constantFrom(...recoveryNotificationModeIds),
})

test('whatever happens: each event once, failure once per failure, recovery only after a told failure', () => {
  let recoveries = 0
  const property = fc.property(steps, modes, (given, chosen) => {
    const told = live(given, chosen)
    const events = told.flatMap(({ event }) => (event === null ? [] : [event]))
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)
    let open = false
    for (const { condition } of events) {
      if (condition === 'failure') open = true
      if (condition === 'failure_continuation' || condition === 'recovery') expect(open).toBe(true)
      if (condition !== 'recovery') continue
      open = false
      recoveries += 1
    }
  })
  fc.assert(property, { numRuns: 1000 })
  // Without this the property would also hold if nothing were ever notified.
  expect(recoveries).toBeGreaterThan(0)
})

test('whatever happens: a failure is told of a period that follows good analyses, a pause or nothing', () => {
  const property = fc.property(steps, modes, (given, chosen) => {
    let wasFailing = false
    let toldOfIt = false
    const told = new Map(live(given, chosen).map((one) => [one.at, one]))
    for (const { what, at } of given) {
      if (what !== 'failure') {
        wasFailing = false
        continue
      }
      if (!wasFailing) toldOfIt = false
      wasFailing = true
      if (!failures(told.get(at)?.event?.condition === 'failure')) continue
      expect(toldOfIt).toBe(false)
      toldOfIt = true
    }
  })
  fc.assert(property, { numRuns: 1000 })
})

test('no stop but the user’s own is told as a pause', () => {
  const reason = fc.constantFrom('suspension', 'weekly_suspension', 'suspension_hours', 'archived', 'account_blocked')
  const from = fc.constantFrom<State | null>('ok', 'failure', 'paused', null)
  const property = fc.property(reason, from, modes, fc.boolean(), (given, before, { modeId }, quiet) => {
    expect(pauseEvent({ from: before, changeId: 7, reason: given, modeId, quiet })).toBeNull()
  })
  fc.assert(property)
})

test('whatever happens: nothing in quiet hours, nothing before the delay, never twice a minute for one failure', () => {
  const property = fc.property(steps, modes, fc.boolean(), (given, chosen, withQuiet) => {
    const lived = withQuiet ? given : given.map((step) => ({ ...step, quiet: false }))
    const quietAt = new Set(lived.filter(({ quiet }) => quiet).map(({ at }) => at))
    const delays = {
      failure: notificationModes[chosen.modeId],
      recovery: recoveryNotificationModes[chosen.recoveryModeId],
    }
    const lastOf = new Map<number, number>()
    for (const { event, at, change } of live(lived, chosen)) {
      if (!events(event)) continue
      expect(quietAt.has(at)).toBe(false)
      const delay = event.condition === 'recovery' ? delays.recovery : delays.failure
      expect(at - change.startedAt).toBeGreaterThanOrEqual((delay ?? Number.POSITIVE_INFINITY) * 1000)
      expect(at - (lastOf.get(change.changeId) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(60_000)
      lastOf.set(change.changeId, at)
    }
  })
  fc.assert(property, { numRuns: 1000 })
})

test('a plan made anew between verdicts waits for the same confirmation', () => {
  const property = fc.property(steps, modes, (given, chosen) => {
    for (const { at, change, memory, confirmAt } of live(
      given.map((step) => ({ ...step, quiet: false })),
      chosen,
    )) {
      const delaysFromAt = change.startedAt
      const pending = pendingConfirmation({ change, delaysFromAt, failureNotified: memory.failureNotified, ...chosen })
      expect(pending !== null && pending > at ? pending : null).toBe(confirmAt)
    }
  })
  fc.assert(property)
})

test.each<[string, 'ok' | 'failure' | 'paused' | null, string, string, boolean, boolean]>([
  ['a stop by the user', 'ok', 'user', 'default', false, true],
  ['a stop by the user in a failure', 'failure', 'user', 'default', false, true],
  ['a stop before the first verdict', null, 'user', 'default', false, false],
  ['a stop of a paused service', 'paused', 'user', 'default', false, false],
  ['a suspension', 'ok', 'suspension', 'default', false, false],
  ['an archiving', 'ok', 'archived', 'default', false, false],
  ['a stop in quiet hours', 'ok', 'user', 'default', true, false],
  ['a stop with notifications off', 'ok', 'user', 'off', false, false],
])('%s from %s by %s (mode %s, quiet %o) tells pause: %o', (_title, from, reason, modeId, quiet, told) => {
  const expected = told ? { condition: 'pause', eventId: 'pause:9' } : null
  expect(pauseEvent({ from, changeId: 9, reason, modeId, quiet })).toEqual(expected)
})
