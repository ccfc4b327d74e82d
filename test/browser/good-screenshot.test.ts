import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type LocalStations, startLocalStations } from '../../src/sensor/local.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'
import { systemTimers } from '../../src/turns/timers.ts'
import { browserChoice, describeWithBrowser } from '../support/browser.ts'
import { jobFor } from '../support/check.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'
import { createNastyServers } from '../support/nasty-server.ts'

// Starting a browser on a machine under load takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

describeWithBrowser('a good page', () => {
  const servers = createNastyServers()
  let world: MonitoringWorld
  let stations: LocalStations
  let loads = 0
  let port = 0

  beforeAll(async () => {
    world = await monitoringWorld()
    stations = await startLocalStations({
      ...{ sensorIds: world.sensorIds, allow: 'all', log: () => {} },
      browser: browserChoice,
    })
    port = await servers.good((request, response) => {
      if (request.url === '/') loads += 1
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shop</title><h1>Welcome</h1>')
    })
  })
  afterAll(async () => {
    servers.closeAll()
    await stations.stop()
    await world.drop()
  })

  test('leaves exactly one picture a day through three stations, without another load of the page', async () => {
    const id = await world.addService({ typeId: 'fullpage', interval: 3600 })
    await world.database.execute(sql`update services set address = ${`127.0.0.1:${port}/`} where id = ${id}`)
    const asked: CheckJob[] = []
    const seen = {
      ...{ isConnected: stations.isConnected, leadMs: stations.leadMs, diagnose: stations.diagnose },
      check(job: CheckJob) {
        asked.push(job)
        return stations.check(job)
      },
    }
    const clock = { now: () => Date.now() }
    const monitoring = await world.start({ stations: seen, clock, timers: systemTimers })
    for (const rounds of [1, 2]) {
      await world.database.execute(sql`update schedule set reason = 'forced', due_at = ${new Date(clock.now() - 1)}`)
      await monitoring.drain()
      const days = await world.database.query<{ start: string; size: number }>(
        sql`select encode(substring(picture for 3), 'hex') as start, length(picture) as size from good_screenshots`,
      )
      expect(days).toEqual([{ start: 'ffd8ff', size: expect.any(Number) }])
      expect(days[0]?.size).toBeGreaterThan(1000)
      expect(asked).toHaveLength(3 * rounds)
      expect(loads).toBe(3 * rounds)
      expect(asked.filter(({ wantsScreenshot }) => wantsScreenshot === true)).toHaveLength(1)
    }
  })

  test('brings a picture only where it is wanted, and a scenario does the same', async () => {
    const address = `127.0.0.1:${port}/`
    const [sensorId = 0] = world.sensorIds
    const check = (typeId: string, settings: CheckJob['settings'], more: Partial<CheckJob>) =>
      stations.check({ ...jobFor(typeId, address, settings), sensorId, ...more })
    expect((await check('fullpage', {}, {})).evidence).toBeNull()
    const scenario = JSON.stringify({ title: 'Look', steps: [{ type: 'navigate', url: `http://${address}` }] })
    const { result, evidence } = await check('webappcheck', { scenario }, { wantsScreenshot: true })
    expect([result, evidence?.artifacts.map(({ typeId }) => typeId)]).toEqual(['ok', ['screenshot']])
  })
})
