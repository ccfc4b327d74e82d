// Addresses and settings of the checks.
import type { Settings } from '../../src/sensor/protocol.ts'
import { type FurtherProtocol, furtherProtocols, furtherTalk } from './further.ts'
import type { Kind } from './kinds.ts'
import { type Protocol, protocols } from './protocols.ts'
import type { Targets } from './targets.ts'

export interface Asked {
  readonly address: string
  readonly settings: Settings
}

const host = '127.0.0.1'

function isProtocol(kind: Kind): kind is Protocol {
  return protocols.some((one) => one === kind)
}

function isFurther(kind: Kind): kind is FurtherProtocol {
  return furtherProtocols.some((one) => one === kind)
}

/** Null: no station checks the type, or not without rights of its own. */
export function askedOf(kind: Kind, targets: Targets): Asked | null {
  if (isProtocol(kind)) return { address: host, settings: { port: targets[kind], timeout: 5000, tls: 'off' } }
  if (isFurther(kind)) {
    const { address, settings } = furtherTalk(kind)
    return { address: address(targets[kind]), settings: settings(targets[kind]) }
  }
  switch (kind) {
    case 'http':
      return { address: `${host}:${targets.http}/`, settings: { timeout: 7000 } }
    case 'https':
      return { address: `${host}:${targets.https}/`, settings: { timeout: 7000, verify_certificate: false } }
    case 'tcp_connect':
      return { address: `${host}:${targets.tcp_connect}`, settings: { timeout: 5000 } }
    case 'dns': {
      const question = { query_name: 'www.example.com', query_type: 'A' }
      return { address: host, settings: { port: targets.dns, ...question, timeout: 5000 } }
    }
    default:
      return null
  }
}
