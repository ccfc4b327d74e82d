import { join } from 'node:path'
import { type Config, version } from '../config/config.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { ensureDataDirectory } from '../program/data-directory.ts'
import { isLoopback } from '../program/listen.ts'
import { createLog, type Log } from '../program/log.ts'
import { chooseConfig, endWhenBroken, isForPerson, refuse, untilSignal } from '../program/run.ts'
import { type MetSensor, sensorMessage } from '../program/start-message.ts'
import { gaugeLocalStations, gaugeStation } from '../program/station-gauges.ts'
import { startWatching } from '../program/watching.ts'
import { type CoreConnection, connectToCore } from '../sensor/far/core-connection.ts'
import { KeptResults } from '../sensor/far/kept-results.ts'
import { agentFor } from '../sensor/far/proxy.ts'
import { startLocalStations } from '../sensor/local.ts'

export interface SensorFlags {
  readonly server?: string
  readonly token?: string
}

/** Limits of results that the core has not acknowledged. */
const mostKept = { maximumCount: 20_000, maximumBytes: 64 * 1_048_576 } as const

interface FarSensor extends Pick<CoreConnection, 'firstMeeting' | 'stop'>, Pick<MetSensor, 'server' | 'stations'> {}

/** Runs a remote station in this process, without a database, until a signal ends it. */
export async function runSensor(configPath: string | undefined, { server, token }: SensorFlags): Promise<void> {
  const config = chooseConfig(configPath, {
    ...(server === undefined ? {} : { SENSOR_SERVER: server }),
    ...(token === undefined ? {} : { SENSOR_TOKEN: token }),
  })
  const log = createLog(config.logLevel, config.logFormat)
  endWhenBroken(log)
  try {
    const sensor = await untilSignal((signal) => startSensor(config, log, signal), log)
    process.stdout.write(await messageOf(sensor, config))
  } catch (error) {
    if (isForPerson(error)) refuse([`latarnik: ${error.message}`])
    log.fatal({ err: error }, 'the station could not start')
    process.exit(1)
  }
}

async function startSensor(config: Config, log: Log, signal: AbortSignal): Promise<FarSensor> {
  const { server, token, city, country, latitude, longitude, allowPrivateTargets: allow } = config.farSensor
  if (server === undefined || token === undefined) {
    throw new CannotStart('A station needs --server and --token, or SENSOR_SERVER and SENSOR_TOKEN.')
  }
  await ensureDataDirectory(config.dataDirectory)
  const write = (level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: object) =>
    log[level]({ ...facts }, message)
  const watching = await startWatching({ config, log, clock: { now: () => Date.now() } })
  const url = new URL(server)
  log.info(`Latarnik ${version} starts as a station of ${url.origin}.`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    log.warn('SENSOR_SERVER is not an https address: others can read the token and the secrets of services on the way.')
  }
  const kept = new KeptResults({ directory: join(config.dataDirectory, 'kept-results'), ...mostKept, log: write })
  const stations = await startLocalStations({ sensorIds: [0], allow, browser: config.browser, log: write, signal })
  const { categories, unsupportedTypes } = stations
  const connection = connectToCore({
    ...{ server: url, token, version, categories, unsupportedTypes, city, country, latitude, longitude },
    isolation: config.browser.isolation,
    ...{ stations, kept, log: write, agent: agentFor(url, config.farSensor.proxy) },
  })
  watching.readiness.standOn(async () => (connection.isReady ? [] : ['core']), 'core')
  watching.readiness.lacksWhile('sockets', stations.lacksSockets)
  watching.readiness.lacksWhile('browsers', stations.lacksBrowsers)
  watching.readiness.lacksWhile('patterns', stations.lacksPatternTime)
  watching.readiness.started()
  if (watching.metrics !== null) {
    gaugeLocalStations(watching.metrics, stations)
    gaugeStation(watching.metrics, { connection, kept })
  }
  async function stop(): Promise<void> {
    watching.readiness.draining()
    await connection.stop()
    await stations.stop()
    kept.close()
    await watching.stop()
  }
  return { server: url, stations, firstMeeting: connection.firstMeeting, stop }
}

/** The message for a person after the first contact with the core. */
async function messageOf({ server, stations, firstMeeting, stop }: FarSensor, config: Config): Promise<string> {
  const meeting = await firstMeeting
  if (!('refusal' in meeting)) return sensorMessage({ ...meeting, server, stations, config })
  await stop()
  throw new CannotStart(`${server.origin}: ${meeting.refusal}.`)
}
