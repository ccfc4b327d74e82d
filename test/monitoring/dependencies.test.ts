import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { wakeHeld, wakeIfHeld } from '../../src/service-state/dependencies.ts'
import { removeServices } from '../../src/service-state/services.ts'
import { stopMonitoring } from '../../src/service-state/stops.ts'
import { depending } from '../support/depending.ts'
import { escalating, step } from '../support/escalating.ts'
import { type MonitoringWorld, monitoringWorld, statusOf } from '../support/monitoring.ts'
import { planOnce } from '../support/planned.ts'

let world: MonitoringWorld
let monitoring: Monitoring
let net: ReturnType<typeof depending>

beforeAll(async () => {
  world = await monitoringWorld()
  net = depending(world)
})
beforeEach(async () => {
  world.clock.step(Date.UTC(2026, 10, 21, 9) - world.clock.now())
  monitoring = await world.start()
  net.begin()
})
afterEach(async () => {
  await monitoring.stop()
  await world.clear()
})
afterAll(() => world.drop())

const minutes = (count: number) => world.pass(monitoring, count * 60)

/** A router that is checked seldom, and services behind it that are checked often. */
async function network(children: number) {
  const router = await net.add([], { interval: 3600 })
  const ids: number[] = []
  for (let index = 0; index < children; index++) ids.push(await net.add([router], { interval: 30 + 10 * (index % 5) }))
  await minutes(3)
  return { router, ids }
}

test('thirty services behind one router make one event, although the router is checked last', async () => {
  const { router, ids } = await network(30)
  net.break(router)
  await minutes(10)
  expect(await net.told(router)).toEqual(['failure'])
  for (const id of ids) {
    expect([await net.told(id), await net.heldBy(id)]).toEqual([[], router])
    expect((await net.changes(id)).at(-1)?.status).toBe('failure')
  }
  net.mend(router)
  await minutes(5)
  expect(await net.told(router)).toEqual(['failure', 'recovery'])
  for (const id of ids) expect([await net.told(id), await net.heldBy(id)]).toEqual([[], null])
})

test('a service behind a router that works is told of within five seconds', async () => {
  const { router, ids } = await network(1)
  const [child = 0] = ids
  net.break(child)
  await minutes(2)
  expect(await net.told(child)).toEqual(['failure'])
  const [failure] = (await net.changes(child)).slice(-1)
  const [told] = await world.database.query<{ created_at: number }>(
    sql`select created_at from notification_intents where service_id = ${child}`,
  )
  expect((told?.created_at ?? 0) - (failure?.start_time ?? 0)).toBe(5000)
  expect(await net.told(router)).toEqual([])
})

test('what still fails when the router is back is told within a minute, and then its recovery', async () => {
  const { router, ids } = await network(2)
  const [broken = 0, sound = 0] = ids
  net.break(router)
  await minutes(3)
  net.break(broken)
  await minutes(10)
  net.mend(router)
  await world.pass(monitoring, 120)
  expect(await net.told(router)).toEqual(['failure', 'recovery'])
  expect([await net.told(broken), await net.told(sound)]).toEqual([['failure'], []])
  net.mend(broken)
  await minutes(2)
  expect(await net.told(broken)).toEqual(['failure', 'recovery'])
})

test('a failure that was told before the router failed keeps its recovery; continuations wait', async () => {
  const router = await net.add([], { interval: 60 })
  const child = await net.add([router], { conditionIds: ['failure', 'failure_continuation', 'recovery'] })
  await minutes(2)
  net.break(child)
  await world.pass(monitoring, 65)
  net.break(router)
  await minutes(1)
  const before = await net.told(child)
  expect(before[0]).toBe('failure')
  await minutes(1)
  const since = (await net.told(child)).length
  await minutes(5)
  expect(await net.told(child)).toHaveLength(since)
  expect(await net.heldBy(child)).toBe(router)
  net.mend(child)
  net.mend(router)
  await minutes(3)
  expect((await net.told(child)).filter((condition) => condition !== 'failure_continuation')).toEqual([
    'failure',
    'recovery',
  ])
})

