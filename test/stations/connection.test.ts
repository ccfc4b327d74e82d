import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  closings,
  connectionPath,
  longestFrameBytes,
  longestSilenceMs,
  protocolVersion,
} from '../../src/sensor/far/wire.ts'
import { verdictOf } from '../support/check.ts'
import {
  type FarCore,
  farCore,
  hello,
  farJob as job,
  jobsOf,
  type RawStation,
  rawStation,
  readyStation,
  resultsFrame as results,
} from '../support/far-core.ts'
import { patiently } from '../support/patience.ts'

/** The allowed messages of a connection, and the stations that get one. */
let core: FarCore
const peers: RawStation[] = []
beforeEach(async () => {
  core = await farCore()
})
afterEach(async () => {
  for (const { socket } of peers.splice(0)) socket.terminate()
  await core.stop()
})

async function ready(sensorId: number): Promise<RawStation> {
  const station = await readyStation(core, sensorId)
  peers.push(station)
  return station
}

async function raw(sensorId: number): Promise<RawStation> {
  const station = await rawStation(core, sensorId)
  peers.push(station)
  return station
}

/** The bare line of a connection that was let in. */
async function upgraded(sensorId: number): Promise<Duplex> {
  const headers = {
    ...{ authorization: `Bearer token-${sensorId}`, connection: 'Upgrade', upgrade: 'websocket' },
    ...{ 'sec-websocket-version': '13', 'sec-websocket-key': randomBytes(16).toString('base64') },
  }
  const asking = request(new URL(connectionPath, core.url), { headers }).end()
  const [, socket] = (await once(asking, 'upgrade')) as [unknown, Duplex]
  socket.on('error', () => {})
  return socket
}

const ok = { result: 'ok', response_time: 12 }

describe('a connection', () => {
  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no kind', '{}'],
    ['a second hello', JSON.stringify(hello)],
    ['results of no job', JSON.stringify(results({ result: 'ok' }))],
    ['results that are no list', '{"kind":"results","results":{}}'],
    ['a result without a bottom', `{"kind":"results","results":[${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}]}`],
    ['a diagnosis that says nothing', '{"kind":"diagnosis","id":"x"}'],
    ['a number that is none', '{"kind":"ping","number":1e400}'],
    ['more results than a frame holds', JSON.stringify(results(...Array.from({ length: 1001 }, () => ({ id: 'x' }))))],
  ])('on which %s comes is ended, and what was asked on it is lost at once', async (_what, frame) => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    await jobsOf(station)
    station.send(frame)
    expect(verdictOf(await answer)).toBe('sensor_lost')
    expect(await station.closed).toBe(closings.violation)
    expect(core.stations.isConnected(1)).toBe(false)
  })

  test('on which bytes come is ended', async () => {
    const station = await ready(1)
    station.socket.send(Buffer.from('{}'), { binary: true })
    expect(await station.closed).toBe(closings.violation)
  })

  test('on which a frame without end comes is ended', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    station.send(`"${'x'.repeat(longestFrameBytes)}"`)
    expect(await station.closed).toBe(1009)
    expect(verdictOf(await answer)).toBe('sensor_lost')
  })

  test('that says anything before it was welcomed is ended', async () => {
    const station = await raw(1)
    station.send(results({ id: 'x', ...ok }))
    expect(await station.closed).toBe(closings.violation)
  })

  test('is no station before it is ready', async () => {
    const station = await raw(1)
    station.send(hello)
    await station.next('welcome')
    expect(core.stations.isConnected(1)).toBe(false)
    expect(verdictOf(await core.stations.check(job(1)))).toBe('sensor_lost')
  })

  test('gives way to a newer one of the same sensor', async () => {
    const old = await ready(1)
    const lost = core.stations.check(job(1))
    await jobsOf(old)
    const young = await ready(1)
    expect(await old.closed).toBe(closings.replaced)
    expect(verdictOf(await lost)).toBe('sensor_lost')
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(young)
    young.send(results({ id: given.id, started_at: given.start_at, ...ok }))
    expect(await answer).toMatchObject({ result: 'ok' })
  })

  test('that falls silent is given up, and what was asked on it with it', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    await jobsOf(station)
    station.socket.pause()
    expect(verdictOf(await answer)).toBe('sensor_lost')
    expect(core.stations.isConnected(1)).toBe(false)
  })

  test('of an old or a new version is spoken to, and what it alone knows is passed over', async () => {
    const station = await raw(1)
    station.send({ kind: 'prologue', of: 'version 9' })
    station.send({ kind: 'hello', protocol: 9, version: '9.0.0', categories: ['default', 'moon'], mood: 'fine' })
    expect(await station.next('welcome')).toMatchObject({ protocol: protocolVersion, sensor_id: 1 })
    expect(core.registrations.get(1)).toMatchObject({ version: '9.0.0', city: '', address: '127.0.0.1' })
    station.send({ kind: 'ready', clock_offset_ms: 0, mood: 'fine' })
    await core.connected(1)
  })

  test.each([
    ['older than the core knows', 0, closings.tooOld],
    ['below all numbers', -1, closings.violation],
    ['between two', 1.5, closings.violation],
    ['in words', 'one', closings.violation],
    ['left out', undefined, closings.violation],
  ])('whose version is %s is ended, and is no station', async (_what, protocol, code) => {
    const station = await raw(1)
    station.send({ ...hello, protocol })
    expect(await station.closed).toBe(code)
    expect(core.registrations.get(1)).toBeUndefined()
  })

  test.each([
    ['says nothing', () => {}],
    ['speaks a byte now and then', (socket: Duplex) => socket.write('x')],
  ])('that %s is ended like one that is silent', async (_what, drip) => {
    const socket = await upgraded(1)
    // A text of a million bytes, whose bytes come one by one.
    socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40, 0, 0, 0, 0]))
    const dripping = setInterval(() => drip(socket), 100)
    const openedAt = performance.now()
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(dripping)
    expect(performance.now() - openedAt).toBeLessThan(longestSilenceMs + 30_000)
  })

  test('that is opened again and again is one station, and the others work', async () => {
    const other = await ready(2)
    for (let count = 0; count < 100; count++) await raw(1)
    await vi.waitFor(() => expect(core.stations.size).toBe(2), patiently)
    const answer = core.stations.check(job(2))
    const [given] = await jobsOf(other)
    other.send(results({ id: given.id, started_at: given.start_at, ...ok }))
    expect(await answer).toMatchObject({ result: 'ok' })
  })

  test('that reads nothing of what it is sent is ended before it fills the memory', async () => {
    const station = await ready(1)
    station.socket.pause()
    const alive = setInterval(() => station.send({ kind: 'ping', number: 1 }), 500)
    const settings = { scenario: 'x'.repeat(1_000_000) }
    const lost = Array.from({ length: 100 }, () => core.stations.check(job(1, { settings })))
    const outcomes = (await Promise.all(lost)).map(verdictOf)
    clearInterval(alive)
    expect(new Set(outcomes)).toEqual(new Set(['sensor_lost']))
    expect(core.log.at(-1)?.facts).toMatchObject({ reason: 'it does not read what it is sent' })
  })

  test('that would write on the screens of administrators writes plain text', async () => {
    const station = await raw(1)
    station.send({ ...hello, version: '\u001b[2J1.0', city: 'Łódź\u0000\n\u202e', latitude: 91, longitude: 19.46 })
    await station.next('welcome')
    expect(core.registrations.get(1)).toMatchObject({
      version: '[2J1.0',
      city: 'Łódź',
      latitude: null,
      longitude: null,
    })
  })

  test.each([
    ['large results', 100, () => results({ id: 'x', padding: 'x'.repeat(1_000_000) })],
    ['results of no job', 300, () => results(...Array.from({ length: 1000 }, (_none, count) => ({ id: `${count}` })))],
    ['questions for the time', 100_000, () => ({ kind: 'ping', number: 1 })],
    ['kinds that nobody knows', 100_000, () => ({ kind: 'gossip' })],
  ])('cannot flood the core with %s: what it says too fast waits', async (_what, frames, frame) => {
    const station = await ready(1)
    const text = JSON.stringify(frame())
    for (let count = 0; count < frames; count++) station.send(text)
    const other = await ready(2)
    const askedAt = performance.now()
    const answer = core.stations.check(job(2))
    const [given] = await jobsOf(other)
    other.send(results({ id: given.id, started_at: given.start_at, ...ok }))
    expect(await answer).toMatchObject({ result: 'ok' })
    expect(performance.now() - askedAt).toBeLessThan(30_000)
  })
})

