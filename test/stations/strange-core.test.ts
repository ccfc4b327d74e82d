import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { type CoreConnection, type CoreConnectionOptions, connectToCore } from '../../src/sensor/far/core-connection.ts'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import { closings } from '../../src/sensor/far/wire.ts'
import type { CheckJob, CheckResult } from '../../src/sensor/protocol.ts'
import { patiently } from '../support/patience.ts'

/** A station whose core is older, newer, or broken. */
let directory: string
let server: WebSocketServer
let connection: CoreConnection
let kept: KeptResults
const asked: CheckJob[] = []

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'latarnik-strange-'))
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  kept = new KeptResults({ directory, maximumCount: 100, maximumBytes: 1_000_000, log: () => {} })
  asked.length = 0
})
afterEach(async () => {
  await connection.stop()
  for (const socket of server.clients) socket.terminate()
  await new Promise((resolve) => server.close(resolve))
  rmSync(directory, { recursive: true })
})

async function check(job: CheckJob): Promise<CheckResult> {
  asked.push(job)
  const nothing = { errorTypeId: null, errorMessage: null, phases: null, steps: null, evidence: null }
  const { serviceId, sensorId, startAt: startedAt } = job
  return { serviceId, sensorId, result: 'ok', startedAt, responseTime: 1, dataSize: 2, ...nothing }
}

interface Frame {
  readonly kind: string
  readonly number?: number
  readonly results?: readonly { readonly id: string; readonly result: string }[]
}

interface Core {
  readonly socket: WebSocket
  readonly heard: readonly Frame[]
  say(frame: unknown): void
  hears(kind: string, count?: number): Promise<readonly Frame[]>
}

function start(
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  log: CoreConnectionOptions['log'] = () => {},
): void {
  connection = connectToCore({
    ...{ server: new URL(url), token: 'token', version: '0.1.0', categories: ['default'] },
    ...{ city: '', country: '', kept, log, random: () => 0 },
    stations: { check, diagnose: async () => ({ isOk: true, lines: [] }) },
  })
}

/** The next connection of the station, whose questions for the time are answered. */
async function nextCore(): Promise<Core> {
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  const heard: Frame[] = []
  const say = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  socket.on('message', (data) => {
    const frame = JSON.parse(data.toString()) as Frame
    heard.push(frame)
    if (frame.kind === 'ping') say({ kind: 'pong', number: frame.number, at: Date.now(), accuracy: 'splendid' })
  })
  const core = {
    ...{ socket, heard, say },
    hears: async (kind: string, count = 1) => {
      const found = () => heard.filter((frame) => frame.kind === kind)
      await vi.waitFor(() => expect(found().length).toBeGreaterThanOrEqual(count), patiently)
      return found()
    },
  }
  await core.hears('hello')
  return core
}

const welcome = { kind: 'welcome', protocol: 1, sensor_id: 1, name: 'First' }

function job(id: string) {
  const now = Date.now()
  const what = { service_id: 7, type_id: 'http', address: 'shop.example', settings: { timeout: 1000 } }
  return { id, ...what, start_at: now, deadline_at: now + 60_000 }
}

test('a newer core is understood: what only it knows is passed over', async () => {
  const opened = nextCore()
  start()
  const core = await opened
  core.say({ kind: 'weather', sun: true })
  core.say({ ...welcome, protocol: 9, motto: 'onwards' })
  await core.hears('ready')
  core.say({ kind: 'jobs', priority: 1, jobs: [{ ...job('a'), mood: 'fine' }] })
  const [frame] = await core.hears('results')
  expect(frame?.results).toMatchObject([{ id: 'a', result: 'ok' }])
  expect(asked).toMatchObject([{ serviceId: 7, typeId: 'http', address: 'shop.example', settings: { timeout: 1000 } }])
  core.say({ kind: 'acknowledge', ids: ['a', 'never sent'], until: 'tomorrow' })
  await vi.waitFor(() => expect(kept.size).toBe(0), patiently)
})

