import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AuditRecord,
  appendAudit,
  countAudit,
  findBrokenAudit,
  maskSubscribers,
  pruneAudit,
} from '../../src/database/accounts/audit-log.ts'
import type { Database } from '../../src/database/connect.ts'
import { testDatabase } from '../support/database.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ database, drop } = await testDatabase())
})
afterAll(() => drop())

const day = 86_400_000
const start = Date.parse('2026-11-21T09:00:00.123Z')

function record(ownerId: number, at: number, number = 0): AuditRecord {
  return {
    ...{ ownerId, at, accountId: 7, apiKeyId: null, ipAddress: '192.0.2.1', source: 'api' },
    ...{ operation: 'services.update', resource: 'services', objectId: String(number) },
    before: { name: 'żółw', number: 1.5 },
    after: { name: null, list: [1, 'a', true] },
  }
}

const add = (one: AuditRecord) => database.transaction((transaction) => appendAudit(transaction, one))

test('many writers at once make one chain for each owner, without a gap', async () => {
  await Promise.all(Array.from({ length: 60 }, (_, number) => add(record((number % 2) + 1, start + number, number))))
  const chains = await database.query(sql`
    select owner_id, count(*)::int, min(position)::int, max(position)::int from audit_log group by 1 order by 1`)
  expect(chains).toEqual([
    { owner_id: 1, count: 30, min: 1, max: 30 },
    { owner_id: 2, count: 30, min: 1, max: 30 },
  ])
  expect(await findBrokenAudit(database)).toBeNull()
})

