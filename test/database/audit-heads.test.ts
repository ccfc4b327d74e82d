import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditFinding } from '../../src/cli/examine/audit.ts'
import { anchoredHeads, anchorHeads, auditHeads, findLostHead } from '../../src/database/accounts/audit-heads.ts'
import { appendAudit, findBrokenAudit, pruneAudit } from '../../src/database/accounts/audit-log.ts'
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

/** As the owner of the server can, whom no trigger stops. */
async function removeChain(ownerId: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`)
    await transaction.execute(sql`delete from audit_log where owner_id = ${ownerId}`)
    await transaction.execute(sql`delete from audit_chains where owner_id = ${ownerId}`)
  })
}

const examined = () => auditFinding({ auditRetentionDays: 400 }, database)

test('doctor names a chain that was removed with its head: the log of the installation keeps the heads, day by day', async () => {
  const now = Date.now()
  await add(11, now - day / 12)
  await add(11, now - day / 12)
  await add(12, now - day / 12)
  const written = await anchorHeads(database, now)
  expect(written).toMatchObject({ owner_id: 0, position: 1 })
  expect(await anchorHeads(database, now + 1000)).toBeNull()
  expect((await examined()).text).toMatch(/the last records of \d+ accounts are there$/)
  expect((await anchoredHeads(database)).filter(({ owner_id: owner }) => owner > 10)).toMatchObject([
    { owner_id: 11, position: 2 },
    { owner_id: 12, position: 1 },
  ])
  // Only what moved is added, and the latest head of each chain counts.
  await add(12, now + 5000)
  await anchorHeads(database, now + day)
  const [second] = await database.query<{ heads: readonly object[] }>(
    sql`select after -> 'heads' as heads from audit_log where owner_id = 0 order by position desc limit 1`,
  )
  expect(second?.heads).toMatchObject([{ owner_id: 12, position: 2 }])
  expect(await anchorHeads(database, now + 3 * day)).toBeNull()
  expect(await examined()).toMatchObject({ state: 'ok' })

  await removeChain(11)
  expect(await findBrokenAudit(database)).toBeNull()
  expect(await examined()).toMatchObject({
    state: 'fault',
    text: expect.stringMatching(/^record 2 of account 11 of .* is gone, with its chain$/),
  })
  // A chain that was computed anew does not have the record either.
  await add(11, now - 2000)
  await add(11, now - 900)
  expect(await findBrokenAudit(database)).toBeNull()
  expect(await examined()).toMatchObject({ state: 'fault' })
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`)
    await transaction.execute(sql`delete from audit_log where owner_id = 0`)
    await transaction.execute(sql`delete from audit_chains where owner_id = 0`)
  })
  // The line of the log is what is left then.
  expect(await examined()).toMatchObject({ state: 'ok' })
  const limits = { now, retentionDays: 400 }
  expect(await findLostHead(database, written === null ? [] : [written], limits)).toMatchObject({ owner_id: 0 })
})

test('doctor says that a trigger is off or gone', async () => {
  await database.execute(sql`alter table audit_log disable trigger audit_log_append_only`)
  expect(await examined()).toMatchObject({ state: 'fault', text: expect.stringContaining('does not refuse changes') })
  await database.execute(sql`alter table audit_log enable trigger audit_log_append_only`)
  expect(await examined()).toMatchObject({ state: 'ok' })
  await database.execute(sql`drop trigger audit_log_whole on audit_log`)
  expect(await examined()).toMatchObject({ state: 'fault', text: expect.stringContaining('does not refuse changes') })
})
