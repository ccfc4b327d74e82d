/**
 * The cost of remote stations: jobs over one WebSocket, compared with bare frames of the same size; a real station; and
 * many that only stay connected.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FarStations } from '../src/sensor/far/far-stations.ts'
import { serveFarStations } from '../src/sensor/far/serve-stations.ts'
import { type Answered, askEvenly } from './stations/asking.ts'
import { bareFrames } from './stations/bare-frames.ts'
import { cpuMsOf, nextMessage } from './stations/far-process.ts'

const jobsPerSecond = 5000
const realJobsPerSecond = 1000
const warmUpSeconds = 3
const measuredSeconds = 10
const manyStations = 1000
const wanted = { coreShare: 12, megabytes: 300 } as const

interface Core {
  readonly url: string
  readonly stations: FarStations
  close(): Promise<void>
}

/** The token of a sensor is its number. */
async function startCore(): Promise<Core> {
  const stations = new FarStations({
    isRegistrationOpen: false,
    clock: { now: () => Date.now() },
    log: () => undefined,
    register: async () => undefined,
    stillValid: async (digests) => new Set(digests),
  })
  const server = createServer()
  serveFarStations(
    server,
    async ({ headers }) => {
      const sensorId = Number(headers.authorization?.slice('Bearer '.length))
      return { sensorId, name: '', tokenDigest: String(sensorId), address: '' }
    },
    (socket, admission) => stations.accept(socket, admission),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stations,
    async close() {
      await stations.stop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function connected({ stations }: Core, ...sensorIds: readonly number[]): Promise<void> {
  for (let tries = 0; tries < 600 && !sensorIds.every((id) => stations.isConnected(id)); tries++) await pause(100)
}

function program(name: string): URL {
  return new URL(`./stations/${name}.ts`, import.meta.url)
}

function percentOfCore(cpuMs: number, seconds = measuredSeconds): number {
  return cpuMs / 10 / seconds
}

function shown(percent: number): string {
  return `${percent.toFixed(1)} %`
}

/** CPU of this process and of the far one while the work lasts. */
async function measured<T>(far: ChildProcess, work: () => Promise<T>) {
  await cpuMsOf(far)
  const before = process.cpuUsage()
  const outcome = await work()
  const { user, system } = process.cpuUsage(before)
  return { outcome, here: (user + system) / 1000, there: await cpuMsOf(far) }
}

function tell({ asked, good, late }: Answered, perSecond: number, what: string): void {
  const [load = 0] = loadavg()
  console.log(
    `${what}, ${perSecond} jobs/s, ${good} of ${asked} answered well, ${late} not in time (load ${load.toFixed(1)}):`,
  )
}

async function jobs(core: Core): Promise<void> {
  const far = fork(program('far-end'), [core.url, '1', '1'])
  await connected(core, 1)
  const ask = (seconds: number) =>
    askEvenly(core.stations, {
      ...{ sensorId: 1, seconds },
      perSecond: jobsPerSecond,
      address: 'shop.example.com/cart',
    })
  await ask(warmUpSeconds)
  const { outcome, here, there } = await measured(far, () => ask(measuredSeconds))
  tell(outcome, jobsPerSecond, 'one WebSocket')
  const shares = `core ${shown(percentOfCore(here))}, station ${shown(percentOfCore(there))} of a core`
  console.log(`  ${shares} (wanted: ${wanted.coreShare} % each)`)
  const bare = await bareFrames({ jobsPerSecond, seconds: measuredSeconds })
  const ratios = `${(here / bare.hereMs).toFixed(1)}× and ${(there / bare.thereMs).toFixed(1)}×`
  console.log(
    `  bare frames of as many bytes ${shown(percentOfCore(bare.hereMs))} and ${shown(percentOfCore(bare.thereMs))}: ${ratios}`,
  )
  far.disconnect()
}

async function realStation(core: Core): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'latarnik-bench-'))
  const page = fork(program('page'))
  const { port } = await nextMessage<{ port: number }>(page)
  const sensorId = 2
  const station = spawn(process.execPath, ['dist/cli.js', 'sensor', '--server', core.url], {
    env: {
      ...{ PATH: process.env['PATH'], DATA_DIR: directory, ALLOW_PRIVATE_TARGETS: 'all', LOG_LEVEL: 'error' },
      SENSOR_TOKEN: String(sensorId).padStart(20, '0'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await connected(core, sensorId)
  const ask = (seconds: number) =>
    askEvenly(core.stations, { ...{ sensorId, seconds }, perSecond: realJobsPerSecond, address: `127.0.0.1:${port}/` })
  await ask(warmUpSeconds)
  tell(await ask(measuredSeconds), realJobsPerSecond, '`latarnik sensor` with checks of http')
  const ended = once(station, 'exit')
  station.kill('SIGTERM')
  await ended
  page.disconnect()
  rmSync(directory, { recursive: true })
}

async function many(core: Core): Promise<void> {
  const first = 10
  const alone = process.memoryUsage().rss
  const far = fork(program('far-end'), [core.url, String(first), String(manyStations)])
  await connected(core, ...Array.from({ length: manyStations }, (_none, place) => first + place))
  const { here } = await measured(far, () => pause(measuredSeconds * 1000))
  const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MB`
  const { rss } = process.memoryUsage()
  const memory = `the whole process ${megabytes(rss)} (wanted: ${wanted.megabytes}), ${megabytes(rss - alone)} more than before`
  console.log(`${core.stations.size} stations connected: ${memory}; idle ${shown(percentOfCore(here))} of a core`)
  far.disconnect()
}

export async function run(): Promise<void> {
  const core = await startCore()
  await jobs(core)
  await realStation(core)
  await many(core)
  await core.close()
}
