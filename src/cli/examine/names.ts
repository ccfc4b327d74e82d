import { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import type { DnsServer } from '../../outgoing/dns-client.ts'
import { readResolverFiles, systemFiles } from '../../outgoing/resolver-files.ts'
import { type Finding, finding } from './finding.ts'

const usualPort = 53
const patienceMs = 3000

function shown({ ip, port }: DnsServer): string {
  const address = isIPv6(ip) ? `[${ip}]` : ip
  return port === usualPort ? ip : `${address}:${port}`
}

/** Any answer will do, even "no such name", because it comes from the server. */
async function answers({ ip, port }: DnsServer): Promise<boolean> {
  const resolver = new Resolver({ timeout: patienceMs, tries: 1 })
  resolver.setServers([`${isIPv6(ip) ? `[${ip}]` : ip}:${port}`])
  return resolver.resolveNs('.').then(
    () => true,
    (error: { code?: string }) => !['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED'].includes(error.code ?? ''),
  )
}

export function configuredServers(): readonly DnsServer[] {
  return readResolverFiles(systemFiles, usualPort).configuration().servers
}

/** Asks each name server of this machine for the root. */
export async function examineNames(servers: readonly DnsServer[]): Promise<Finding> {
  const outcomes = await Promise.all(
    servers.map(async (server) => ({ name: shown(server), isRight: await answers(server) })),
  )
  const [right, silent] = [true, false].map((wanted) =>
    outcomes.filter(({ isRight }) => isRight === wanted).map(({ name }) => name),
  )
  if (right?.length === 0) return finding('Names', 'fault', `none of the name servers answers: ${silent?.join(', ')}`)
  const rest = silent?.length === 0 ? '' : `; not ${silent?.join(', ')}: each name waits for it`
  return finding(
    'Names',
    rest === '' ? 'ok' : 'missing',
    `${right?.join(', ')} answer${right?.length === 1 ? 's' : ''}${rest}`,
  )
}
