import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { resumeMonitoring, resumeServices, stopMonitoring, stopServices } from '../../src/service-state/stops.ts'
import { changesOf, intentsOf, type MonitoringWorld, monitoringWorld, planOf, statusOf } from '../support/monitoring.ts'

/** Stops of many services at once, as the blocking of an account makes them; every other stop stays what it was. */
let world: MonitoringWorld
let monitoring: Monitoring

beforeAll(async () => {
  world = await monitoringWorld()
  monitoring = await world.start()
})
afterAll(async () => {
  await monitoring.stop()
  await world.drop()
})
afterEach(async () => {
  await block(false)
  await world.clear()
})

async function block(isBlocked: boolean): Promise<void> {
  await world.database.execute(sql`update accounts set is_blocked = ${isBlocked}`)
}

function stopAll(ids: readonly number[]): Promise<void> {
  return world.database.transaction((transaction) =>
    stopServices(transaction, ids, 'account_blocked', world.clock.now()),
  )
}

function resumeAll(ids: readonly number[]): Promise<void> {
  return world.database.transaction((transaction) => resumeServices(transaction, ids, world.clock.now()))
}

const conditionIds = ['failure', 'recovery', 'pause']

test('services of a blocked account pause without a notice and are checked no more', async () => {
  const ids = [await world.addService({ conditionIds }), await world.addService({ conditionIds })]
  await monitoring.drain()
  await block(true)
  await stopAll(ids)
  const asked = world.stations.jobs.length
  await world.pass(monitoring, 600)
  expect(world.stations.jobs).toHaveLength(asked)
  for (const id of ids) {
    expect(await statusOf(world.database, id)).toMatchObject({ monitoring_status: 'off', state: 'paused' })
    expect(await changesOf(world.database, id)).toMatchObject([
      { status: 'ok' },
      { status: 'paused', pause_reason: 'account_blocked', end_time: null },
    ])
    expect(await intentsOf(world.database, id)).toEqual([])
  }
})

test('unblocking resumes what was running, on its own grid, and nothing else', async () => {
  const running = [await world.addService({ interval: 600 }), await world.addService({ interval: 30 })]
  const paused = await world.addService()
  const archived = await world.addService()
  await monitoring.drain()
  await world.database.execute(sql`update services set is_active = false where id in (${paused}, ${archived})`)
  await world.database.execute(sql`update services set is_archived = true where id = ${archived}`)
  await world.database.transaction(async (transaction) => {
    await stopMonitoring(transaction, paused, 'user', world.clock.now())
    await stopMonitoring(transaction, archived, 'archived', world.clock.now())
  })
  const all = [...running, paused, archived]
  await block(true)
  await stopAll(all)
  world.clock.advance(90_000)
  await block(false)
  await resumeAll(all)
  for (const id of running) {
    expect(await statusOf(world.database, id)).toMatchObject({ monitoring_status: 'on', state: 'paused' })
    const { due_at: dueAt } = await planOf(world.database, id)
    expect(dueAt).toBeGreaterThan(world.clock.now())
    expect(dueAt).toBeLessThanOrEqual(world.clock.now() + 60_000)
  }
  for (const id of [paused, archived]) {
    expect(await statusOf(world.database, id)).toMatchObject({ monitoring_status: 'off' })
  }
  await world.pass(monitoring, 60)
  for (const id of running) expect(await statusOf(world.database, id)).toMatchObject({ state: 'ok' })
})

test('what is suspended by a calendar goes on being suspended after the block', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await block(true)
  await stopAll([id])
  const end = new Date(world.clock.now() + 3_600_000)
  await world.database.execute(sql`
    insert into suspensions (service_id, start_time, end_time) values (${id}, ${new Date(world.clock.now())}, ${end})`)
  await block(false)
  await resumeAll([id])
  expect(await statusOf(world.database, id)).toMatchObject({ monitoring_status: 'suspended' })
})

test('while its owner is blocked, nobody can switch a service on or make a running one', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await block(true)
  await stopAll([id])
  await world.database.transaction((transaction) => resumeMonitoring(transaction, id, world.clock.now()))
  expect(await statusOf(world.database, id)).toMatchObject({ monitoring_status: 'off' })
  const added = await world.addService()
  expect(await statusOf(world.database, added)).toMatchObject({ monitoring_status: 'off' })
  expect(await changesOf(world.database, added)).toMatchObject([{ pause_reason: 'account_blocked' }])
})

test('the block of a parent holds for what its sub-accounts own', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await world.database.execute(sql`
    with parent as (
      insert into accounts (distribution_id, package_id, username, name, is_blocked)
      select distribution_id, package_id, 'parent', 'Parent', true from accounts returning id)
    update accounts set parent_account_id = parent.id from parent where username = 'alice'`)
  await stopAll([id])
  await resumeAll([id])
  expect(await statusOf(world.database, id)).toMatchObject({ monitoring_status: 'off' })
  await block(false)
  await resumeAll([id])
  expect(await statusOf(world.database, id)).toMatchObject({ monitoring_status: 'on' })
})

test('no services are stopped and resumed without harm', async () => {
  await stopAll([])
  await resumeAll([])
  await stopAll([987_654])
  await resumeAll([987_654])
  expect(await world.database.query(sql`select from status_changes`)).toEqual([])
})
