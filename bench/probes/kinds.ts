import { serviceTypes } from '../../src/checks/index.ts'
import { type CoreKind, coreKinds } from './core.ts'
import { type FurtherProtocol, furtherProtocols } from './further.ts'
import { type Protocol, protocols } from './protocols.ts'

/** The types that Debian's exporter checks too. */
export const comparedKinds = ['http', 'https', 'tcp_connect', 'dns'] as const
export type ComparedKind = (typeof comparedKinds)[number]
/** Service types that a process of its own checks without a browser. */
export type Kind = ComparedKind | Protocol | FurtherProtocol | CoreKind | 'ping'
export const kinds: readonly Kind[] = [...comparedKinds, ...protocols, ...furtherProtocols, ...coreKinds, 'ping']

export const browserKinds = ['fullpage', 'fullpagehttps', 'mobilepage', 'mobilepagehttps', 'webappcheck'] as const
export type BrowserKind = (typeof browserKinds)[number]

/** Services that report in: the pings answered are counted. */
export const reportingKinds = ['heartbeat'] as const

const rows: readonly string[] = [...kinds, ...browserKinds, ...reportingKinds]

/** A type over IPv6 is its base on another address family, and shares its row. */
export function typesWithoutRow(): readonly string[] {
  return serviceTypes.filter(({ id, base }) => !rows.includes(id) && !rows.includes(base)).map(({ id }) => id)
}

export type Once = () => Promise<void>

const concurrency = 20

/** Runs this many repetitions, twenty at a time. */
export async function repeat(once: Once, times: number, atOnce = concurrency): Promise<void> {
  let started = 0
  const worker = async (): Promise<void> => {
    while (started < times) {
      started += 1
      await once()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
