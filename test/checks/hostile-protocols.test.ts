// Every type that talks over TCP must survive silence, a close, a reset, garbage, floods and tiny pieces.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { needsSensors, serviceTypes } from '../../src/checks/index.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { cpuOfThisThread } from '../support/cpu-time.ts'
import { overDatagrams, ownNastyCases } from '../support/nasty-kinds.ts'
import { createNastyServers, flood } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const others = [...overDatagrams, ...Object.keys(ownNastyCases)]
const talking = serviceTypes.filter(
  ({ id, check, category }) => category === 'default' && needsSensors(id) && !others.includes(check),
)
const login = { username: 'jan', password: 'a-secret-that-nobody-reads', topic: 'a', expected_answer_regex: 'x' }

/** All settings that the type has of these, and its TLS off where it can be. */
function settingsFor(typeId: string, more: Settings): Settings {
  const type = talking.find(({ id }) => id === typeId)
  const known = new Set(type?.settings.map(({ setting_id }) => setting_id))
  const given = { ...login, tls: 'off', starttls: 'smtp', ...more }
  return Object.fromEntries(Object.entries(given).filter(([name]) => known.has(name)))
}

function check(typeId: string, port: number, more: Settings = {}) {
  const form = talking.find(({ id }) => id === typeId)?.addressForm
  const settings = settingsFor(typeId, { timeout: 800, ...(form === 'host' ? { port } : {}), ...more })
  return checker.check(typeId, form === 'host' ? '127.0.0.1' : `127.0.0.1:${port}`, settings)
}

/** One letter at a time, until the other side hangs up. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 5)
  socket.once('close', () => clearInterval(timer))
}

const plays: Readonly<Record<string, (socket: Socket) => void>> = {
  silence: () => undefined,
  'a close at once': (socket) => socket.end(),
  'a reset at once': (socket) => socket.resetAndDestroy(),
  'a close after the question': (socket) => void socket.once('data', () => socket.end()),
  'a reset after the question': (socket) => void socket.once('data', () => socket.resetAndDestroy()),
  garbage: (socket) => void socket.write(randomBytes(5000)),
  zeros: (socket) => void socket.write(Buffer.alloc(5000)),
  'a page': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>x</h1>'),
  'garbage without end': (socket) => flood('', randomBytes(65_536))(socket, ''),
  'one letter without end': (socket) => flood('', Buffer.alloc(65_536, 'x'))(socket, ''),
  'empty lines without end': (socket) => flood('', Buffer.alloc(65_536, '\r\n'))(socket, ''),
  'tiny pieces without end': (socket) => drip(socket),
  'the question itself': (socket) => void socket.pipe(socket),
}

describe.each(talking.map(({ id }) => id))('%s', (typeId) => {
  test.each(Object.entries(plays))('%s is a failure of the server, told in time', async (_what, play) => {
    const port = await servers.tcp(play)
    const cpuMs = cpuOfThisThread()
    const result = await check(typeId, port)
    expect(result.result, `${verdictOf(result)} ${result.errorMessage}`).toBe('error')
    expect(JSON.stringify(result)).not.toContain(login.password)
    expect(result.errorMessage?.length ?? 0).toBeLessThan(700)
    expect(cpuMs()).toBeLessThan(3000)
  })

  test('a port where nobody listens is refused', async () => {
    expect(verdictOf(await check(typeId, 1))).toBe('connection_refused')
  })
})