test('a change that is rolled back leaves no record, and its place is free', async () => {
  const failing = database.transaction(async (transaction) => {
    await appendAudit(transaction, record(1, start))
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  await add(record(1, start + 1000))
  expect(await findBrokenAudit(database)).toBeNull()
})

test('nobody changes, deletes or empties it', async () => {
  for (const statement of [
    sql`update audit_log set source = 'console' where owner_id = 1`,
    sql`delete from audit_log where owner_id = 1 and position = 3`,
    sql`truncate audit_log`,
  ])
    await expect(database.execute(statement)).rejects.toThrow('the audit log is only added to')
})

/** As somebody would who owns the database. */
async function forge(statement: ReturnType<typeof sql>, undo: ReturnType<typeof sql> | null) {
  const without = async (work: ReturnType<typeof sql>) => {
    await database.execute(sql`alter table audit_log disable trigger user`)
    await database.execute(work)
    await database.execute(sql`alter table audit_log enable trigger user`)
  }
  await without(statement)
  const found = await findBrokenAudit(database)
  if (undo !== null) await without(undo)
  return found
}

test('the first record that was changed, or is missing, is named', async () => {
  const changed = await forge(
    sql`update audit_log set after = '{"name": "forged"}' where owner_id = 2 and position in (5, 9)`,
    sql`update audit_log set after = '{"name": null, "list": [1, "a", true]}' where owner_id = 2 and position in (5, 9)`,
  )
  expect(changed).toMatchObject({ owner_id: 2, position: 5 })
  expect(await findBrokenAudit(database)).toBeNull()
  await add(record(3, start))
  await add(record(3, start))
  expect(await forge(sql`delete from audit_log where owner_id = 3 and position = 2`, null)).toEqual({
    owner_id: 3,
    position: 2,
    id: null,
  })
  await forge(sql`delete from audit_log where owner_id = 3`, sql`delete from audit_chains where owner_id = 3`)
  expect(await findBrokenAudit(database)).toBeNull()
})

test('a chain without its head is named, with its first records and without them', async () => {
  await add(record(6, start))
  await add(record(6, start))
  const [head] = await database.query<{ hash: Buffer }>(sql`select hash from audit_chains where owner_id = 6`)
  const back = sql`insert into audit_chains (owner_id, position, hash) values (6, 2, ${head?.hash})`
  expect(await forge(sql`delete from audit_chains where owner_id = 6`, null)).toMatchObject({
    owner_id: 6,
    position: 1,
  })
  expect(await forge(sql`delete from audit_log where owner_id = 6 and position = 1`, null)).toMatchObject({
    ...{ owner_id: 6, position: 1 },
  })
  expect(await forge(back, null)).toMatchObject({ owner_id: 6, position: 1 })
  const higher = sql`update audit_chains set position = 3 where owner_id = 6`
  expect(await forge(higher, null)).toMatchObject({ owner_id: 6 })
  await forge(sql`delete from audit_log where owner_id = 6`, sql`delete from audit_chains where owner_id = 6`)
  expect(await findBrokenAudit(database)).toBeNull()
})

test('the digest of a record covers its number', async () => {
  const [last] = await database.query<{ id: number }>(sql`select max(id)::int as id from audit_log where owner_id = 2`)
  const id = last?.id ?? 0
  await database.execute(sql`alter table audit_log alter id set generated by default`)
  const found = await forge(
    sql`update audit_log set id = 900000 where id = ${id}`,
    sql`update audit_log set id = ${id} where id = 900000`,
  )
  expect(found).toMatchObject({ owner_id: 2, position: 30, id: 900_000 })
  const uncovered = await forge(
    sql`update audit_log set id = 900000, covers_id = false where id = ${id}`,
    sql`update audit_log set id = ${id}, covers_id = true where id = 900000`,
  )
  expect(uncovered).toMatchObject({ owner_id: 2, position: 30, id: 900_000 })
  await database.execute(sql`alter table audit_log alter id set generated always`)
  expect(await findBrokenAudit(database)).toBeNull()
})

/** As versions before the migration 76 wrote it. */
const addEarlier = (ownerId: number, after: string) =>
  database.execute(sql`
    with head as (select position + 1 as position, hash from audit_chains where owner_id = ${ownerId}),
    added as (
      insert into audit_log (owner_id, position, time, ip_address, source, operation, resource, after, hash)
      select ${ownerId}, position, ${new Date(start)}::timestamptz, '', 'api', 'status_page_subscribers.create',
        'status_page_subscribers', ${after}::jsonb, audit_digest(hash, ${ownerId}, position,
        ${new Date(start)}::timestamptz, null, null, '', 'api', 'status_page_subscribers.create',
        'status_page_subscribers', null, null, ${after}::jsonb)
      from head returning position, hash
    )
    update audit_chains set position = added.position, hash = added.hash from added where owner_id = ${ownerId}`)

test('records of earlier versions are verified and masked as they were written, among later ones', async () => {
  await add(record(5, start))
  await addEarlier(5, '{"address": "erased@example.com"}')
  await add(record(5, start))
  expect(await findBrokenAudit(database)).toBeNull()
  expect(await maskSubscribers(database)).toBe(1)
  const rows = await database.query(sql`
    select covers_id, operation from audit_log where owner_id = 5 order by position`)
  expect(rows).toEqual([
    { covers_id: true, operation: 'services.update' },
    { covers_id: false, operation: 'status_page_subscribers.create' },
    { covers_id: true, operation: 'services.update' },
    { covers_id: true, operation: 'audit.mask' },
  ])
  expect(await findBrokenAudit(database)).toBeNull()
  const forged = sql`update audit_log set covers_id = true where owner_id = 5 and position = 2`
  const undo = sql`update audit_log set covers_id = false where owner_id = 5 and position = 2`
  expect(await forge(forged, undo)).toMatchObject({ owner_id: 5, position: 2 })
})

const subscribers = (before: unknown, after: unknown): AuditRecord => ({
  ...{ ...record(4, start), operation: 'status_page_subscribers.update', resource: 'status_page_subscribers' },
  ...{ before, after },
})

test('addresses of subscribers that an earlier version wrote are masked, and the chain still verifies', async () => {
  const address = 'erased@example.com'
  await add(subscribers(null, { kind: 'email', address }))
  await add(subscribers({ address, component_ids: [1] }, { address: 'other@example.com', component_ids: [2] }))
  await add(subscribers({ component_ids: [2] }, { component_ids: [3] }))
  await add(subscribers({ kind: 'email', address: '***' }, null))
  expect(await maskSubscribers(database)).toBe(2)
  const rows = await database.query<{ before: unknown; after: unknown }>(
    sql`select before, after from audit_log where owner_id = 4 and resource <> 'audit' order by position`,
  )
  expect(rows).toEqual([
    { before: null, after: { kind: 'email', address: '***' } },
    { before: { address: '***', component_ids: [1] }, after: { address: '***', component_ids: [2] } },
    { before: { component_ids: [2] }, after: { component_ids: [3] } },
    { before: { kind: 'email', address: '***' }, after: null },
  ])
  const [kept] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from audit_log where audit_log::text like ${`%${address}%`}`,
  )
  expect(kept).toEqual({ count: 0 })
  expect(await findBrokenAudit(database)).toBeNull()
  expect(await maskSubscribers(database)).toBe(0)
  await add(subscribers(null, { kind: 'email', address: '***' }))
  expect(await findBrokenAudit(database)).toBeNull()
})

test('a masked record that is changed afterwards is named, and so is one whose mask was never written', async () => {
  const masked = sql`after = '{"kind": "email", "address": "***"}' where owner_id = 4 and position = 1`
  const changed = sql`update audit_log set after = '{"kind": "sms", "address": "***"}' where owner_id = 4 and position = 1`
  expect(await forge(changed, sql`update audit_log set ${masked}`)).toMatchObject({ owner_id: 4, position: 1 })
  const unmasked = sql`update audit_log set after = '{"address": "***"}' where owner_id = 4 and position = 4`
  expect(
    await forge(unmasked, sql`update audit_log set after = null where owner_id = 4 and position = 4`),
  ).toMatchObject({ owner_id: 4, position: 4 })
  expect(await findBrokenAudit(database)).toBeNull()
  await expect(
    database.transaction(async (transaction) => {
      await transaction.execute(sql`select set_config('latarnik.audit_masking', 'on', true)`)
      await transaction.execute(sql`update audit_log set object_id = '9' where owner_id = 4 and position = 1`)
    }),
  ).rejects.toThrow('the audit log is only added to')
})

test('the retention drops what is old, and the rest is still verified from its anchor', async () => {
  await add(record(1, start + 10 * day))
  await add(record(2, start + 10 * day))
  expect(await pruneAudit(database, start + 5 * day)).toBeGreaterThan(0)
  // Masks have the time of the database, so some of the fourth and the fifth owner are younger.
  const ofMasks = await database.query(sql`select from audit_log where owner_id in (4, 5)`)
  expect((await countAudit(database)) - ofMasks.length).toBe(2)
  expect(await findBrokenAudit(database)).toBeNull()
  await add(record(1, start + 11 * day))
  expect(await findBrokenAudit(database)).toBeNull()
  const forged = await forge(sql`update audit_log set object_id = '1' where owner_id = 1 and position = 32`, null)
  expect(forged).toMatchObject({ owner_id: 1, position: 32 })
})
