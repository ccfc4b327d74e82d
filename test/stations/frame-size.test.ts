import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { Allowance, Budget } from '../../src/sensor/far/allowance.ts'
import { limitOf, mostSigns, signsIn } from '../../src/sensor/far/frame-size.ts'
import { closings } from '../../src/sensor/far/wire.ts'
import {
  type FarCore,
  farCore,
  farJob as job,
  jobsOf,
  type RawStation,
  rawStation,
  readyStation,
  resultsFrame as results,
} from '../support/far-core.ts'
import { patiently } from '../support/patience.ts'

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

const mebibyte = 1_048_576
const bytes = (text: string) => Buffer.from(text)

test('the signs of a text are those outside its strings', () => {
  const counted = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0
    const [parts, colons] = Array.isArray(value) ? [value, 0] : [Object.values(value), Object.keys(value).length]
    const below = parts.reduce((sum: number, part: unknown) => sum + counted(part), 0)
    return 2 + colons + Math.max(0, parts.length - 1) + below
  }
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, space) => {
      const text = bytes(JSON.stringify(value, null, space))
      const depth = depthOf(value)
      expect(signsIn(text, { depth })).toBe(counted(value))
      if (depth > 0) expect(() => signsIn(text, { depth: depth - 1 })).toThrow('deeper')
    }),
  )
  expect(signsIn(bytes(String.raw`{"a\\":"\"[[[\\\"{"}`), { depth: 1 })).toBe(3)
})

test('bytes of any kind are looked at to their end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (given) => {
      expect(signsIn(Buffer.from(given), { depth: 300 })).toBeLessThanOrEqual(2 * given.length)
    }),
  )
})

test('a frame has as many bytes as its kind, and a large one names its kind first', () => {
  const padded = (start: string, length: number) => Buffer.concat([bytes(start), Buffer.alloc(length, 0x20)])
  expect(() => limitOf(padded('{"kind":"gossip",', 60_000))).not.toThrow()
  expect(() => limitOf(padded('{"kind":"gossip",', 70_000))).toThrow('more than its kind may have')
  expect(() => limitOf(padded('{"a":1,"kind":"results",', 70_000))).toThrow('more than its kind may have')
  expect(() => limitOf(padded('{"kind":"ping",', 70_000))).toThrow()
  expect(() => limitOf(padded(' { "kind" : "results",', 10_000_000))).not.toThrow()
  expect(() => limitOf(padded('{"kind":"diagnosis",', 1_000_000))).not.toThrow()
  expect(() => limitOf(padded('{"kind":"diagnosis",', 2_000_000))).toThrow()
})

describe('a connection is ended, with no answer read, on', () => {
  const emptyLists = (count: number) => `[${Array(count).fill('[]').join(',')}]`

  test.each([
    ['a large frame of a kind that nobody knows', `{"kind":"gossip","x":"${'x'.repeat(mebibyte)}"}`],
    ['a large frame that hides its kind', `{"x":"${'x'.repeat(mebibyte)}","kind":"results","results":[]}`],
    ['a million lists', `{"kind":"results","results":[],"x":${emptyLists(mostSigns)}}`],
    ['lists in lists', `{"kind":"results","results":[${'['.repeat(100)}${']'.repeat(100)}]}`],
    ['lists in lists of a kind that nobody knows', `{"kind":"gossip","x":${'['.repeat(100)}${']'.repeat(100)}}`],
  ])('%s', async (_what, frame) => {
    const station = await ready(1)
    const parse = vi.spyOn(JSON, 'parse')
    station.send(frame)
    expect(await station.closed).toBe(closings.violation)
    expect(parse.mock.calls.filter(([text]) => text.length > 1000)).toEqual([])
    parse.mockRestore()
  })

  test('a frame in a thousand pieces', async () => {
    const { socket, closed } = await ready(1)
    socket.send('{"kind":"gossip","x":"', { fin: false })
    for (let count = 0; count < 1000; count++) socket.send('x', { fin: false })
    socket.send('"}', { fin: true })
    expect(await closed).toBe(1008)
  })

  test('results before it was welcomed, however they begin', async () => {
    const station = await rawStation(core, 1)
    peers.push(station)
    station.send(results({ id: 'x', padding: 'x'.repeat(100_000) }))
    expect(await station.closed).toBe(closings.violation)
    expect(core.log.at(-2)?.facts).toMatchObject({ error: expect.stringContaining('before welcome') })
  })
})

