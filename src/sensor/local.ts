import { networkInterfaces } from 'node:os'
import { findEntry } from './entry.ts'
import type { PingWay } from './ping/pinger.ts'
import { ProbingProcess, type ProbingProcessOptions, unanswered } from './probing-process.ts'
import type { Stations } from './protocol.ts'

export interface LocalStationsOptions extends ProbingProcessOptions {
  readonly sensorIds: readonly number[]
  /** The file to fork, where it is not the usual one. */
  readonly entry?: URL | string
}

export interface LocalStations extends Stations {
  /** Which categories of services this machine can really serve. */
  readonly categories: readonly string[]
  /** How ping is done here. */
  readonly pingWay: PingWay
  stop(): Promise<void>
}

/** Stations inside this machine, all served by one child process. Resolves when it is ready; it is replaced when it dies or hangs. */
export async function startLocalStations(options: LocalStationsOptions): Promise<LocalStations> {
  const stations = new ProbingProcess(options, findEntry(options.entry))
  await stations.start()
  const ids = new Set(options.sensorIds)
  return {
    categories: hasIpv6() ? ['default', 'ipv6'] : ['default'],
    pingWay: stations.pingWay,
    isConnected: (sensorId) => ids.has(sensorId) && stations.isReady,
    check: (job) =>
      ids.has(job.sensorId)
        ? stations.check(job)
        : Promise.resolve(unanswered(job, 'sensor_lost', `sensor ${job.sensorId} is not a station of this process`)),
    diagnose: (job) =>
      ids.has(job.sensorId)
        ? stations.diagnose(job)
        : Promise.resolve({ isOk: false, lines: [`sensor ${job.sensorId} is not a station of this process`] }),
    stop: () => stations.stop(),
  }
}

/** An address that reaches farther than this machine and its link. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ family, internal, address }) => family === 'IPv6' && !internal && !address.startsWith('fe80'))
}