test('the cause of a chain is its head, and the links tell nothing', async () => {
  const router = await net.add([], { interval: 120 })
  const rack = await net.add([router])
  const shop = await net.add([rack])
  await minutes(3)
  net.break(router)
  await minutes(10)
  expect([await net.told(router), await net.told(rack), await net.told(shop)]).toEqual([['failure'], [], []])
  expect([await net.heldBy(rack), await net.heldBy(shop)]).toEqual([router, router])
  net.break(rack)
  net.mend(router)
  await minutes(5)
  expect([await net.told(rack), await net.told(shop)]).toEqual([['failure'], []])
  expect(await net.heldBy(shop)).toBe(rack)
})

describe('a parent lets go', () => {
  async function held() {
    const { router, ids } = await network(1)
    const [child = 0] = ids
    net.break(child)
    net.break(router)
    await minutes(3)
    expect([await net.told(child), await net.heldBy(child)]).toEqual([[], router])
    return { router, child }
  }

  test('when it is paused or archived', async () => {
    const { router, child } = await held()
    await world.database.transaction((transaction) => stopMonitoring(transaction, router, 'user', world.clock.now()))
    await minutes(2)
    expect([await net.told(child), await net.heldBy(child)]).toEqual([['failure'], null])
  })

  test('when a suspension begins', async () => {
    const { router, child } = await held()
    const from = world.clock.now() + 60_000
    await planOnce(world, router, { from, to: from + 3_600_000 })
    await minutes(3)
    expect(await net.told(child)).toEqual(['failure'])
  })

  test('when it is deleted', async () => {
    const { router, child } = await held()
    await world.database.transaction((transaction) => removeServices(transaction, [router]))
    await minutes(2)
    expect([await net.told(child), await net.heldBy(child)]).toEqual([['failure'], null])
    const [row] = await world.database.query<{ parent_ids: number[] }>(
      sql`select parent_ids from services where id = ${child}`,
    )
    expect(row?.parent_ids).toEqual([])
  })

  test('when nobody is told of its failures any more', async () => {
    const { router, child } = await held()
    await world.database.execute(sql`update services set notification_mode_id = 'off' where id = ${router}`)
    await minutes(2)
    expect(await net.told(child)).toEqual(['failure'])
  })

  test('when nothing is known of it', async () => {
    const { router, child } = await held()
    world.stations.answer = ({ serviceId }) => (serviceId === router ? 'unknown' : 'error')
    await minutes(3)
    expect(await net.told(child)).toEqual(['failure'])
  })
})

test('a child that is paused while it is held, and one that quiet hours silence, tell nothing', async () => {
  const { router, ids } = await network(2)
  const [paused = 0, silent = 0] = ids
  await planOnce(world, silent, {
    from: world.clock.now(),
    to: world.clock.now() + 600_000,
    onlyNotifications: true,
  })
  net.break(router)
  await minutes(3)
  await world.database.transaction((transaction) => stopMonitoring(transaction, paused, 'user', world.clock.now()))
  expect(await net.heldBy(paused)).toBeNull()
  net.mend(router)
  await minutes(15)
  expect([await net.told(paused), await net.told(silent)]).toEqual([[], []])
})

test('the steps of an escalation wait while a parent has failed', async () => {
  const duty = escalating(world)
  const [anna, jan] = [await duty.contact('anna'), await duty.contact('jan')]
  const escalationId = await duty.escalation([
    step({ contact_ids: [anna] }),
    step({ contact_ids: [jan], delay_seconds: 300 }),
  ])
  const router = await net.add([], { interval: 60 })
  const child = await net.add([router])
  await duty.give(child, escalationId)
  const until = (count: number) => duty.passUntil(monitoring, world.clock.now() + count * 60_000)
  const steps = async () => (await duty.told(child)).map(({ address }) => address)
  await until(2)
  net.break(child)
  await until(2)
  expect(await steps()).toEqual(['anna@email'])
  net.break(router)
  await until(20)
  expect(await steps()).toEqual(['anna@email'])
  net.mend(router)
  await until(3)
  expect(await steps()).toEqual(['anna@email', 'jan@email'])
  await duty.clear()
})

test('one connection wakes what a service held, and a service whose parents changed', async () => {
  const id = await world.addService()
  await world.database.transaction(async (transaction) => {
    await wakeHeld(transaction, [id], world.clock.now())
    await wakeIfHeld(transaction, id, world.clock.now())
    await wakeHeld(transaction, [id], world.clock.now())
  })
  expect(await statusOf(world.database, id)).toMatchObject({ monitoring_status: 'on' })
})
