import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { jobFor, verdictOf } from '../support/check.ts'
import { type FarCore, farCore } from '../support/far-core.ts'
import { createNastyServers, say } from '../support/nasty-server.ts'
import { wholeProgram } from '../support/own-program.ts'

/** The real `latarnik sensor`, killed without a warning. */
const page = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
const patience = { timeout: 60_000, interval: 20 }
const servers = createNastyServers()
const cores: FarCore[] = []
const running: ChildProcess[] = []
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latarnik-killed-'))
})
afterEach(async () => {
  for (const child of running.splice(0)) await kill(child)
  await Promise.all(cores.splice(0).map((core) => core.stop()))
  servers.closeAll()
  rmSync(directory, { recursive: true })
})

async function core(port = 0): Promise<FarCore> {
  const started = await farCore({ port })
  cores.push(started)
  return started
}

function station({ url }: FarCore): ChildProcess {
  const child = spawn(process.execPath, [wholeProgram('cli'), 'sensor', '--server', url.origin], {
    env: {
      ...{ PATH: process.env['PATH'], DATA_DIR: directory, SENSOR_TOKEN: 'token-1-killed_station' },
      ...{ ALLOW_PRIVATE_TARGETS: 'all', LOG_LEVEL: 'silent' },
    },
    stdio: 'ignore',
  })
  running.push(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

function keptBytes(): number {
  const folder = join(directory, 'kept-results')
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** A target that answers when the test says so. */
async function slowTarget() {
  let arrived = (_socket: Socket) => {}
  const socket = new Promise<Socket>((resolve) => {
    arrived = resolve
  })
  const port = await servers.tcp((one) => arrived(one))
  return { address: `127.0.0.1:${port}/`, socket }
}

test('in the middle of a check it is lost at once, comes back and checks', async () => {
  const there = await core()
  const first = station(there)
  await there.connected(1)
  const { address, socket } = await slowTarget()
  const answer = there.stations.check({ ...jobFor('http', address), sensorId: 1 })
  await socket
  await kill(first)
  expect(verdictOf(await answer)).toBe('sensor_lost')
  station(there)
  await vi.waitFor(() => expect(there.stations.isConnected(1)).toBe(true), patience)
  const alive = `127.0.0.1:${await servers.http(say(page))}/`
  expect(verdictOf(await there.stations.check({ ...jobFor('http', alive), sensorId: 1 }))).toBe('ok')
})

test('with a result that its core did not hear any more it hands that over in its next life, once', async () => {
  const before = await core()
  const first = station(before)
  await before.connected(1)
  const { address, socket } = await slowTarget()
  const lost = before.stations.check({ ...jobFor('http', address), sensorId: 1 })
  const target = await socket
  await before.stop()
  expect(verdictOf(await lost)).toBe('sensor_lost')
  target.end(page)
  await vi.waitFor(() => expect(keptBytes()).toBeGreaterThan(0), patience)
  await kill(first)
  const after = await core(Number(before.url.port))
  for (const unasked of [1, 0]) {
    const next = station(after)
    await vi.waitFor(() => expect(after.stations.isConnected(1)).toBe(true), patience)
    await vi.waitFor(() => expect(keptBytes()).toBe(0), patience)
    await kill(next)
    await after.connected(1, false)
    expect(after.log.at(-1)?.facts).toMatchObject({ unasked_results: unasked })
  }
})
