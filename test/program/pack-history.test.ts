import { readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { packHistory } from '../../src/program/pack-history.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { databaseOn } from '../support/database-url.ts'
import { descendants } from '../support/descendants.ts'

const day = 86_400_000
const noon = Date.UTC(2026, 10, 21, 12)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  await ensurePartitions(db.database, noon - 3 * day, 0)
  await db.database.execute(sql`insert into analyses_hot
    values (7, ${(noon - 3 * day) * 100}, 'ok', 51, '{1}', '{o}', '{-90}', '{90}', '{5120}', '{10,20,-1,10,50,10}', null)`)
})
afterAll(() => db.drop())

test('a stopped program begins no packing', async () => {
  expect(await packHistory({ url: db.url, nowAt: noon }, AbortSignal.abort())).toBe(0)
  expect(await db.database.query(sql`select from packed_days`)).toEqual([])
})

test('a process of its own packs closed days', async () => {
  expect(await packHistory({ url: db.url, nowAt: noon }, new AbortController().signal)).toBe(1)
  expect(await db.database.query(sql`select service_id, analyses from packed_days`)).toEqual([
    { service_id: 7, analyses: 1 },
  ])
})

function packingProcesses(): number[] {
  return descendants(process.pid).filter((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'latin1').includes('packed/process')
    } catch {
      return false
    }
  })
}

test('it gives way to others, and still comes to its end on a machine whose CPUs are all busy', async (context) => {
  if (process.platform !== 'linux') context.skip('/proc is of Linux')
  let ended: Promise<number> | undefined
  await db.database.transaction(async (transaction) => {
    // It waits for this lock, and can be looked at.
    await transaction.query(sql`lock table packed_days`)
    ended = packHistory({ url: db.url, nowAt: noon }, new AbortController().signal)
    const { PRIORITY_BELOW_NORMAL } = constants.priority
    const priorities = async () => {
      // A transaction that says nothing is ended by the server, and its lock with it.
      await transaction.query(sql`select`)
      return packingProcesses().map((id) => getPriority(id))
    }
    await expect.poll(priorities).toEqual([PRIORITY_BELOW_NORMAL])
  })
  expect(await ended).toBe(0)
})

test('what keeps it from packing is told', async () => {
  const order = { url: databaseOn(db.url, 'nowhere'), nowAt: noon }
  await expect(packHistory(order, new AbortController().signal)).rejects.toThrow(/could not be packed.*nowhere/s)
})
