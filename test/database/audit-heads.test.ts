import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditHeads, findLostHead } from '../../src/database/audit-heads.ts'
import { appendAudit, findBrokenAudit, pruneAudit } from '../../src/database/audit-log.ts'
import type { Database } from '../../src/database/connect.ts'
import { testDatabase } from '../support/database.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ database, drop } = await testDatabase())
})
afterAll(() => drop())

const day = 86_400_000
const start = Date.parse('2026-11-21T09:00:00Z')

async function add(ownerId: number, at: number): Promise<void> {
  const record = {
    ...{ ownerId, at, accountId: 7, apiKeyId: null, ipAddress: '192.0.2.1', source: 'api' },
    ...{ operation: 'services.update', resource: 'services', objectId: '1', before: null, after: { at } },
  }
  await database.transaction((transaction) => appendAudit(transaction, record))
}

test('kept heads show that all records of an account were removed with their chain, and retention is no loss', async () => {
  for (const at of [start, start + 1000, start + 2000]) await add(1, at)
  await add(2, start)
  const heads = await auditHeads(database)
  expect(heads).toMatchObject([
    { owner_id: 1, position: 3, time: new Date(start + 2000).toISOString() },
    { owner_id: 2, position: 1 },
  ])
  const lostAt = (now: number) => findLostHead(database, heads, { now, retentionDays: 400 })
  await add(1, start + 3000)
  expect(await lostAt(start + day)).toBeNull()

  // As the owner of the server can, whom no trigger stops.
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`)
    await transaction.execute(sql`delete from audit_log where owner_id = 2`)
    await transaction.execute(sql`delete from audit_chains where owner_id = 2`)
  })
  expect(await findBrokenAudit(database)).toBeNull()
  expect(await lostAt(start + day)).toMatchObject({ owner_id: 2 })
  // A chain that begins anew does not have the record, though all that was written is the same.
  await add(2, start)
  expect(await findBrokenAudit(database)).toBeNull()
  expect(await lostAt(start + day)).toMatchObject({ owner_id: 2 })

  await pruneAudit(database, start + 3500)
  expect(await lostAt(start + 401 * day)).toMatchObject({ owner_id: 2 })
  expect(await findLostHead(database, heads.slice(0, 1), { now: start + 401 * day, retentionDays: 400 })).toBeNull()
  expect(await findLostHead(database, heads.slice(0, 1), { now: start + 9 * day, retentionDays: 400 })).not.toBeNull()
})
