import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesMet } from '../../../test/support/cases-met.ts'
import {
  changeFor,
  monitoringStatusFor,
  type NewChange,
  type PauseReason,
  type State,
  type StateTrigger,
} from './status-change.ts'

const neighbours = casesMet('neighbours in a history')

const at = 1_764_000_000_000

function verdict(value: 'ok' | 'failure', when = at): StateTrigger {
  return { kind: 'verdict', verdict: value, analysisId: when * 100, at: when }
}

function stop(reason: PauseReason, when = at): StateTrigger {
  return { kind: 'stop', reason, at: when }
}

test.each<[State | null, StateTrigger, State | null]>([
  [null, verdict('failure'), 'failure'],
  ['ok', verdict('failure'), 'failure'],
  ['paused', verdict('failure'), 'failure'],
  ['failure', verdict('failure'), null],
  [null, verdict('ok'), 'ok'],
  ['failure', verdict('ok'), 'ok'],
  ['paused', verdict('ok'), 'ok'],
  ['ok', verdict('ok'), null],
  ['ok', stop('user'), 'paused'],
  ['failure', stop('weekly_suspension'), 'paused'],
  [null, stop('archived'), 'paused'],
  ['paused', stop('archived'), null],
])('from %s, %o opens %s', (state, trigger, opened) => {
  const open = state === null ? null : { changeId: 5, state, startedAt: at - 1000 }
  expect(changeFor(open, trigger)?.state ?? null).toBe(opened)
})

test('a pause keeps its reason, a verdict its first analysis', () => {
  expect(changeFor(null, stop('user'))).toMatchObject({ pauseReason: 'user', firstAnalysisId: null })
  expect(changeFor(null, verdict('ok'))).toMatchObject({ pauseReason: null, firstAnalysisId: at * 100 })
})

test('neighbours touch and differ, ids grow and durations add up, under any clock steps', () => {
  const when = fc.integer({ min: at - 5000, max: at + 5000 })
  const trigger = fc.oneof(
    fc.tuple(fc.constantFrom<'ok' | 'failure'>('ok', 'failure'), when).map(([value, moment]) => verdict(value, moment)),
    when.map((moment) => stop('user', moment)),
  )
  const property = fc.property(fc.array(trigger, { maxLength: 30 }), (triggers) => {
    const history: NewChange[] = []
    for (const one of triggers) {
      const opened = changeFor(history.at(-1) ?? null, one)
      if (opened !== null) history.push(opened)
    }
    history.forEach((change, index) => {
      const previous = history[index - 1]
      if (!neighbours(previous)) return
      expect(change.state).not.toBe(previous.state)
      expect(change.changeId).toBeGreaterThan(previous.changeId)
      expect(change.startedAt).toBeGreaterThanOrEqual(previous.startedAt)
    })
  })
  fc.assert(property)
})

test.each<[PauseReason, string]>([
  ['user', 'off'],
  ['archived', 'off'],
  ['account_blocked', 'off'],
  ['suspension', 'suspended'],
  ['weekly_suspension', 'suspended'],
  ['suspension_hours', 'suspended'],
])('monitoring stopped by %s reads as %s', (reason, status) => {
  expect(monitoringStatusFor(reason)).toBe(status)
})
