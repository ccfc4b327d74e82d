import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type CoreConnection, connectToCore } from '../../src/sensor/far/core-connection.ts'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { verdictOf } from '../support/check.ts'
import { type FakeStations, fakeStations } from '../support/fake-stations.ts'
import { type FarCore, farCore } from '../support/far-core.ts'
import { checkOf } from '../support/message-bus.ts'
import { patiently } from '../support/patience.ts'

/** A station with several cores behind one address. */
const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function core(balancer: Balancer): Promise<FarCore> {
  const started = await farCore()
  balancer.ports.add(Number(started.url.port))
  endings.push(() => started.stop())
  return started
}

async function balancerOf(delayMs = 0): Promise<Balancer> {
  const balancer = await startBalancer({ delayMs })
  endings.push(() => balancer.close())
  return balancer
}

function station({ url }: Balancer): { readonly stations: FakeStations; readonly connection: CoreConnection } {
  const directory = mkdtempSync(join(tmpdir(), 'latarnik-leaving-'))
  const stations = fakeStations()
  const kept = new KeptResults({ directory, maximumCount: 100, maximumBytes: 1_000_000, log: () => {} })
  const connection = connectToCore({
    ...{ server: url, token: 'token-1', version: '0.1.0', categories: ['default'], city: '', country: '' },
    ...{ stations, kept, log: () => {} },
  })
  endings.push(async () => {
    await connection.stop()
    rmSync(directory, { recursive: true })
  })
  return { stations, connection }
}

test('a core that stops sends its station to another one at once', async () => {
  const balancer = await balancerOf()
  const first = await core(balancer)
  station(balancer)
  await first.connected(1)
  const second = await core(balancer)
  balancer.ports.delete(Number(first.url.port))
  const leftAt = performance.now()
  await first.stations.stop(60_000)
  await second.connected(1)
  expect(performance.now() - leftAt).toBeLessThan(30_000)
})

test('a station that is sent away answers first what it was asked, and is asked nothing more', async () => {
  const balancer = await balancerOf()
  const first = await core(balancer)
  const { stations } = station(balancer)
  await first.connected(1)
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const check = stations.check
  stations.check = async (job) => {
    const result = await check(job)
    await finished
    return result
  }
  const answer = first.stations.check(checkOf(1))
  await stations.asked(1)
  const stopped = first.stations.stop(5000)
  expect(first.stations.isConnected(1)).toBe(false)
  expect(verdictOf(await first.stations.check(checkOf(1)))).toBe('sensor_lost')
  finish()
  expect(verdictOf(await answer)).toBe('ok')
  await stopped
  expect(stations.jobs).toHaveLength(1)
})

test('a station that keeps silent holds up nobody: what it was asked is lost', async () => {
  const balancer = await balancerOf()
  const first = await core(balancer)
  const { stations } = station(balancer)
  await first.connected(1)
  stations.answer = () => 'silent'
  const answer = first.stations.check(checkOf(1))
  await stations.asked(1)
  const leftAt = performance.now()
  await first.stations.stop(300)
  expect(verdictOf(await answer)).toBe('sensor_lost')
  expect(performance.now() - leftAt).toBeLessThan(30_000)
})

test('a station at the end of a slow line has its job in time when it is handed over with its lead', async () => {
  const balancer = await balancerOf(200)
  const there = await core(balancer)
  const { stations } = station(balancer)
  await there.connected(1)
  await vi.waitFor(() => expect(there.stations.leadMs(1)).toBeGreaterThanOrEqual(400), patiently)
  expect(there.stations.leadMs(1)).toBeLessThanOrEqual(500)
  // A busy machine is late itself now and then.
  const isInTime = async () => {
    const startAt = Date.now() + there.stations.leadMs(1)
    const asked = stations.asked(stations.jobs.length + 1).then(() => Date.now())
    const answer = there.stations.check(checkOf(1, { startAt, deadlineAt: startAt + 60_000 }))
    expect(verdictOf(await answer)).toBe('ok')
    return (await asked) < startAt && Math.abs((stations.jobs.at(-1)?.startAt ?? 0) - startAt) < 50
  }
  await expect.poll(isInTime).toBe(true)
})
