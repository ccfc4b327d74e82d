import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { givePackage } from '../support/packages.ts'

/** The creations of one account side by side, as `latarnik apply` makes them. */

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const shop = { type_id: 'http', name: 'Sklep', address: 'shop.example.com' }

function create(): Promise<Reply> {
  return api.call('charlie', 'POST', '/services', shop)
}

/** While somebody else holds the row of the account, as a creation at the last free place does. */
async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  return api.database.transaction(async (transaction) => {
    await transaction.execute(sql`select from accounts where id = ${api.people.ids.charlie} for no key update`)
    return work()
  })
}

/** Transactions that wait for a row, and have written a plan. */
async function waitingWithPlan(): Promise<number> {
  const [row] = await api.database.query<{ count: number }>(sql`
    select count(distinct waiting.pid)::int as count from pg_locks waiting join pg_locks held on held.pid = waiting.pid
    where not waiting.granted and waiting.locktype in ('transactionid', 'tuple')
      and held.relation = 'schedule'::regclass and held.mode = 'RowExclusiveLock'`)
  return row?.count ?? 0
}

test('where nothing is limited, creations wait for nobody who holds the row of the account', async () => {
  await givePackage(api, 'charlie', {})
  const replies = await whileHeld(() => Promise.all([create(), create(), create()]))
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
})

test('where services are limited, a creation waits for the row of the account once everything else is written', async () => {
  await givePackage(api, 'charlie', { maximum_services: 4 })
  const creations = await whileHeld(async () => {
    const waiting = [create(), create()]
    await expect.poll(waitingWithPlan).toBe(2)
    return waiting
  })
  const replies = await Promise.all(creations)
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422])
  const refused = replies.find(({ status }) => status === 422)
  expect(refused?.text).toContain('maximum_services')
  const [left] = await api.database.query<{ services: number; plans: number }>(sql`
    select count(*)::int as services, count(schedule.service_id)::int as plans
    from services left join schedule on service_id = id where owner_id = ${api.people.ids.charlie}`)
  expect(left).toEqual({ services: 4, plans: 4 })
})
