import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { PingWriter } from '../../src/pings/ping-writer.ts'
import { addHeartbeat, readHearing } from '../../src/service-state/heartbeats.ts'
import type { ReceivedPing } from '../../src/service-state/pings.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

/** Heartbeats of different tenants, one of them noisy, while the database is slow. */

let world: MonitoringWorld

beforeAll(async () => {
  world = await monitoringWorld()
})
afterAll(() => world.drop())

async function heartbeat(ownerId: number) {
  const serviceId = await world.addService({ typeId: 'heartbeat', settings: { period: 3600, grace: 600 } })
  const uuid = randomUUID()
  await addHeartbeat(world.database, { serviceId, ownerId, uuid, slug: null })
  return { serviceId, uuid }
}

function pingOf(uuid: string, body: Buffer | null = null): ReceivedPing {
  const about = { ipAddress: '127.0.0.1', method: 'POST', userAgent: 'test', rid: null, exitStatus: null }
  return { uuid, at: world.clock.now(), kind: 'log', body, ...about }
}

/** A database whose transactions wait for a gate. */
function gated(database: Database): { readonly database: Database; open(): void } {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  return {
    database: {
      ...database,
      async transaction(work) {
        await gate
        return database.transaction(work)
      },
    },
    open: () => open(),
  }
}

test('a noisy tenant is refused alone, all that is acknowledged is stored, and only the refused missed something', async () => {
  const [noisy, quiet] = [await heartbeat(1), await heartbeat(2)]
  const slow = gated(world.database)
  const faults: unknown[] = []
  const writer = new PingWriter({
    ...{ database: slow.database, clock: world.clock, timers: world.clock },
    room: { pings: 1000, bytes: 2 ** 20 },
    onFault: (error) => faults.push(error),
  })
  const body = Buffer.alloc(10_000, 'x')
  const loud = Array.from({ length: 400 }, () => writer.add(pingOf(noisy.uuid, body), '198.51.100.7'))
  const guesses = Array.from({ length: 400 }, () => writer.add(pingOf(randomUUID(), body), '198.51.100.8'))
  const calm = Array.from({ length: 5 }, () => writer.add(pingOf(quiet.uuid, body), '192.0.2.1'))
  slow.open()
  const [ofNoisy, ofGuesses, ofQuiet] = await Promise.all([Promise.all(loud), Promise.all(guesses), Promise.all(calm)])
  expect(new Set(ofNoisy)).toEqual(new Set(['stored', 'too_many']))
  expect(new Set(ofGuesses)).toEqual(new Set(['unknown', 'too_many']))
  expect(ofQuiet).toEqual(Array.from({ length: 5 }, () => 'stored'))
  const stored = await world.database.query<{ service_id: number; count: number }>(sql`
    select service_id, count(*)::int as count from pings group by service_id order by service_id`)
  const acknowledged = ofNoisy.filter((outcome) => outcome === 'stored').length
  expect(stored).toEqual([
    { service_id: noisy.serviceId, count: acknowledged },
    { service_id: quiet.serviceId, count: 5 },
  ])
  await writer.stop()
  const hearingOf = await readHearing(world.database, [noisy.serviceId, quiet.serviceId])
  expect(hearingOf(quiet.serviceId).outages).toEqual([])
  expect(hearingOf(noisy.serviceId).outages).toHaveLength(1)
  expect(faults).toEqual([])
})

test('outages of one heartbeat that follow each other are one', async () => {
  const { serviceId, uuid } = await heartbeat(1)
  for (let round = 0; round < 3; round++) {
    const writer = new PingWriter({
      ...{ database: world.database, clock: world.clock, timers: world.clock },
      room: { pings: 0, bytes: 0 },
      onFault: (error) => {
        throw error
      },
    })
    expect(await writer.add(pingOf(uuid), '192.0.2.1')).toBe('refused')
    await writer.stop()
    world.clock.advanceTo(world.clock.now() + 30_000)
  }
  const own = await world.database.query(sql`select ended_at from ping_outages where service_id = ${serviceId}`)
  expect(own).toEqual([{ ended_at: world.clock.now() - 30_000 }])
})
