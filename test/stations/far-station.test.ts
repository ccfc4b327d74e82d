import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CoreConnection, type CoreConnectionOptions, connectToCore } from '../../src/sensor/far/core-connection.ts'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import { wireResult } from '../../src/sensor/far/wire-results.ts'
import { type LocalStations, startLocalStations } from '../../src/sensor/local.ts'
import { unanswered } from '../../src/sensor/probing-process.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'
import { jobFor, verdictOf } from '../support/check.ts'
import { addressOf, startDnsServer } from '../support/dns-server.ts'
import { type FarCore, type FarCoreOptions, farCore } from '../support/far-core.ts'
import { createNastyServers, say } from '../support/nasty-server.ts'
import { patiently } from '../support/patience.ts'

const page = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
const servers = createNastyServers()
let stations: LocalStations
let directory: string
const cores: FarCore[] = []
const connections: CoreConnection[] = []

beforeAll(async () => {
  stations = await startLocalStations({ sensorIds: [0], allow: 'all', log: () => {} })
})
afterAll(() => stations.stop())
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latarnik-far-'))
})
afterEach(async () => {
  await Promise.all(connections.splice(0).map((connection) => connection.stop()))
  await Promise.all(cores.splice(0).map((core) => core.stop()))
  servers.closeAll()
  rmSync(directory, { recursive: true })
})

async function core(options: FarCoreOptions = {}): Promise<FarCore> {
  const started = await farCore(options)
  cores.push(started)
  return started
}

function keptHere(): KeptResults {
  return new KeptResults({ directory, maximumCount: 100, maximumBytes: 1_000_000, log: () => {} })
}

function station(server: URL, more: Partial<CoreConnectionOptions> = {}): CoreConnection {
  const connection = connectToCore({
    ...{ server, token: 'token-1', version: '0.1.0', categories: ['default'], city: 'Łódź', country: 'Polska' },
    ...{ stations, kept: keptHere(), log: () => {}, random: () => 0 },
    ...more,
  })
  connections.push(connection)
  return connection
}

function job(address: string, more: Partial<CheckJob> = {}): CheckJob {
  return { ...jobFor('http', address), sensorId: 1, ...more }
}

/** A target that takes connections and keeps silent; `hit` resolves at the first one. */
async function silentTarget() {
  let hit = (_socket: Socket) => {}
  const first = new Promise<Socket>((resolve) => {
    hit = resolve
  })
  const port = await servers.tcp((socket) => hit(socket))
  return { address: `127.0.0.1:${port}/`, first }
}

