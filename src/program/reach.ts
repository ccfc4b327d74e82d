import type { Config } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import { readCore } from '../database/processes.ts'
import type { Clock } from '../domain/clock.ts'
import { DatabaseCarrier } from '../message-bus/database-carrier.ts'
import { type Held, MessageBus } from '../message-bus/message-bus.ts'
import { NatsCarrier } from '../message-bus/nats-carrier.ts'
import { uniteStations } from '../sensor/far/unite.ts'
import type { LogFacts, LogLevel } from '../sensor/messages.ts'
import { unanswered } from '../sensor/probing-process.ts'
import type { Stations } from '../sensor/protocol.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { ConnectedStations } from './far-stations.ts'
import type { Log } from './log.ts'
import { measureMessageBus } from './message-bus-measures.ts'
import { type RolesWatch, watchRoles } from './missing-roles.ts'

/** The stations that monitoring in this process may use, and those that other processes may use here. */
export interface ReachableStations {
  readonly stations: Stations
  /** The missing roles, one sentence each. */
  missing(): readonly string[]
  /**
   * Prepares this process's stop: stations connect elsewhere and current work is finished. `monitoring` resolves once
   * it sends no more jobs.
   */
  leave(monitoring: Promise<unknown>): Promise<void>
}

export interface ReachParts {
  readonly config: Pick<Config, 'databaseUrl' | 'natsServers' | 'roles' | 'localSensors'>
  readonly clock: Clock
  readonly log: Log
  /** Opens connections for the message bus alone. */
  readonly database: () => Database
  /** Stations on this machine; null for none. */
  readonly local: Stations | null
  readonly localSensorIds: readonly number[]
  readonly metrics: Metrics | null
  /** Remote stations; null if none can connect. */
  readonly far: ConnectedStations | null
}

/** The time for a station that was sent elsewhere to answer first. Milliseconds. */
const stationPatience = 2500
/** The time to answer requests of other processes. Milliseconds. */
const servingPatience = 5000

const noStations = 'there are no stations'

const nobody: Stations = {
  isConnected: () => false,
  leadMs: () => 0,
  check: (job) => Promise.resolve(unanswered(job, 'sensor_lost', noStations)),
  diagnose: () => Promise.resolve({ isOk: false, lines: [noStations] }),
}

/** Processes find each other through an external database; the embedded one serves a single process. */
export async function openReach(parts: ReachParts): Promise<ReachableStations> {
  const { config, log, far } = parts
  const own = ownStations(parts)
  const bus = config.databaseUrl === undefined ? null : await join(parts, own)
  const otherRoles = () => bus?.otherRoles() ?? new Set<string>()
  const watch: RolesWatch = watchRoles({ own: config.roles, others: otherRoles, isAlone: bus === null, log })
  return {
    stations: bus ?? own ?? nobody,
    missing: watch.missing,
    async leave(monitoring) {
      watch.stop()
      bus?.leave()
      // If no other process takes stations, the current rounds need them to the end.
      const canMove = otherRoles().has('api')
      const sentAway = canMove ? far?.stop(stationPatience) : monitoring.then(() => far?.stop())
      await Promise.all([sentAway, monitoring])
      await bus?.stop(servingPatience)
    },
  }
}

function ownStations({ local, far }: ReachParts): Stations | null {
  if (local !== null && far !== null) return uniteStations(local, far.stations)
  return local ?? far?.stations ?? null
}

async function join(parts: ReachParts, own: Stations | null): Promise<MessageBus> {
  const { config, clock, log, metrics } = parts
  const database = parts.database()
  const write = (level: LogLevel, message: string, facts?: LogFacts) => log[level]({ ...facts }, message)
  const { id: core, key: coreKey } = await readCore(database)
  const nats = { servers: config.natsServers, core, coreKey, clock, log: write }
  const bus = new MessageBus({
    carriers: [
      ...(config.natsServers.length > 0 ? [new NatsCarrier(nats)] : []),
      new DatabaseCarrier({ database, log: write }),
    ],
    ...{ roles: config.roles, clock, log: write },
    held: own === null ? null : heldOf(parts, own),
    ...(metrics === null ? {} : { watch: measureMessageBus(metrics) }),
  })
  await bus.start()
  return bus
}

function heldOf({ local, localSensorIds, far }: ReachParts, stations: Stations): Held {
  return {
    stations,
    sensors: () => [
      ...localSensorIds
        .filter((id) => local?.isConnected(id) === true)
        .map((id) => ({ id, connectionNo: 0, leadMs: local?.leadMs(id) ?? 0 })),
      ...(far?.sensors() ?? []),
    ],
    giveWay: (sensorId) => far?.giveWay(sensorId),
  }
}
