import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { analysisIdAt, analysisTimeOf } from '../../src/domain/judging/analysis-id.ts'
import {
  type AnalysisRow,
  analysesView,
  type CheckFailure,
  checksView,
  insertAnalyses,
} from '../../src/history/analyses.ts'
import { anyAnalysis } from '../support/analyses.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { planByIndexes } from '../support/plan.ts'

const day = 86_400_000
const today = Date.UTC(2026, 10, 21)
const letters = { o: 'ok', e: 'error', u: 'unknown' } as const

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await ensurePartitions(db.database, today, 3)
})
afterAll(() => db.drop())

function count(row: AnalysisRow, letter: 'o' | 'e' | 'u'): number {
  return row.results.filter((result) => result === letter).length
}

function shownAnalysis(row: AnalysisRow) {
  return {
    service_id: row.serviceId,
    analysis_key: row.analysisId,
    analysis_id: String(row.analysisId),
    time: Math.floor(row.analysisId / 100),
    failure: row.verdict === 'failure',
    ok_checks_count: count(row, 'o'),
    error_checks_count: count(row, 'e'),
    unknown_checks_count: count(row, 'u'),
    error_tolerance: row.errorTolerance,
  }
}

function known(measure: number | undefined): number | null {
  return measure === -1 || measure === undefined ? null : measure
}

function hasArchive(failure: CheckFailure | undefined): boolean {
  return JSON.stringify(failure?.['artifacts'] ?? []).includes('{"id":"har"}')
}

function shownChecks(row: AnalysisRow) {
  return row.sensorIds.map((sensorId, place) => {
    const failure = row.failures?.[sensorId]
    const { error_type_id = null, error_message = null, ...details } = failure ?? {}
    return {
      service_id: row.serviceId,
      analysis_key: row.analysisId,
      analysis_id: String(row.analysisId),
      sensor_id: sensorId,
      time: Math.floor(row.analysisId / 100) + (row.timeOffsets[place] ?? 0),
      result: letters[row.results[place] ?? 'u'],
      response_time: known(row.responseTimes[place]),
      data_size: known(row.dataSizes[place]),
      error_type_id,
      error_message,
      har_available: hasArchive(failure),
      path_step: failure?.['path_step'] ?? null,
      phases: row.phases.slice(place * 6, place * 6 + 6),
      details: failure === undefined ? null : details,
    }
  })
}

/** By service and id, then sensor: the order in which the tests compare. */
function inOrder<Item extends { service_id: number; analysis_key: number; sensor_id?: number }>(items: Item[]): Item[] {
  return items.toSorted(
    (a, b) => a.service_id - b.service_id || a.analysis_key - b.analysis_key || (a.sensor_id ?? 0) - (b.sensor_id ?? 0),
  )
}

const services = [1, 2, 3]
const flush = fc.uniqueArray(anyAnalysis(services, today - day, today + 3 * day), {
  selector: (row) => `${row.serviceId}/${row.analysisId}`,
  maxLength: 12,
})

