/** The services of the bench, in the proportions of a real customer. */
import { type Temper, temperOf } from './script.ts'

export type Kind = 'http' | 'https' | 'tcp_connect' | 'dns' | 'smtp_helo' | 'ping'

/** Upper bounds of the shares in hundredths: 60, 25, 5, 5, 3 and 2. */
const shares: readonly (readonly [Kind, number])[] = [
  ['http', 60],
  ['https', 85],
  ['tcp_connect', 90],
  ['dns', 95],
  ['smtp_helo', 98],
  ['ping', 100],
]
/** Prime to a hundred, so that the kinds lie between each other. */
const stride = 37

/** Ports that the farm listens on; the arrays are shared out among the services. */
export interface Ports {
  readonly http: readonly number[]
  readonly https: readonly number[]
  readonly tcp: number
  readonly dns: number
  readonly smtp: number
  /** Of services with a listener of their own, by index. */
  readonly gates: Readonly<Record<number, number>>
}

/** A machine may forbid pings. */
export interface Ground {
  readonly ports: Ports
  readonly hasPing: boolean
}

/** Pings of this machine itself cannot fail, so what fails is something else. */
export function kindOf(index: number, hasPing: boolean): Kind {
  const draw = (index * stride) % 100
  const kind = shares.find(([, bound]) => draw < bound)?.[0] ?? 'http'
  const isPossible = kind !== 'ping' || (hasPing && temperOf(index) === 'steady')
  return isPossible ? kind : 'http'
}

/** A flapping target that cannot be identified by the request needs its own listener, which comes and goes. */
export function needsGate(index: number): boolean {
  const kind = kindOf(index, false)
  return temperOf(index) === 'flapping' && (kind === 'tcp_connect' || kind === 'smtp_helo')
}

/** The text expected of a page: all good ones have it, and no other. */
export const goodText = 'The lighthouse is lit'
/** Longer than any good answer takes, shorter than half an interval. Milliseconds. */
const timeout = 2000
/** Where nobody listens. */
const closedPort = 1

interface Wanted {
  readonly type_id: Kind
  readonly address: string
  readonly extended_settings: Readonly<Record<string, unknown>>
}

function web(index: number, kind: 'http' | 'https', ports: readonly number[], temper: Temper): Wanted {
  // Half of the targets that are always down refuse, and half answer badly.
  const isRefused = temper === 'down' && index % 2 === 0
  const port = isRefused ? closedPort : ports[index % ports.length]
  return {
    type_id: kind,
    address: `127.0.0.1:${port}/${index}`,
    extended_settings: { timeout, content_regex: goodText },
  }
}

/** The service as the API wants it, but for its name and group. */
export function wantedService(index: number, { ports, hasPing }: Ground): Wanted {
  const kind = kindOf(index, hasPing)
  const temper = temperOf(index)
  const own = temper === 'down' ? closedPort : ports.gates[index]
  switch (kind) {
    case 'http':
    case 'https':
      return web(index, kind, ports[kind], temper)
    case 'tcp_connect':
      return { type_id: kind, address: `127.0.0.1:${own ?? ports.tcp}`, extended_settings: { timeout } }
    case 'smtp_helo':
      return { type_id: kind, address: '127.0.0.1', extended_settings: { timeout, port: own ?? ports.smtp } }
    case 'dns':
      return {
        type_id: kind,
        address: '127.0.0.1',
        extended_settings: { timeout, port: ports.dns, query_name: `s${index}.farm.example` },
      }
    case 'ping':
      return { type_id: kind, address: '127.0.0.1', extended_settings: { reply_timeout: timeout } }
  }
}