describe('a station far away', () => {
  test('tells who it is, checks targets, and keeps nothing of what was acknowledged', async () => {
    const there = await core()
    const kept = keptHere()
    const connection = station(there.url, { kept })
    expect(await connection.firstMeeting).toEqual({ sensorId: 1, name: 'Sensor 1' })
    await there.connected(1)
    const registration = {
      version: '0.1.0',
      categories: ['default'],
      unsupportedTypes: [],
      city: 'Łódź',
      country: 'Polska',
      ...{ latitude: null, longitude: null },
    }
    expect(there.registrations.get(1)).toEqual({ ...registration, address: '127.0.0.1' })
    const address = `127.0.0.1:${await servers.http(say(page))}/`
    const refused = job('127.0.0.1:1/')
    const results = await Promise.all([there.stations.check(job(address)), there.stations.check(refused)])
    expect(results.map(verdictOf)).toEqual(['ok', 'connection_refused'])
    expect(results[1]).toMatchObject({
      serviceId: refused.serviceId,
      sensorId: 1,
      evidence: { ip_address: '127.0.0.1' },
    })
    await vi.waitFor(() => expect(kept.size).toBe(0), patiently)
  })

  test('brings the page that a target failed with, byte by byte', async () => {
    const there = await core()
    station(there.url)
    await there.connected(1)
    const body = Buffer.from([0, 255, 128, 10, 13, 34, 92])
    const head =
      'HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/octet-stream\r\nContent-Length: 7\r\n\r\n'
    const address = `127.0.0.1:${await servers.http(say(Buffer.concat([Buffer.from(head), body])))}/`
    const { evidence } = await there.stations.check(job(address))
    expect(evidence?.status_code).toBe(503)
    expect(evidence?.artifacts.map(({ typeId, bytes }) => [typeId, Buffer.from(bytes)])).toEqual([['content', body]])
  })

  test('tells what the assertions of a good page said', async () => {
    const there = await core()
    station(there.url)
    await there.connected(1)
    const page = say('HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"queue":40}')
    const address = `127.0.0.1:${await servers.http(page)}/`
    const queue = { source: 'json', path: '$.queue', comparison: 'less', value: 30, severity: 'degraded' }
    const { result, evidence, errorMessage } = await there.stations.check(
      job(address, { settings: { assertions: JSON.stringify([queue]) } }),
    )
    expect([result, errorMessage]).toEqual(['ok', null])
    expect(evidence?.facts).toEqual({ failed_assertions: 'assertion 1: expected json $.queue less 30, came 40' })
  })

  test('answers what people ask of it', async () => {
    const there = await core()
    station(there.url)
    await there.connected(1)
    const { port, close } = await startDnsServer((query) => addressOf(query, '192.0.2.1'))
    const request = { kind: 'dns', host: 'www.example.com', query_type: 'A', server: '127.0.0.1', port } as const
    const found = await there.stations.diagnose({ sensorId: 1, request, deadlineAt: Date.now() + 10_000 })
    close()
    expect(found.isOk).toBe(true)
    expect(found.lines.join('\n')).toContain('192.0.2.1')
  })

  test.each([90_000, -90_000])(
    'whose clock is off by %d ms starts at the right moment and gives right times',
    async (aheadMs) => {
      const there = await core({ aheadMs })
      station(there.url)
      await there.connected(1)
      const { address, first } = await silentTarget()
      const startAt = Date.now() + aheadMs + 1000
      const answer = there.stations.check(
        job(address, { startAt, deadlineAt: startAt + 60_000, settings: { timeout: 1000 } }),
      )
      await first
      expect(Math.abs(Date.now() + aheadMs - startAt)).toBeLessThan(30_000)
      const { startedAt } = await answer
      expect(Math.abs(startedAt - startAt)).toBeLessThan(30_000)
      expect(there.log.map(({ message }) => message)).toContain(
        'The clock of a sensor is wrong; its times are corrected.',
      )
    },
  )

  test('that is lost in the middle of a check answers unknown at once, and comes back', async () => {
    const there = await core()
    const connection = station(there.url)
    await there.connected(1)
    const { address, first } = await silentTarget()
    const askedAt = Date.now()
    const answer = there.stations.check(job(address))
    await first
    await connection.stop()
    expect(verdictOf(await answer)).toBe('sensor_lost')
    expect(Date.now() - askedAt).toBeLessThan(30_000)
    station(there.url)
    await there.connected(1)
  })

  test('whose core starts anew connects again, and hands over what it has finished meanwhile', async () => {
    const before = await core()
    const kept = keptHere()
    station(before.url, { kept })
    await before.connected(1)
    const { address, first } = await silentTarget()
    const lost = before.stations.check(job(address))
    const socket = await first
    await before.stop()
    expect(verdictOf(await lost)).toBe('sensor_lost')
    socket.end(page)
    await vi.waitFor(() => expect(kept.size).toBe(1), patiently)
    const after = await core({ port: Number(before.url.port) })
    await after.connected(1)
    await vi.waitFor(() => expect(kept.size).toBe(0), patiently)
    const alive = `127.0.0.1:${await servers.http(say(page))}/`
    expect(await after.stations.check(job(alive))).toMatchObject({ result: 'ok' })
  })

  test('that starts anew hands over what an earlier run has kept, once', async () => {
    const left = keptHere()
    for (const id of ['a', 'b', 'c']) left.add(wireResult(id, unanswered(job('x'), 'sensor_late', 'left over'), 1))
    left.close()
    const there = await core()
    for (const unasked of [3, 0]) {
      const kept = keptHere()
      const connection = station(there.url, { kept })
      await there.connected(1)
      await vi.waitFor(() => expect(kept.size).toBe(0), patiently)
      await connection.stop()
      await there.connected(1, false)
      expect(there.log.at(-1)?.facts).toMatchObject({ unasked_results: unasked })
    }
  })

  test('with a token that does not hold learns so', async () => {
    const there = await core()
    const meeting = await station(there.url, { token: 'wrong' }).firstMeeting
    expect(meeting).toEqual({ refusal: expect.stringContaining('does not know this token') })
  })

  test('whose token is revoked is sent away', async () => {
    const revoked = new Set<string>()
    const there = await core({ revoked })
    station(there.url)
    await there.connected(1)
    revoked.add('token-1')
    await there.connected(1, false)
  })

  test('that has no core yet waits for one', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address() as { port: number }
    await new Promise((resolve) => holder.close(resolve))
    const connection = station(new URL(`http://127.0.0.1:${port}`))
    const there = await core({ port })
    await there.connected(1)
    expect(await connection.firstMeeting).toMatchObject({ sensorId: 1 })
  })
})
