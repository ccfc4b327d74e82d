import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Measured minutes after which something happens. */
export interface FarPlan {
  readonly killedAfter: number
  readonly backAfter: number
}

const endingSignals = ['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGQUIT'] as const
export type EndingSignal = (typeof endingSignals)[number]

export interface DatabaseEnd {
  /** Measured minutes. */
  readonly after: number
  readonly signal: EndingSignal
}

/** The options of the bench, from environment variables. */
export interface Settings {
  /** OPERATOR_MINUTES: measured, after the start and the warm-up. */
  readonly minutes: number
  /** OPERATOR_SERVICES */
  readonly services: number
  /** OPERATOR_INTERVAL: seconds, 5 to 60: longer ones would be shortened while a service fails. */
  readonly intervalSeconds: number
  /** OPERATOR_STATIONS: local ones, but for the far one of OPERATOR_FAR. */
  readonly stations: number
  /** OPERATOR_WARM_UP: seconds between the last service made and the first measured round. */
  readonly warmUpSeconds: number
  /** OPERATOR_REQUESTS: requests a second to the API meanwhile. */
  readonly requestsPerSecond: number
  /** OPERATOR_FLOOD: requests a second to a public status page meanwhile; default none. */
  readonly floodPerSecond: number
  /**
   * OPERATOR_CONSOLE: with `1` an operator uses the console in a real browser meanwhile: the list of services, which
   * stays open and live, one service, the calendar, and now and then the screen of the installation.
   */
  readonly hasConsole: boolean
  /**
   * OPERATOR_FAR: with `1` the last of the stations is a `latarnik sensor` with a connection of its own. It is killed
   * with SIGKILL in the minute of OPERATOR_FAR_KILLED (a third of all), and started again in that of OPERATOR_FAR_BACK
   * (half of all).
   */
  readonly far: FarPlan | null
  /**
   * OPERATOR_RESTART_DATABASE: with `1` the bundled PostgreSQL gets OPERATOR_DATABASE_SIGNAL (SIGKILL) in the minute of
   * OPERATOR_DATABASE_ENDED (three quarters of all). Nobody else starts it again than the program.
   */
  readonly databaseEnd: DatabaseEnd | null
  /** OPERATOR_HEAP: megabytes of JavaScript heap in each process of the program; unset: node's default. */
  readonly heapMegabytes: number | null
  /** OPERATOR_PACK: whether the day is packed at the end, `on` or `off`. */
  readonly isPacked: boolean
  /** OPERATOR_OUT: all samples and figures, for plots. */
  readonly output: string
}

function numberOf(name: string, usual: number, [least, most]: readonly [number, number]): number {
  const value = Number(process.env[name] ?? usual)
  if (!(value >= least && value <= most)) throw new Error(`${name}: must be ${least} to ${most}`)
  return value
}

function isOn(name: string): boolean {
  const value = process.env[name] ?? '0'
  if (value !== '0' && value !== '1') throw new Error(`${name}: must be 0 or 1`)
  return value === '1'
}

function farPlan(minutes: number, stations: number): FarPlan | null {
  if (!isOn('OPERATOR_FAR')) return null
  if (stations < 2) throw new Error('OPERATOR_FAR: needs two stations, because one of them is killed')
  const killedAfter = numberOf('OPERATOR_FAR_KILLED', minutes / 3, [0, minutes])
  return {
    killedAfter,
    backAfter: numberOf('OPERATOR_FAR_BACK', Math.max(minutes / 2, killedAfter), [killedAfter, minutes]),
  }
}

function databaseEnd(minutes: number): DatabaseEnd | null {
  if (!isOn('OPERATOR_RESTART_DATABASE')) return null
  const wanted = process.env['OPERATOR_DATABASE_SIGNAL'] ?? 'SIGKILL'
  const signal = endingSignals.find((one) => one === wanted)
  if (signal === undefined) throw new Error(`OPERATOR_DATABASE_SIGNAL: must be one of ${endingSignals.join(', ')}`)
  return { after: numberOf('OPERATOR_DATABASE_ENDED', minutes * 0.75, [0, minutes]), signal }
}

export function readSettings(): Settings {
  const intervalSeconds = Math.round(numberOf('OPERATOR_INTERVAL', 60, [5, 60]))
  const minutes = numberOf('OPERATOR_MINUTES', 30, [1, 1440])
  const stations = Math.round(numberOf('OPERATOR_STATIONS', 3, [1, 10]))
  return {
    minutes,
    services: Math.round(numberOf('OPERATOR_SERVICES', 10_000, [100, 100_000])),
    intervalSeconds,
    stations,
    warmUpSeconds: numberOf('OPERATOR_WARM_UP', 2 * intervalSeconds, [5, 3600]),
    requestsPerSecond: numberOf('OPERATOR_REQUESTS', 2, [0.1, 100]),
    floodPerSecond: Math.round(numberOf('OPERATOR_FLOOD', 0, [0, 10_000])),
    hasConsole: isOn('OPERATOR_CONSOLE'),
    far: farPlan(minutes, stations),
    databaseEnd: databaseEnd(minutes),
    heapMegabytes: process.env['OPERATOR_HEAP'] === undefined ? null : numberOf('OPERATOR_HEAP', 0, [16, 65_536]),
    isPacked: process.env['OPERATOR_PACK'] !== 'off',
    output: process.env['OPERATOR_OUT'] ?? join(tmpdir(), 'latarnik-operator.json'),
  }
}
