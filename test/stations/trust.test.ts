import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { artifactLimits } from '../../src/domain/evidence.ts'
import { isStorableJson } from '../../src/domain/storable.ts'
import { closings, connectionPath, longestFrameBytes, longestSilenceMs } from '../../src/sensor/far/wire.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'
import { jobFor, verdictOf } from '../support/check.ts'
import { type FarCore, farCore, hello, jobsOf, type RawStation, rawStation, readyStation } from '../support/far-core.ts'

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

function job(sensorId: number, more: Partial<CheckJob> = {}): CheckJob {
  return { ...jobFor('http', 'shop.example/', { password: 'of the shop' }), sensorId, ...more }
}

const ok = { result: 'ok', response_time: 12 }
const results = (...given: readonly unknown[]) => ({ kind: 'results', results: given })

describe('a job', () => {
  test('is all that a station sees: how to check, and nothing of whom it is for', async () => {
    const station = await ready(1)
    const asked = job(1)
    const answer = core.stations.check(asked)
    const [given] = await jobsOf(station)
    expect(given).toEqual({
      id: expect.any(String),
      service_id: 7,
      type_id: 'http',
      address: 'shop.example/',
      settings: { password: 'of the shop' },
      start_at: asked.startAt,
      deadline_at: asked.deadlineAt,
    })
    station.send(results({ id: given.id, started_at: asked.startAt, ...ok }))
    expect(await answer).toMatchObject({ serviceId: 7, sensorId: 1, result: 'ok', responseTime: 12 })
    expect(await station.next('acknowledge')).toEqual({ kind: 'acknowledge', ids: [given.id] })
  })

  test('may be large: many of them come in several frames, whole', async () => {
    const station = await ready(1)
    for (let count = 0; count < 3; count++)
      void core.stations.check(job(1, { settings: { scenario: 'x'.repeat(700_000) } }))
    const frames = [await jobsOf(station), await jobsOf(station), await jobsOf(station)]
    expect(frames.map((jobs) => jobs.length)).toEqual([1, 1, 1])
  })

  test('goes to its own station alone', async () => {
    const [first, second] = [await ready(1), await ready(2)]
    void core.stations.check(job(1))
    void core.stations.check(job(2, { address: 'other.example/' }))
    expect(await jobsOf(first)).toMatchObject([{ address: 'shop.example/' }])
    expect(await jobsOf(second)).toMatchObject([{ address: 'other.example/' }])
  })
})

