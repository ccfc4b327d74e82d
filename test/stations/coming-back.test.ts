import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastConnectedSensors } from '../../src/database/services/sensor-tokens.ts'
import { stationsComeBack } from '../../src/program/far-stations.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

/** A new core's knowledge of its earlier stations. */
const now = 1_900_000_000_000
const clock = { now: () => now }
let db: TestDatabase
let ids: Readonly<Record<string, number>>

beforeAll(async () => {
  db = await testDatabase()
  const moment = (agoMs: number) => new Date(now - agoMs)
  const rows = await db.database.query<{ id: number; name: string }>(sql`
    insert into sensors (name, category_ids, last_seen_at, lost_at) values
      ('connected', '{default}', ${moment(5000)}, null), ('as well', '{default}', ${moment(50_000)}, null),
      ('local', '{default}', ${moment(5000)}, null), ('never seen', '{default}', null, null),
      ('long gone', '{default}', ${moment(120_000)}, null), ('lost', '{default}', ${moment(40_000)}, ${moment(40_000)})
    returning id, name`)
  ids = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
  await db.database.execute(sql`
    insert into sensor_tokens (digest, sensor_id, created_at)
    select sha256(name::bytea), id, ${moment(1_000_000)}::timestamptz from sensors where name <> 'local'`)
})
afterAll(() => db.drop())

test('are those that were heard within a minute and may connect', async () => {
  const awaited = await lastConnectedSensors(db.database, now)
  expect(awaited.toSorted()).toEqual([ids['connected'], ids['as well']].toSorted())
})

test('are awaited until the last one is back', async () => {
  const back = new Set<number | undefined>([ids['connected']])
  let isOver = false
  let looks = 0
  const isConnected = (id: number) => {
    looks += 1
    return back.has(id)
  }
  const waiting = stationsComeBack({ isConnected }, db.database, clock).then(() => {
    isOver = true
  })
  await expect.poll(() => looks, { interval: 10 }).toBeGreaterThan(6)
  expect(isOver).toBe(false)
  back.add(ids['as well'])
  await waiting
})

test('are not awaited for ever', async () => {
  const startedAt = performance.now()
  await stationsComeBack({ isConnected: () => false }, db.database, clock)
  expect(performance.now() - startedAt).toBeGreaterThan(4500)
})