test('small frames of later kinds, and members that a later version has, are left alone', async () => {
  const station = await ready(1)
  station.send({ kind: 'gossip', x: [[[[[[1]]]]]], y: 'x'.repeat(50_000) })
  const answer = core.stations.check(job(1))
  const [given] = await jobsOf(station)
  station.send({ ...results({ id: given.id, started_at: given.start_at, result: 'ok', later: { a: [1] } }), more: [] })
  expect(await answer).toMatchObject({ result: 'ok' })
})

test('the largest result comes whole', async () => {
  const station = await ready(1)
  const answer = core.stations.check(job(1))
  const [given] = await jobsOf(station)
  const har = randomBytes(4 * mebibyte)
  const data = (buffer: Buffer, type_id: string) => ({ type_id, content_type: 'x', data: buffer.toString('base64') })
  const artifacts = [data(har, 'har'), data(randomBytes(2 * mebibyte), 'screenshot')]
  const evidence = { base_url: 'http://shop.example/', artifacts, response_headers: 'x'.repeat(16_000) }
  const said = { started_at: given.start_at, result: 'error', error_type_id: 2001, error_message: 'no', evidence }
  station.send(results({ id: given.id, ...said }))
  expect((await answer).evidence?.artifacts.map((artifact) => artifact.bytes.length)).toEqual([
    har.length,
    2 * mebibyte,
  ])
})

describe('a budget', () => {
  const fake = () => {
    const seen: string[] = []
    return { seen, pause: () => void seen.push('pause'), resume: () => void seen.push('resume') }
  }

  test('that is used up stops the reading until there is some again', async () => {
    const socket = fake()
    const allowance = new Allowance(socket, new Budget())
    allowance.use(31 * mebibyte)
    expect([allowance.isUsedUp, socket.seen]).toEqual([false, []])
    allowance.use(2 * mebibyte)
    expect([allowance.isUsedUp, socket.seen]).toEqual([true, ['pause']])
    await vi.waitFor(() => expect(allowance.isUsedUp).toBe(false), patiently)
    expect(socket.seen.at(-1)).toBe('resume')
    allowance.end()
  })

  test('is spent on what is in a frame as on its bytes, and on small frames', () => {
    const [signs, small] = [new Allowance(fake(), new Budget()), new Allowance(fake(), new Budget())]
    signs.useSigns(2.1 * mebibyte)
    for (let count = 0; count < 60_000; count++) small.use(1)
    expect([signs.isUsedUp, small.isUsedUp]).toEqual([true, true])
    signs.end()
    small.end()
  })

  test('belongs to the sensor: another connection begins where the last one ended', () => {
    const connection = () => {
      const socket = Object.assign(new EventEmitter(), fake(), { close: () => {}, terminate: () => {}, ping: () => {} })
      const admission = { sensorId: 9, name: 'Sensor 9', tokenDigest: 'token-9', address: '' }
      core.stations.accept(socket as unknown as WebSocket, admission)
      return socket
    }
    // Each frame ends its connection; it was read all the same.
    const seen = [1, 2, 3].map(() => {
      const socket = connection()
      const before = [...socket.seen]
      socket.emit('message', Buffer.alloc(15 * mebibyte), false)
      return before
    })
    expect([...seen, connection().seen]).toEqual([[], [], [], ['pause']])
  })
})