describe('a result', () => {
  test('of a job that another station was given changes nothing', async () => {
    const [first, second] = [await ready(1), await ready(2)]
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(first)
    second.send(results({ id: given.id, started_at: 0, result: 'error', error_type_id: 2001, error_message: 'a lie' }))
    await second.next('acknowledge')
    first.send(results({ id: given.id, started_at: given.start_at, ...ok }))
    expect(await answer).toMatchObject({ sensorId: 1, result: 'ok' })
  })

  test('of a job that nobody was given is acknowledged and forgotten', async () => {
    const station = await ready(1)
    station.send(results({ id: 'made-up', started_at: 0, ...ok }))
    expect(await station.next('acknowledge')).toMatchObject({ ids: ['made-up'] })
    expect(core.stations.isConnected(1)).toBe(true)
  })

  test('that is said twice counts once, and the second saying changes nothing', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    const said = { id: given.id, started_at: given.start_at, ...ok }
    station.send(results(said, { ...said, result: 'error', error_type_id: 2001, error_message: 'no' }))
    expect(await answer).toMatchObject({ result: 'ok' })
    expect(await station.next('acknowledge')).toMatchObject({ ids: [given.id, given.id] })
  })

  test('that comes after its deadline finds its job answered as late', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1, { deadlineAt: Date.now() + 50 }))
    const [given] = await jobsOf(station)
    expect(verdictOf(await answer)).toBe('sensor_late')
    station.send(results({ id: given.id, started_at: given.start_at, ...ok }))
    expect(await station.next('acknowledge')).toMatchObject({ ids: [given.id] })
  })

  test('names no service and no sensor of its own: they come from the job', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    station.send(results({ id: given.id, started_at: given.start_at, ...ok, service_id: 99, sensor_id: 2 }))
    expect(await answer).toMatchObject({ serviceId: 7, sensorId: 1 })
  })

  test.each([
    ['before its job', -86_400_000, 0],
    ['in the future', 86_400_000, 10_000],
  ])('that began %s began between the job’s start and now', async (_when, shift, most) => {
    const station = await ready(1)
    const asked = job(1)
    const answer = core.stations.check(asked)
    const [given] = await jobsOf(station)
    station.send(results({ id: given.id, started_at: given.start_at + shift, ...ok }))
    const { startedAt } = await answer
    expect(startedAt - asked.startAt).toBeGreaterThanOrEqual(0)
    expect(startedAt - asked.startAt).toBeLessThanOrEqual(most)
  })

  test('lasted no longer than its check had, and neither did its parts', async () => {
    const station = await ready(1)
    const asked = job(1)
    const answer = core.stations.check({ ...asked, deadlineAt: asked.startAt + 5000 })
    const [given] = await jobsOf(station)
    const long = { response_time: 80_000_000, phases: { dns: 1_000_000, connect: 3 } }
    station.send(results({ id: given.id, started_at: given.start_at, result: 'ok', ...long }))
    expect(await answer).toMatchObject({ responseTime: 5000, phases: { dns: 5000, connect: 3, tls: null } })
  })

  test.each([
    ['nothing but its job', {}],
    ['a result that does not exist', { result: 'splendid' }],
    ['a negative time', { ...ok, response_time: -1 }],
    ['a time that no history can keep', { ...ok, response_time: 2 ** 40 }],
    ['a size that no history can keep', { ...ok, data_size: 2 ** 31 }],
    ['no moment', { ...ok, started_at: 'yesterday' }],
    ['phases without bounds', { ...ok, phases: { dns: 1e300 } }],
    ['a prototype for what it says', JSON.parse('{"__proto__":{"result":"ok","response_time":1}}') as object],
    ['too long a message', { result: 'error', error_type_id: 2001, error_message: 'x'.repeat(5000) }],
    [
      'too many facts',
      { ...ok, evidence: { base_url: '', facts: Object.fromEntries([...Array(200).keys()].map((n) => [n, n])) } },
    ],
    ['too long headers', { ...ok, evidence: { base_url: '', response_headers: 'x'.repeat(100_000) } }],
    [
      'too large a file',
      {
        ...ok,
        evidence: { base_url: '', artifacts: [{ type_id: 'har', content_type: '', data: 'A'.repeat(8_000_000) }] },
      },
    ],
    ['steps without end', { ...ok, steps: Array.from({ length: 1000 }, () => ({ name: '', result: 'ok' })) }],
  ])('with %s makes that check unknown at once, and harms no other', async (_what, malformed) => {
    const station = await ready(1)
    const [bad, good] = [core.stations.check(job(1)), core.stations.check(job(1))]
    const [first, second] = await jobsOf(station)
    station.send(
      results(
        { id: first.id, started_at: first.start_at, ...malformed },
        { id: second?.id, started_at: first.start_at, ...ok },
      ),
    )
    expect(verdictOf(await bad)).toBe('sensor_fault')
    expect(await good).toMatchObject({ result: 'ok' })
    expect(core.stations.isConnected(1)).toBe(true)
  })

  test('blames no target for a fault of the sensor', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    station.send(results({ id: given.id, started_at: given.start_at, result: 'error', error_type_id: 9004 }))
    expect(await answer).toMatchObject({ result: 'unknown', errorTypeId: 9004, responseTime: null })
  })

  test('of a failure that this version does not know keeps its sentence', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    const failure = { result: 'error', error_type_id: 8_999, error_message: 'the tea is cold', later_member: 1 }
    station.send(results({ id: given.id, started_at: given.start_at, ...failure }))
    expect(await answer).toMatchObject({ result: 'error', errorTypeId: null, errorMessage: 'the tea is cold' })
  })

  test('brings the steps of its job’s scenario, and no others', async () => {
    const station = await ready(1)
    const scenario = JSON.stringify({
      title: 'Shop',
      steps: [{ type: 'navigate', url: 'http://shop.example/', title: 'Home' }],
    })
    const step = (name: string) => ({ name, result: 'ok', response_time: 5 })
    const outcomes: unknown[] = []
    for (const [settings, steps] of [
      [{ scenario }, [step('Home')]],
      [{ scenario }, [step('Office')]],
      [{ scenario }, [step('Home'), step('Home')]],
      [{}, [step('Home')]],
    ] as const) {
      const answer = core.stations.check(job(1, { settings }))
      const [given] = await jobsOf(station)
      station.send(results({ id: given.id, started_at: given.start_at, ...ok, steps }))
      outcomes.push((await answer).steps)
    }
    expect(outcomes).toEqual([[{ name: 'Home', result: 'ok', responseTime: 5 }], null, null, null])
  })

  test('says nothing that no database can keep', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    const nul = 'a\0b\ud800c'
    const artifacts = [{ type_id: 'content', content_type: nul, data: '' }]
    const evidence = { base_url: nul, content_type: nul, facts: { [nul]: nul }, artifacts }
    const failure = { result: 'error', error_type_id: 4001, error_message: nul, evidence }
    station.send(results({ id: given.id, started_at: given.start_at, ...failure }))
    const result = await answer
    expect(result.errorMessage).toBe('a\ufffdb\ufffdc')
    expect(isStorableJson({ ...result, evidence: { ...result.evidence, artifacts: [] } })).toBe(true)
    expect(result.evidence?.artifacts[0]?.contentType).toBe('a\ufffdb\ufffdc')
  })

  test('brings of its files those of known types, one of each, within their bounds', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    const file = (type_id: string, size: number) => ({
      ...{ type_id, content_type: 'text/plain' },
      data: Buffer.alloc(size, 1).toString('base64'),
    })
    const artifacts = [
      ...[file('content', 10), file('content', 20), file('virus', 10)],
      file('screenshot', artifactLimits.screenshot + 2),
    ]
    const evidence = { base_url: 'http://shop.example/', artifacts }
    const failure = { result: 'error', error_type_id: 4001, error_message: 'HTTP status 503', evidence }
    station.send(results({ id: given.id, started_at: given.start_at, ...failure }))
    const kept = (await answer).evidence?.artifacts ?? []
    expect(kept.map(({ typeId, bytes }) => [typeId, bytes.length])).toEqual([['content', 10]])
  })
})

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
    expect(await station.next('welcome')).toMatchObject({ protocol: 1, sensor_id: 1 })
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
    await once(socket, 'close')
    clearInterval(dripping)
    expect(performance.now() - openedAt).toBeLessThan(longestSilenceMs + 4000)
  })

  test('that is opened again and again is one station, and the others work', async () => {
    const other = await ready(2)
    for (let count = 0; count < 100; count++) await raw(1)
    await vi.waitFor(() => expect(core.stations.size).toBe(2))
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
    station.send({ ...hello, version: '\u001b[2J1.0', city: 'Łódź\u0000\n\u202e' })
    await station.next('welcome')
    expect(core.registrations.get(1)).toMatchObject({ version: '[2J1.0', city: 'Łódź' })
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
    expect(performance.now() - askedAt).toBeLessThan(5000)
  })
})

describe('the door', () => {
  test.each(['Bearer wrong', 'Basic dG9rZW4tMTo=', ''])('stays closed for %j', async (authorization) => {
    const headers = { authorization, connection: 'Upgrade', upgrade: 'websocket' }
    const asking = request(new URL('/v3/sensor_connections', core.url), { headers }).end()
    const [response] = await once(asking, 'response')
    expect([response.statusCode, await text(response)]).toEqual([401, 'the token does not hold'])
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
