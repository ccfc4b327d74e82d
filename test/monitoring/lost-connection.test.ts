import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

let world: MonitoringWorld
beforeAll(async () => {
  world = await monitoringWorld()
})
afterAll(() => world.drop())

/** The same database, whose next transaction fails once it is told so. */
function breaking(database: Database): { readonly database: Database; breakNext(): void } {
  let isBroken = false
  return {
    breakNext() {
      isBroken = true
    },
    database: {
      ...database,
      async transaction(run) {
        if (!isBroken) return database.transaction(run)
        isBroken = false
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
      },
    },
  }
}

test('a connection that is lost once costs no round', async () => {
  const id = await world.addService({ interval: 60 })
  const { database, breakNext } = breaking(world.database)
  const monitoring = await world.start({ database })
  await world.pass(monitoring, 600)
  breakNext()
  await world.pass(monitoring, 3000)
  await monitoring.stop()
  const [found] = await world.database.query<{ rounds: number }>(
    sql`select count(*)::int as rounds from analyses_hot where service_id = ${id}`,
  )
  expect(found?.rounds).toBeGreaterThanOrEqual(60)
})
