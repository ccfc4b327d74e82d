import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { AbandonedWork } from '../../src/presence/abandoned.ts'
import { ChannelListener } from '../../src/presence/channel-listener.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'
import { claimDue } from '../../src/service-state/claims.ts'
import { systemTimers } from '../../src/turns/timers.ts'
import { fakeStations } from '../support/fake-stations.ts'
import { analysesOf, type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

/** Processes die with rounds in their hands. Real clocks: what is waited for comes long before a lease would end. */
let world: MonitoringWorld
const clock = { now: () => Date.now() }
const leaseMilliseconds = 120_000
const patiently = { timeout: 30_000, interval: 20 }

beforeAll(async () => {
  world = await monitoringWorld()
})
/** Ended before the tables are emptied: a process at work beside the emptying is a deadlock. */
const heirs: Awaited<ReturnType<MonitoringWorld['start']>>[] = []
afterEach(async () => {
  for (const heir of heirs.splice(0)) await heir.stop()
  await world.clear()
})
afterAll(() => world.drop())

/** A process that has claimed everything due and lives until it dies. */
async function holder() {
  const database = connect({ url: world.url })
  let session = ''
  const begun = (name: string) => {
    session = name
  }
  const stop = await database.listen('schedule', () => {}, { begun, ended: () => {} })
  const now = clock.now()
  const request = {
    now,
    fromAt: Number.NEGATIVE_INFINITY,
    horizonAt: now,
    leasedUntil: now + leaseMilliseconds,
    heldBy: session,
    limit: 100,
  }
  const claims = await claimDue(database, request)
  return {
    serviceIds: claims.map(({ serviceId }) => serviceId),
    /** The machine closes the connections of a process that is killed. */
    die: () =>
      world.database.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
        where pid = split_part(${session}, '@', 1)::int`),
    async close() {
      await stop()
      await database.close()
    },
  }
}

async function startHeir(): Promise<void> {
  heirs.push(await world.start({ clock, timers: systemTimers, manual: false }))
}

const asked = () => world.stations.jobs.map(({ serviceId }) => serviceId)

test('rounds of a process that died are done by another long before their leases end', async () => {
  const id = await world.addService()
  const dead = await holder()
  onTestFinished(() => dead.close())
  expect(dead.serviceIds).toEqual([id])
  await startHeir()
  // The heir has looked around, and leaves what a living process holds.
  const other = await world.addService()
  await world.database.execute(sql`select pg_notify('schedule', '')`)
  await expect.poll(asked, patiently).toContain(other)
  expect(asked()).not.toContain(id)
  await dead.die()
  await expect.poll(asked, patiently).toContain(id)
  await expect.poll(async () => (await analysesOf(world.database, id)).length, patiently).toBe(1)
})

test('a process that stops finishes what it has under way: nobody takes that for abandoned', async () => {
  const id = await world.addService()
  const slow = fakeStations()
  slow.connect(...world.sensorIds)
  let answer = () => {}
  const asking = new Promise<void>((resolve) => {
    answer = resolve
  })
  const stations = { ...slow, check: (job: CheckJob) => asking.then(() => slow.check(job)) }
  const stopping = await world.start({ clock, timers: systemTimers, manual: false, stations })
  const held = sql`select from schedule where service_id = ${id} and held_by is not null`
  await expect.poll(() => world.database.query(held), patiently).toHaveLength(1)
  const stopped = stopping.stop()
  await startHeir()
  const other = await world.addService()
  await world.database.execute(sql`select pg_notify('schedule', '')`)
  await expect.poll(asked, patiently).toContain(other)
  answer()
  await stopped
  expect(await analysesOf(world.database, id)).toHaveLength(1)
  expect(asked()).not.toContain(id)
})

test('whoever starts after the death takes over at once; what living ones hold stays theirs', async () => {
  const orphaned = await world.addService()
  const dead = await holder()
  const held = await world.addService()
  const living = await holder()
  onTestFinished(() => living.close())
  expect([dead.serviceIds, living.serviceIds]).toEqual([[orphaned], [held]])
  await dead.close()
  await startHeir()
  await expect.poll(async () => (await analysesOf(world.database, orphaned)).length, patiently).toBe(1)
  expect(asked()).not.toContain(held)
})

test('what a process that is gone wanted to see is seen by another', async () => {
  const route = { kind: 'traceroute', host: 'shop.example' }
  const [row] = await world.database.query<{ id: number }>(sql`
    insert into diagnostics (kind, account_id, sensor_id, request, created_at, status, leased_until, held_by)
    values ('traceroute', 1, ${world.sensorIds[0]}, ${JSON.stringify(route)}, ${new Date(clock.now())},
      'in_progress', ${new Date(clock.now() + leaseMilliseconds)}, 'nobody')
    returning id`)
  await startHeir()
  const seen = sql`select status, lines from diagnostics where id = ${row?.id ?? 0}`
  await expect
    .poll(() => world.database.query(seen), patiently)
    .toEqual([{ status: 'completed', lines: ['traceroute shop.example'] }])
})

test('work that this process held by an earlier session of its own is not that of a dead process', async () => {
  const id = await world.addService()
  const told: string[] = []
  const listener = new ChannelListener(world.database, 'schedule', () => {})
  onTestFinished(() => listener.close())
  let now = 0
  const timers = { ...systemTimers, monotonic: () => now }
  const log = { info: (_facts: object, text: string) => void told.push(text) }
  const abandoned = new AbandonedWork({ database: world.database, clock, timers, log, listener, kinds: ['rounds'] })
  const hold = (session: string | null) =>
    world.database.execute(
      sql`update schedule set held_by = ${session}, leased_until = 'infinity' where service_id = ${id}`,
    )
  await listener.listen(0)
  await abandoned.giveBack()
  await hold(listener.session)
  // The database was restarted: every session is another one.
  await listener.listen(1)
  now += 10_000
  expect(await abandoned.giveBack()).toBe(1)
  expect(told.splice(0)).toEqual(['Work whose session with the database had ended is done anew'])
  await hold('1@1')
  await listener.listen(2)
  now += 10_000
  expect(await abandoned.giveBack()).toBe(1)
  expect(told).toEqual(['Work of a dead process was taken over'])
})
