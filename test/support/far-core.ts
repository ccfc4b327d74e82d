// A core's end of the line without monitoring behind it: an HTTP server on which stations connect.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import type { Clock } from '../../src/domain/clock.ts'
import type { StationRegistration } from '../../src/sensor/far/admission.ts'
import { FarStations } from '../../src/sensor/far/far-stations.ts'
import { serveFarStations } from '../../src/sensor/far/serve-stations.ts'
import { connectionPath } from '../../src/sensor/far/wire.ts'
import type { LogFacts } from '../../src/sensor/messages.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'
import { jobFor } from './check.ts'
import { patiently } from './patience.ts'

export interface FarCore {
  readonly url: URL
  readonly stations: FarStations
  readonly registrations: ReadonlyMap<number, StationRegistration>
  readonly log: readonly { readonly message: string; readonly facts: LogFacts }[]
  /** Resolves when the sensor is, or is not, connected. */
  connected(sensorId: number, is?: boolean): Promise<void>
  stop(): Promise<void>
}

export interface FarCoreOptions {
  readonly port?: number
  /** By how many milliseconds its clock is ahead. */
  readonly aheadMs?: number
  readonly clock?: Clock
  readonly revoked?: ReadonlySet<string>
  readonly isRegistrationOpen?: boolean
}

/** Knows the tokens `token-1`, `token-2` … of the sensors 1, 2 …; more may follow after a second dash. */
export async function farCore({
  port = 0,
  aheadMs = 0,
  clock,
  revoked = new Set(),
  isRegistrationOpen = false,
}: FarCoreOptions = {}): Promise<FarCore> {
  const registrations = new Map<number, StationRegistration>()
  const log: { message: string; facts: LogFacts }[] = []
  const stations = new FarStations({
    isRegistrationOpen,
    clock: clock ?? { now: () => Date.now() + aheadMs },
    log: (_level, message, facts = {}) => log.push({ message, facts }),
    register: async (sensorId, registration) => void registrations.set(sensorId, registration),
    stillValid: async (digests) => new Set(digests.filter((digest) => !revoked.has(digest))),
  })
  const server = createServer(async (request, response) => {
    response.end(`plain ${request.method} ${request.url} ${await text(request)}`)
  })
  serveFarStations(
    server,
    async ({ headers, socket }) => {
      const sensorId = Number(/^Bearer token-(\d+)(-\w*)?$/.exec(headers.authorization ?? '')?.[1])
      if (!(sensorId > 0)) return { status: 401, message: 'the token does not hold' }
      const tokenDigest = `token-${sensorId}`
      return { sensorId, name: `Sensor ${sensorId}`, tokenDigest, address: socket.remoteAddress ?? '' }
    },
    (socket, admission) => stations.accept(socket, admission),
  )
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    ...{ url, stations, registrations, log },
    connected: (sensorId, is = true) =>
      vi.waitFor(() => {
        if (stations.isConnected(sensorId) !== is) throw new Error(`sensor ${sensorId}: ${!is}`)
      }, patiently),
    async stop() {
      await stations.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Frame = Readonly<Record<string, unknown>>

/** A station that says whatever the test wants. */
export interface RawStation {
  readonly socket: WebSocket
  send(frame: unknown): void
  /** The next frame of the kind that was not awaited yet. */
  next(kind: string): Promise<Frame>
  /** The code with which the connection ended. */
  readonly closed: Promise<number>
}

export const hello = { kind: 'hello', protocol: 1, version: '0.1.0', categories: ['default'], city: '', country: '' }

export async function rawStation(core: FarCore, sensorId: number): Promise<RawStation> {
  const socket = new WebSocket(`${core.url.href.replace('http', 'ws').replace(/\/$/, '')}${connectionPath}`, {
    headers: { authorization: `Bearer token-${sensorId}` },
  })
  const frames: Frame[] = []
  const wakers = new Set<() => void>()
  socket.on('message', (data: RawData) => {
    frames.push(JSON.parse(data.toString()) as Frame)
    for (const wake of wakers) wake()
  })
  const closed = once(socket, 'close').then(([code]) => Number(code))
  socket.on('error', () => {})
  await once(socket, 'open')
  return {
    socket,
    closed,
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    next: (kind) =>
      new Promise((resolve) => {
        const look = () => {
          const at = frames.findIndex((frame) => frame['kind'] === kind)
          const [found] = at < 0 ? [] : frames.splice(at, 1)
          if (found === undefined) return
          wakers.delete(look)
          resolve(found)
        }
        wakers.add(look)
        look()
      }),
  }
}

/** A raw station that has said all that makes it ready. */
export async function readyStation(core: FarCore, sensorId: number): Promise<RawStation> {
  const station = await rawStation(core, sensorId)
  station.send(hello)
  await station.next('welcome')
  station.send({ kind: 'ready', clock_offset_ms: 0 })
  await core.connected(sensorId)
  return station
}

interface GivenJob {
  readonly id: string
  readonly start_at: number
}

/** The jobs of the next frame. */
export async function jobsOf(station: RawStation): Promise<readonly [GivenJob, ...GivenJob[]]> {
  return (await station.next('jobs'))['jobs'] as [GivenJob, ...GivenJob[]]
}

/** A check of a page that wants a password. */
export function farJob(sensorId: number, more: Partial<CheckJob> = {}): CheckJob {
  return { ...jobFor('http', 'shop.example/', { password: 'of the shop' }), sensorId, ...more }
}

export function resultsFrame(...results: readonly unknown[]) {
  return { kind: 'results', results }
}
