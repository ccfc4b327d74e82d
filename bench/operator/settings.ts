import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The options of the bench, from environment variables. */
export interface Settings {
  /** OPERATOR_MINUTES: measured, after the start and the warm-up. */
  readonly minutes: number
  /** OPERATOR_SERVICES */
  readonly services: number
  /** OPERATOR_INTERVAL: seconds, 5 to 60: longer ones would be shortened while a service fails. */
  readonly intervalSeconds: number
  /** OPERATOR_STATIONS: local ones. */
  readonly stations: number
  /** OPERATOR_WARM_UP: seconds between the last service made and the first measured round. */
  readonly warmUpSeconds: number
  /** OPERATOR_REQUESTS: requests a second to the API meanwhile. */
  readonly requestsPerSecond: number
  /** OPERATOR_FLOOD: requests a second to a public status page meanwhile; default none. */
  readonly floodPerSecond: number
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

export function readSettings(): Settings {
  const intervalSeconds = Math.round(numberOf('OPERATOR_INTERVAL', 60, [5, 60]))
  return {
    minutes: numberOf('OPERATOR_MINUTES', 30, [1, 1440]),
    services: Math.round(numberOf('OPERATOR_SERVICES', 10_000, [100, 100_000])),
    intervalSeconds,
    stations: Math.round(numberOf('OPERATOR_STATIONS', 3, [1, 10])),
    warmUpSeconds: numberOf('OPERATOR_WARM_UP', 2 * intervalSeconds, [5, 3600]),
    requestsPerSecond: numberOf('OPERATOR_REQUESTS', 2, [0.1, 100]),
    floodPerSecond: Math.round(numberOf('OPERATOR_FLOOD', 0, [0, 10_000])),
    heapMegabytes: process.env['OPERATOR_HEAP'] === undefined ? null : numberOf('OPERATOR_HEAP', 0, [16, 65_536]),
    isPacked: process.env['OPERATOR_PACK'] !== 'off',
    output: process.env['OPERATOR_OUT'] ?? join(tmpdir(), 'latarnik-operator.json'),
  }
}
