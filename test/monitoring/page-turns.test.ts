import { expect, test } from 'vitest'
import { errorType } from '../../src/domain/judging/error-types.ts'
import { analyse } from '../../src/monitoring/analyse.ts'
import type { Analysis } from '../../src/monitoring/analysis.ts'
import { unanswered } from '../../src/sensor/probing-process.ts'
import type { CheckJob, CheckResult, Stations } from '../../src/sensor/protocol.ts'
import { virtualClock } from '../support/clock.ts'

const sensors = new Map(
  [1, 2, 3].map((id) => [id, { id, country: 'Polska', categoryIds: ['default'], isAvailable: true }] as const),
)

/** One round of a page that three stations check; `answerMs` tells when each of them answers. */
function round(answerMs: readonly number[], interval: number) {
  const clock = virtualClock()
  const begin = clock.now()
  const jobs: CheckJob[] = []
  const stations: Stations = {
    isConnected: () => true,
    leadMs: () => 0,
    diagnose: () => Promise.reject(new Error('not asked')),
    check(job) {
      jobs.push(job)
      return new Promise<CheckResult>((resolve) => {
        const answer = { ...unanswered(job, 'browser_busy', 'busy'), result: 'ok', errorTypeId: null } as const
        clock.after(answerMs[job.sensorId - 1] ?? 0, () => resolve(answer))
      })
    },
  }
  const claim = { serviceId: 7, claimNo: 1, dueAt: begin, reason: 'interval' } as const
  const target = {
    ...{ id: 7, type_id: 'fullpage', address: 'shop.example/', interval, extended_settings: { timeout: 1500 } },
    ...{ sensorIds: [1, 2, 3], primary_account_id: 5 },
  }
  const ended: Analysis[] = []
  const running = analyse(claim, target, {
    ...{ stations, sensors: { facts: sensors }, clock, timers: clock },
    ownerKeys: { of: (accountId) => `owner ${accountId}` },
  })
  void running.then((analysis) => {
    if (analysis !== null) ended.push(analysis)
  })
  const at = async (ms: number) => {
    clock.advanceTo(begin + ms)
    await new Promise((resolve) => setImmediate(resolve))
    return ended.map(({ verdict, checks }) => [verdict, ...checks.map(({ result }) => result)].join(' '))
  }
  return { at, deadline: () => (jobs[0]?.deadlineAt ?? 0) - begin, ended }
}

const never = 10 ** 9

test('a round whose stations have no free browser waits for their turn and then has its verdict', async () => {
  const { at, deadline } = round([200_000, 210_000, 220_000], 3600)
  expect(deadline()).toBe(300_000)
  expect(await at(199_999)).toEqual([])
  // Beyond the usual time a verdict is all that is waited for.
  expect(await at(210_000)).toEqual(['ok ok ok unknown'])
})

test('one full station does not keep the others from telling', async () => {
  const { at } = round([1000, 2000, never], 3600)
  expect(await at(16_499)).toEqual([])
  expect(await at(16_500)).toEqual(['ok ok ok unknown'])
})

test('the turn that does not come by the next round leaves it unknown', async () => {
  const { at, ended } = round([never, never, never], 60)
  expect(await at(59_999)).toEqual([])
  expect(await at(60_000)).toEqual(['none unknown unknown unknown'])
  expect(ended[0]?.checks[0]?.errorTypeId).toBe(errorType('sensor_late').id)
})
