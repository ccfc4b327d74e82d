import { isPort } from '../domain/services/address-with-port.ts'

/** One server of a database address. */
export interface Server {
  /** An address of this server alone. */
  readonly url: string
  /** Only if the address names several servers: the driver connects there. */
  readonly place?: { readonly host: string; readonly port: number }
  /** Without user and password, for people. */
  readonly name: string
}

export interface Servers {
  readonly all: readonly [Server, ...Server[]]
  /** Only a server that accepts writes will do. */
  readonly mustWrite: boolean
}

/** The address contradicts itself; the message is for the operator. */
export class WrongServers extends Error {}

const usualPort = '5432'
const parts = /^(\w+:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?$/
const placeInAddress = /^(\[[\da-fA-F:.%]+\]|[^:[\]]+)(?::(\d{1,5}))?$/
/** libpq's values that suit a program that writes. */
const writable = new Set(['read-write', 'primary'])

interface Place {
  readonly host: string
  readonly port: string
}

function placesInAuthority(authority: string): Place[] {
  return authority.split(',').map((text) => {
    const [, host = '', port = usualPort] = placeInAddress.exec(text) ?? []
    if (host === '' || !isPort(port)) throw new WrongServers('names a server without a host, or a wrong port')
    return { host: host.replace(/^\[(.*)\]$/, '$1'), port }
  })
}

function placesInParameters(hosts: readonly string[], ports: readonly string[]): Place[] {
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new WrongServers(`names ${hosts.length} hosts and ${ports.length} ports: one for all, or one for each`)
  }
  return placesInAuthority(
    hosts
      .map((host, index) => {
        const port = ports[index] ?? ports[0] ?? ''
        const bare = host.replaceAll('/', '%2F')
        return `${bare.includes(':') ? `[${bare}]` : bare}${port === '' ? '' : `:${port}`}`
      })
      .join(','),
  ).map(({ host, port }) => ({ host: host.replaceAll('%2F', '/'), port }))
}

function demandOf(parameters: URLSearchParams, isSeveral: boolean): boolean {
  const wanted = parameters.get('target_session_attrs')
  if (wanted === null || writable.has(wanted)) return isSeveral || wanted !== null
  if (wanted === 'any' && !isSeveral) return false
  throw new WrongServers(
    `asks for target_session_attrs=${wanted}; Latarnik writes, so it must be read-write or primary`,
  )
}

/** The same database, login and parameters on another server. */
export function addressAt(url: string, { host, port }: { readonly host: string; readonly port: number }): string {
  const [, scheme = '', login = '', , path = '', query = ''] = parts.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name)
  const rest = parameters.size === 0 ? '' : `?${parameters}`
  return `${scheme}${login}${host.includes(':') ? `[${host}]` : host}:${port}${path}${rest}`
}

/**
 * Reads an address as libpq does: `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`, or
 * with `host=a,b&port=5432,5432` among the parameters. Throws `WrongServers`.
 */
export function serversOf(url: string): Servers {
  const [, scheme = '', login = '', authority = '', path = '', query = ''] = parts.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const hosts = parameters.get('host')?.split(',') ?? []
  const ports = parameters.get('port')?.split(',') ?? []
  const inAuthority = authority.includes(',')
  const isSeveral = inAuthority || hosts.length > 1
  const mustWrite = demandOf(parameters, isSeveral)
  if (!isSeveral) {
    if (ports.length > 1) throw new WrongServers(`names one host and ${ports.length} ports`)
    return { all: [{ url, name: authority || hosts[0] || 'localhost' }], mustWrite }
  }
  if (inAuthority && hosts.length + ports.length > 0) {
    throw new WrongServers('names servers both before the database and as parameters host and port')
  }
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name)
  const places = inAuthority ? placesInAuthority(authority) : placesInParameters(hosts, ports)
  const rest = parameters.size === 0 ? '' : `?${parameters}`
  const all = places.map(({ host, port }) => {
    const name = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
    const encoded = host.includes(':') ? name : `${encodeURIComponent(host)}:${port}`
    return { url: `${scheme}${login}${encoded}${path}${rest}`, place: { host, port: Number(port) }, name }
  })
  const [first, ...others] = all
  if (first === undefined || new Set(all.map(({ name }) => name)).size < all.length) {
    throw new WrongServers('names the same server twice')
  }
  return { all: [first, ...others], mustWrite }
}
