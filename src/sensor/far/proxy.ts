import type { Agent } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'
import { HttpsProxyAgent } from 'https-proxy-agent'

export interface ProxyChoice {
  /** `http://user:password@host:port`; undefined: none. */
  readonly url: string | undefined
  /**
   * Hosts reached without the proxy: `example.com` with everything below it, addresses, CIDR ranges, each with or
   * without `:port`; `*` for all.
   */
  readonly except: readonly string[]
}

/** The agent that reaches the server through the proxy by CONNECT; undefined for a direct connection. */
export function agentFor(server: URL, { url, except }: ProxyChoice): Agent | undefined {
  return url === undefined || except.some((entry) => covers(entry, server)) ? undefined : new HttpsProxyAgent(url)
}

function covers(entry: string, server: URL): boolean {
  const host = bare(server.hostname)
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port
  // An IPv6 address without brackets has no port after it.
  const [, name = '', wantedPort = port] =
    isIP(entry) === 6 ? ['', entry] : (/^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? [])
  const wanted = bare(name)
  if (wantedPort !== port) return false
  if (wanted === '*') return true
  if (wanted.includes('/')) return isWithin(wanted, host)
  const suffix = wanted.replace(/^\*?\./, '')
  return suffix !== '' && (host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`)))
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase()
}

function isWithin(range: string, host: string): boolean {
  const [network = '', length = ''] = range.split('/')
  const family = isIPv4(network) ? 'ipv4' : 'ipv6'
  const bits = Number(length)
  if (isIP(network) === 0 || isIP(host) === 0 || !(bits <= (family === 'ipv4' ? 32 : 128))) return false
  const list = new BlockList()
  list.addSubnet(network, bits, family)
  return list.check(host, isIPv4(host) ? 'ipv4' : 'ipv6')
}