describe('the door', () => {
  test.each(['Bearer wrong', 'Basic dG9rZW4tMTo=', ''])('stays closed for %j', async (authorization) => {
    const headers = { authorization, connection: 'Upgrade', upgrade: 'websocket' }
    const asking = request(new URL('/v3/sensor_connections', core.url), { headers }).end()
    const [response] = await once(asking, 'response')
    expect([response.statusCode, await text(response)]).toEqual([401, 'the token does not hold'])
  })

  test('agrees with nobody on packed frames: a few bytes of them could be a gigabyte', async () => {
    const headers = {
      ...{ authorization: 'Bearer token-1', connection: 'Upgrade', upgrade: 'websocket' },
      ...{ 'sec-websocket-version': '13', 'sec-websocket-key': randomBytes(16).toString('base64') },
      'sec-websocket-extensions': 'permessage-deflate; client_max_window_bits',
    }
    const asking = request(new URL(connectionPath, core.url), { headers }).end()
    const [response, socket] = (await once(asking, 'upgrade')) as [IncomingMessage, Duplex]
    socket.destroy()
    expect([response.statusCode, response.headers['sec-websocket-extensions']]).toEqual([101, undefined])
  })

  test.each([
    ['GET', '/', 'h2c', ''],
    ['POST', '/', 'h2c', 'the body'],
    ['GET', '/v3/services', 'websocket', ''],
    ['GET', '/v3/sensor_connections', 'h2c', ''],
  ])('answers %s %s with a wish for %s as if there was no wish', async (method, path, upgrade, body) => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade, 'http2-settings': 'AAMAAABk' }
    const asking = request(new URL(path, core.url), { method, headers }).end(body)
    const [response] = await once(asking, 'response')
    expect([response.statusCode, await text(response)]).toEqual([200, `plain ${method} ${path} ${body}`])
  })
})
