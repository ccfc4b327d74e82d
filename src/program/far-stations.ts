import type { IncomingMessage, Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { readAuthorization } from '../auth/authorization-header.ts'
import { forwardedAddress } from '../auth/forwarded-address.ts'
import { digestOf } from '../auth/tokens.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import {
  admitSensor,
  lastConnectedSensors,
  registerSensor,
  validSensorTokens,
} from '../database/services/sensor-tokens.ts'
import { networkOf } from '../domain/access/network.ts'
import type { Clock } from '../domain/clock.ts'
import { sensorCategories } from '../domain/services/service-types.ts'
import type { HeldSensor } from '../message-bus/announcement.ts'
import { ApiError } from '../rest/problems.ts'
import { createRateLimit } from '../rest/rate-limit.ts'
import type { Admission } from '../sensor/far/admission.ts'
import { FarStations } from '../sensor/far/far-stations.ts'
import { type StationRefusal, serveFarStations } from '../sensor/far/serve-stations.ts'
import type { Stations } from '../sensor/protocol.ts'
import type { Log } from './log.ts'

/** The remote stations that are connected to this process. */
export interface ConnectedStations {
  readonly stations: FarStations
  sensors(): readonly HeldSensor[]
  /** Ends the connection of a sensor that has a later one at another process. */
  giveWay(sensorId: number): void
  /** Sends each station to another process when its running checks have answered, or when the patience ends. */
  stop(patienceMs?: number): Promise<void>
}

/** The remote stations of this process, backed by the database. */
export function farStationsOf(
  database: Database,
  clock: Clock,
  log: Log,
  { isRegistrationOpen }: Pick<Config, 'isRegistrationOpen'>,
): ConnectedStations {
  const connectionNos = new Map<number, number>()
  const stations = new FarStations({
    clock,
    isRegistrationOpen,
    log: (level, message, facts) => log[level]({ ...facts }, message),
    register: async (sensorId, { categories, ...facts }) => {
      const known = sensorCategories.filter((category) => categories.includes(category))
      const registration = { ...facts, categories: known, now: clock.now() }
      connectionNos.set(sensorId, await registerSensor(database, sensorId, registration))
    },
    stillValid: (digests) => validSensorTokens(database, digests),
  })
  return {
    stations,
    sensors: () =>
      stations.connectedIds().map((id) => ({
        ...{ id, connectionNo: connectionNos.get(id) ?? 0, leadMs: stations.leadMs(id) },
      })),
    giveWay: (sensorId) => stations.giveWay(sensorId),
    stop: (patienceMs) => stations.stop(patienceMs),
  }
}

/** Milliseconds that stations get to return to a process that has just started. */
const comingBackMs = 5000
const lookAgainMs = 50

/** Resolves when the previously connected stations are back, because rounds without them would have no verdict. */
export async function stationsComeBack(
  stations: Pick<Stations, 'isConnected'>,
  database: Database,
  clock: Clock,
): Promise<void> {
  const awaited = await lastConnectedSensors(database, clock.now())
  for (let waitedMs = 0; waitedMs < comingBackMs; waitedMs += lookAgainMs) {
    if (awaited.every((id) => stations.isConnected(id))) return
    await pause(lookAgainMs)
  }
}

interface Parts {
  readonly config: Pick<Config, 'trustedProxies' | 'requestsPerMinute'>
  readonly clock: Clock
}

/** Lets stations connect with their tokens on the API's server. */
export function serveStationsOn(server: Server, stations: FarStations, parts: Parts, database: Database): void {
  const { config, clock } = parts
  const limit = createRateLimit(config.requestsPerMinute)
  async function admit(request: IncomingMessage): Promise<Admission | StationRefusal> {
    const { authorization, 'x-forwarded-for': forwarded } = request.headers
    const header = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
    const address = forwardedAddress(request.socket.remoteAddress ?? '', header, config.trustedProxies)
    try {
      await limit({ by: 'anonymous', key: networkOf(address) })
    } catch (error) {
      if (error instanceof ApiError) return { status: 429, message: 'too many requests' }
      throw error
    }
    const credentials = readAuthorization(authorization)
    if (credentials?.scheme !== 'bearer') return { status: 401, message: 'a token is missing' }
    const digest = digestOf(credentials.token)
    const sensor = await admitSensor(database, digest, clock.now())
    if (sensor === undefined) return { status: 401, message: 'the token does not hold' }
    return { sensorId: sensor.id, name: sensor.name, tokenDigest: digest.toString('hex'), address }
  }
  serveFarStations(server, admit, (socket, admission) => stations.accept(socket, admission))
}