test.each([
  ['nothing', {}],
  ['no address', { address: undefined }],
  ['a list for its settings', { settings: [1] }],
  ['an object for a setting', { settings: { timeout: {} } }],
  ['a service in words', { service_id: 'seven' }],
  ['no moment', { start_at: 'now' }],
  ['too long a name', { id: 'x'.repeat(65) }],
])('a job with %s is passed over, the others are done', async (_what, change) => {
  const opened = nextCore()
  start()
  const core = await opened
  core.say(welcome)
  await core.hears('ready')
  const odd = Object.keys(change).length === 0 ? {} : { ...job('odd'), ...change }
  core.say({ kind: 'jobs', jobs: [odd, null, 'job', job('even')] })
  const [frame] = await core.hears('results')
  expect(frame?.results).toMatchObject([{ id: 'even' }])
  expect(asked).toHaveLength(1)
})

test.each(['{', '[]', '{}', '{"kind":"jobs"}', '{"kind":"acknowledge","ids":[{}]}', '{"kind":"pong","number":"one"}'])(
  'a core that says %s is left, and tried again',
  async (frame) => {
    const opened = nextCore()
    start()
    const core = await opened
    const closed = once(core.socket, 'close')
    const next = nextCore()
    core.say(frame)
    expect((await closed)[0]).toBe(closings.violation)
    await next
  },
)

test('a core that is silent is left, and tried again', { timeout: 60_000 }, async () => {
  const opened = nextCore()
  start()
  const core = await opened
  core.say(welcome)
  await core.hears('ready')
  const next = nextCore()
  core.socket.pause()
  await next
})

test('a result is said again on each connection until it is acknowledged, and the job that it is of is done once', async () => {
  const opened = nextCore()
  start()
  const first = await opened
  first.say(welcome)
  await first.hears('ready')
  first.say({ kind: 'jobs', jobs: [job('a'), job('b')] })
  await vi.waitFor(() => expect(first.heard.flatMap(({ results }) => results ?? [])).toHaveLength(2), patiently)
  first.say({ kind: 'acknowledge', ids: ['a'] })
  await vi.waitFor(() => expect(kept.size).toBe(1), patiently)
  const again = nextCore()
  first.socket.close()
  const second = await again
  second.say(welcome)
  const [frame] = await second.hears('results')
  expect(frame?.results).toMatchObject([{ id: 'b' }])
  second.say({ kind: 'acknowledge', ids: ['b'] })
  await vi.waitFor(() => expect(kept.size).toBe(0), patiently)
  expect(asked).toHaveLength(2)
})

test('jobs may share their settings; one that shares what is not there is passed over', async () => {
  const opened = nextCore()
  start()
  const core = await opened
  core.say(welcome)
  await core.hears('ready')
  const sharing = (id: string, place: number) => ({ ...job(id), settings: place })
  const jobs = [sharing('a', 0), sharing('b', 1), sharing('c', 0), sharing('d', 2), sharing('e', 7), sharing('f', -1)]
  core.say({ kind: 'jobs', settings: [{ timeout: 1 }, { timeout: 2 }, ['none']], jobs })
  const [frame] = await core.hears('results')
  expect(frame?.results?.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(asked.map(({ settings }) => settings)).toEqual([{ timeout: 1 }, { timeout: 2 }, { timeout: 1 }])
})

test.each([
  ['another web server', 200, {}, 'there is no Latarnik at this address'],
  ['no such path', 404, {}, 'there is no Latarnik at this address'],
  ['a proxy that wants https', 301, { location: 'https://core.example/' }, 'leads on to https://core.example/: name'],
  ['a token that is not known', 401, {}, 'the core does not know this token'],
])('%s is told at the first meeting, in words', async (_what, status, headers, words) => {
  const other = createServer((_request, response) => response.writeHead(status, headers).end()).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const lines: unknown[] = []
  start(`http://127.0.0.1:${(other.address() as AddressInfo).port}`, (...line) => lines.push(line))
  expect(await connection.firstMeeting).toEqual({ refusal: expect.stringContaining(words) })
  await vi.waitFor(() => expect(lines).toHaveLength(1), patiently)
  other.close()
})

test('https where nothing speaks TLS is told at the first meeting', async () => {
  start(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(await connection.firstMeeting).toEqual({
    refusal: 'nothing speaks TLS at this address: begin it with http://',
  })
})