describe('the history', () => {
  test('gives back every analysis and check that was written', async () => {
    await fc.assert(
      fc.asyncProperty(flush, async (rows) => {
        await db.database.execute(sql`truncate analyses_hot`)
        expect(await db.database.transaction((transaction) => insertAnalyses(transaction, rows))).toHaveLength(
          rows.length,
        )
        const analyses = await db.database.query<ReturnType<typeof shownAnalysis>>(
          sql`select * from (${analysesView()}) v`,
        )
        expect(inOrder(analyses)).toEqual(inOrder(rows.map(shownAnalysis)))
        const checks = await db.database.query<ReturnType<typeof shownChecks>[number]>(
          sql`select * from (${checksView()}) v`,
        )
        expect(inOrder(checks)).toEqual(inOrder(rows.flatMap(shownChecks)))
      }),
      { numRuns: 60 },
    )
  })

  test('skips what is there already, so a flush may be repeated', async () => {
    await db.database.execute(sql`truncate analyses_hot`)
    const [first, second] = fc.sample(anyAnalysis([7], today, today + day), { numRuns: 2, seed: 1 })
    if (first === undefined || second === undefined) throw new Error('no samples')
    expect(await insertAnalyses(db.database, [first])).toEqual([first])
    const changed = { ...first, errorTolerance: first.errorTolerance === 1 ? 2 : 1 }
    expect(await insertAnalyses(db.database, [changed, second, second])).toEqual([second])
    const rows = await db.database.query<{ error_tolerance: number }>(sql`
      select error_tolerance from (${analysesView()}) v where analysis_key = ${first.analysisId}`)
    expect(rows).toEqual([{ error_tolerance: first.errorTolerance }])
  })

  test('of failed analyses only is the whole one without the rest', async () => {
    await db.database.execute(sql`truncate analyses_hot`)
    const rows = fc.sample(anyAnalysis(services, today, today + day), { numRuns: 200, seed: 2 })
    await insertAnalyses(db.database, rows)
    const failed = rows.filter((row) => row.failures !== null)
    expect(failed.length).toBeGreaterThan(10)
    const found = await db.database.query<{ service_id: number; analysis_key: number }>(sql`
      select service_id, analysis_key from (${analysesView({ onlyFailed: true })}) v`)
    expect(inOrder(found)).toEqual(
      inOrder(failed.map((row) => ({ service_id: row.serviceId, analysis_key: row.analysisId }))),
    )
  })

  test('keeps what a hostile target answered, but for characters that no text can hold', async () => {
    await db.database.execute(sql`truncate analyses_hot`)
    const failure = { error_type_id: 1, error_message: 'zero \0, half \ud83d', facts: { text: 'whole 💡, \\u0000' } }
    const [base] = fc.sample(anyAnalysis([1], today, today + day), { numRuns: 1, seed: 3 })
    if (base === undefined) throw new Error('no sample')
    const lists = { sensorIds: [9], results: ['e'], timeOffsets: [0], responseTimes: [1], dataSizes: [1] } as const
    await insertAnalyses(db.database, [{ ...base, ...lists, phases: [1, 1, 1, 1, 1, 1], failures: { 9: failure } }])
    expect(await db.database.query(sql`select error_message, details from (${checksView()}) v`)).toEqual([
      { error_message: 'zero \ufffd, half \ufffd', details: { facts: { text: 'whole 💡, \\u0000' } } },
    ])
  })

  test('writes nothing for an empty flush', async () => {
    expect(await insertAnalyses(db.database, [])).toEqual([])
  })
})

describe('a list of one service', () => {
  /** The tables and indexes that are read. */
  async function readBy(view: ReturnType<typeof sql>): Promise<readonly string[]> {
    await db.database.execute(sql`analyze analyses_hot`)
    const plan = await planByIndexes(
      db.database,
      sql`
        select * from (${view}) v
        where service_id = ${1} and analysis_key >= ${analysisIdAt(today)} and analysis_key < ${analysisIdAt(today + day)}
        order by analysis_key desc limit 100`,
    )
    return plan.flatMap((node) => node['Index Name'] ?? node['Relation Name'] ?? [])
  }

  beforeAll(async () => {
    await db.database.execute(sql`truncate analyses_hot`)
    const rows = fc.sample(
      anyAnalysis(
        Array.from({ length: 50 }, (_, id) => id),
        today - day,
        today + 2 * day,
      ),
      3000,
    )
    await insertAnalyses(db.database, rows)
  })

  test.each([
    ['analyses', analysesView()],
    ['checks', checksView()],
  ])('of %s reads one day by its primary key', async (_, view) => {
    expect(await readBy(view)).toEqual(['analyses_hot_20261121_pkey'])
  })

  test('of failed ones reads their own index', async () => {
    expect(await readBy(checksView({ onlyFailed: true }))).toEqual(['analyses_hot_20261121_service_id_analysis_id_idx'])
  })
})

describe('an analysis id', () => {
  test('tells the time, and lies within its millisecond', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Date.UTC(2286, 0, 1) }),
        fc.integer({ min: 0, max: 99 }),
        (ms, sequence) => {
          const id = analysisIdAt(ms) + sequence
          expect(analysisTimeOf(id)).toBe(ms)
          expect(id).toBeLessThan(analysisIdAt(ms + 1))
        },
      ),
    )
  })
})
