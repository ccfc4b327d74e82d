import sql from 'sql-template-tag'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { dropPartitionsBefore, ensurePartitions } from '../../src/database/partitions.ts'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const noon = Date.UTC(2028, 1, 28, 12)
const made: TestDatabase[] = []
let db: TestDatabase
beforeEach(async () => {
  db = await testDatabase()
  made.push(db)
})
afterAll(async () => {
  for (const one of made) await one.drop()
})

async function partitions(): Promise<string[]> {
  const rows = await db.database.query<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'analyses_hot'::regclass order by 1`)
  return rows.map((row) => row.name)
}

async function write(...ids: number[]): Promise<void> {
  const rest = { verdict: 'ok', errorTolerance: 51, failures: null } as const
  const lists = { sensorIds: [], results: [], timeOffsets: [], responseTimes: [], dataSizes: [], phases: [] }
  await insertAnalyses(
    db.database,
    ids.map((analysisId) => ({ serviceId: 1, analysisId, ...rest, ...lists })),
  )
}

describe('partitions', () => {
  test('are made from yesterday on, over the end of a leap February', async () => {
    expect(await ensurePartitions(db.database, noon, 2)).toEqual([
      'analyses_hot_20280227',
      'analyses_hot_20280228',
      'analyses_hot_20280229',
      'analyses_hot_20280301',
    ])
    expect(await ensurePartitions(db.database, noon, 2)).toEqual([])
    expect(await partitions()).toHaveLength(4)
  })

  test('meet at midnight without a gap', async () => {
    await ensurePartitions(db.database, noon, 1)
    const midnight = Date.UTC(2028, 1, 29) * 100
    await write(midnight - 1, midnight, midnight + 1)
    // On a cluster the number of the part follows.
    const rows = await db.database.query(sql`
      select left(tableoid::regclass::text, 21) as partition, analysis_id - ${midnight}::bigint as place from analyses_hot order by 2`)
    expect(rows).toEqual([
      { partition: 'analyses_hot_20280228', place: -1 },
      { partition: 'analyses_hot_20280229', place: 0 },
      { partition: 'analyses_hot_20280229', place: 1 },
    ])
  })

  test('have each index of the history once', async () => {
    await ensurePartitions(db.database, noon, 0)
    const count = (table: string) => sql`(select count(*) from pg_index where indrelid = ${table}::regclass)`
    const [row] = await db.database.query<{ own: number; parent: number }>(
      sql`select ${count('analyses_hot_20280228')} as own, ${count('analyses_hot')} as parent`,
    )
    expect(row?.own).toBe(row?.parent)
  })

  test('are made by many processes at once', async () => {
    const processes = Array.from({ length: 4 }, () => connect({ url: db.url, maximumConnections: 1 }))
    await Promise.all(processes.map((one) => ensurePartitions(one, noon, 5)))
    expect(await partitions()).toHaveLength(7)
    await Promise.all(processes.map((one) => one.close()))
  })

  test('are made while an analysis is being written, without waiting for it', async () => {
    await ensurePartitions(db.database, noon, 0)
    await db.database.transaction(async (transaction) => {
      await transaction.execute(sql`insert into analyses_hot
        values (1, ${noon * 100}, 'ok', 51, '{}', '{}', '{}', '{}', '{}', '{}', null)`)
      expect(await ensurePartitions(db.database, noon, 1)).toEqual(['analyses_hot_20280229'])
    })
  })

  test('that end by the moment are dropped, no others', async () => {
    await ensurePartitions(db.database, noon, 2)
    await write(noon * 100, (noon - 86_400_000) * 100)
    expect(await dropPartitionsBefore(db.database, noon)).toEqual(['analyses_hot_20280227'])
    expect(await db.database.query(sql`select analysis_id from analyses_hot`)).toEqual([{ analysis_id: noon * 100 }])
  })
})
