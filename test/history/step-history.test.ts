import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { type AnalysisRow, insertAnalyses } from '../../src/history/analyses.ts'
import { isFailedStep, stepSetId, stepsView, stepTime } from '../../src/history/step-history.ts'
import { anyAnalysis } from '../support/analyses.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const day = 86_400_000
const today = Date.UTC(2026, 10, 21)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await ensurePartitions(db.database, today, 3)
})
afterAll(() => db.drop())

interface ShownStep {
  readonly service_id: number
  readonly analysis_key: number
  readonly sensor_id: number
  readonly step: number
  readonly path_step: string
  readonly result: string
  readonly response_time: number | null
  readonly time: number
}

function shown(row: AnalysisRow): ShownStep[] {
  const { names, times } = row.steps ?? { names: [], times: [] }
  return row.sensorIds.flatMap((sensor_id, seat) =>
    names.map((path_step, step) => {
      const time = times[seat * names.length + step] ?? 0
      const result = isFailedStep(time) ? 'error' : time < 0 ? 'not_run' : 'ok'
      const response_time = result === 'ok' ? time : result === 'error' ? -2 - time : null
      const began = Math.floor(row.analysisId / 100) + (row.timeOffsets[seat] ?? 0)
      const of = { service_id: row.serviceId, analysis_key: row.analysisId, sensor_id }
      return { ...of, step, path_step, result, response_time, time: began }
    }),
  )
}

function inOrder(steps: readonly ShownStep[]): ShownStep[] {
  const key = (one: ShownStep) => [one.service_id, one.analysis_key, one.sensor_id, one.step]
  return steps.toSorted((a, b) => {
    const [first, second] = [key(a), key(b)]
    const place = first.findIndex((value, index) => value !== second[index])
    return (first[place] ?? 0) - (second[place] ?? 0)
  })
}

describe('steps in the history', () => {
  test('come back as they were written, with the names that they had then', async () => {
    const rows = fc.uniqueArray(anyAnalysis([1, 2], today, today + day), {
      selector: (row) => `${row.serviceId}/${row.analysisId}`,
      maxLength: 12,
    })
    let seen = 0
    await fc.assert(
      fc.asyncProperty(rows, async (analyses) => {
        await db.database.execute(sql`truncate analyses_hot`)
        await insertAnalyses(db.database, analyses)
        const found = await db.database.query<ShownStep>(sql`
          select service_id, analysis_key, sensor_id, step, path_step, result, response_time, time
          from (${stepsView()}) steps`)
        seen += found.length
        expect(inOrder(found)).toEqual(inOrder(analyses.flatMap(shown)))
      }),
      { numRuns: 40 },
    )
    expect(seen).toBeGreaterThan(50)
  })

  test('keep the names of a service once, however often they are written', async () => {
    await db.database.execute(sql`truncate analyses_hot, path_step_sets`)
    const [base] = fc.sample(anyAnalysis([5], today, today + 1), { numRuns: 1, seed: 4 })
    if (base === undefined) throw new Error('no sample')
    const steps = { names: ['a', 'b'], times: base.sensorIds.flatMap(() => [1, 2]) }
    const at = (second: number) => ({ ...base, steps, analysisId: (today + second * 1000) * 100 })
    await insertAnalyses(db.database, [at(1), at(2)])
    await insertAnalyses(db.database, [at(3), { ...at(4), steps: { ...steps, names: ['b', 'a'] } }])
    const sets = await db.database.query(sql`select service_id, set_id, names from path_step_sets order by names`)
    expect(sets).toEqual([
      { service_id: 5, set_id: stepSetId(['a', 'b']), names: ['a', 'b'] },
      { service_id: 5, set_id: stepSetId(['b', 'a']), names: ['b', 'a'] },
    ])
  })

  test('cost an analysis of another type nothing but two bits', async () => {
    await db.database.execute(sql`truncate analyses_hot`)
    const [base] = fc.sample(anyAnalysis([5], today, today + 1), { numRuns: 1, seed: 4 })
    if (base === undefined) throw new Error('no sample')
    await insertAnalyses(db.database, [{ ...base, steps: null }])
    const [row] = await db.database.query(sql`select step_set_id, step_times from analyses_hot`)
    expect(row).toEqual({ step_set_id: null, step_times: null })
  })

  test.each([
    [{ result: 'ok', responseTime: 0 }, 0],
    [{ result: 'ok', responseTime: 2 ** 40 }, 2 ** 31 - 3],
    [{ result: 'not_run', responseTime: null }, -1],
    [{ result: 'error', responseTime: null }, -2],
    [{ result: 'error', responseTime: 2 ** 40 }, -(2 ** 31 - 1)],
  ] as const)('%j fits into an integer: %d', (step, time) => {
    expect(stepTime(step)).toBe(time)
  })
})
