import fc from 'fast-check'
import type { AnalysisRow, CheckFailure } from '../../src/history/analyses.ts'
import { type Step, type StepRow, stepTime } from '../../src/history/step-history.ts'

const result = fc.constantFrom('o' as const, 'e' as const, 'u' as const)
const measure = fc.oneof(fc.constant(-1), fc.integer({ min: 0, max: 2 ** 31 - 1 }))
/** Any answer of a server; PostgreSQL's text stores everything but the zero character. */
const words = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\u0000', ''))

const check = fc.record({
  result,
  timeOffset: fc.integer({ min: -300_000, max: 0 }),
  responseTime: measure,
  dataSize: measure,
  phases: fc.array(measure, { minLength: 6, maxLength: 6 }),
  error_type_id: fc.option(fc.integer({ min: 1, max: 200 })),
  error_message: fc.option(words),
  base_url: words,
  response_headers: fc.option(words),
  path_step: fc.option(fc.constantFrom('Log in', 'Żółty')),
  artifacts: fc.constantFrom([], [{ id: 'content' }], [{ id: 'content' }, { id: 'har' }]),
})

/** A time is -1 where the step was not run, and less where it failed. */
const stepTimes = fc.array(
  fc.record({
    result: fc.constantFrom('ok' as const, 'error' as const, 'not_run' as const),
    responseTime: fc.option(fc.integer({ min: 0, max: 2 ** 31 - 1 })),
  }),
  { minLength: 18, maxLength: 18 },
)
const stepNames = fc.constantFrom(null, null, ['Log in'], ['Log in', 'Żółty, "koszyk"', '{}'], ['Log in', 'NULL'])

/** Any analysis that monitoring can write, of one of the services, within the time. */
export function anyAnalysis(services: readonly number[], from: number, to: number): fc.Arbitrary<AnalysisRow> {
  return fc
    .record({
      serviceId: fc.constantFrom(...services),
      decidedAt: fc.integer({ min: from, max: to - 1 }),
      sequence: fc.integer({ min: 0, max: 99 }),
      verdict: fc.constantFrom('ok' as const, 'failure' as const, 'none' as const),
      errorTolerance: fc.integer({ min: 1, max: 100 }),
      sensorIds: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 0, maxLength: 6 }),
      checks: fc.array(check, { minLength: 6, maxLength: 6 }),
      stepNames,
      stepTimes,
    })
    .map(({ serviceId, decidedAt, sequence, verdict, errorTolerance, sensorIds, checks, ...scenario }) => {
      const made = checks.slice(0, sensorIds.length)
      const failures = made.flatMap((one, place) => {
        if (one.result === 'o') return []
        const {
          result: _result,
          timeOffset: _offset,
          responseTime: _time,
          dataSize: _size,
          phases: _phases,
          ...failure
        } = one
        return [[String(sensorIds[place]), failure satisfies CheckFailure] as const]
      })
      return {
        serviceId,
        analysisId: decidedAt * 100 + sequence,
        verdict,
        errorTolerance,
        sensorIds,
        results: made.map((one) => one.result),
        timeOffsets: made.map((one) => one.timeOffset),
        responseTimes: made.map((one) => one.responseTime),
        dataSizes: made.map((one) => one.dataSize),
        phases: made.flatMap((one) => one.phases),
        failures: failures.length === 0 ? null : Object.fromEntries(failures),
        steps: stepsOf(scenario, sensorIds.length),
      }
    })
}

interface AnyScenario {
  readonly stepNames: readonly string[] | null
  readonly stepTimes: readonly Step[]
}

function stepsOf({ stepNames, stepTimes }: AnyScenario, sensors: number): StepRow | null {
  if (stepNames === null || sensors === 0) return null
  return { names: stepNames, times: stepTimes.slice(0, stepNames.length * sensors).map(stepTime) }
}
