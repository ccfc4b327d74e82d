/** Guesses the meaning of a pasted address. */
export interface Proposal {
  readonly typeId: string
  /** Without the prefix of the type. */
  readonly address: string
  readonly name: string
  readonly settings: Readonly<Record<string, string>>
  /** Another type that the text may mean as well: its port says little. */
  readonly otherTypeId?: string
}

const schemes: Readonly<Record<string, string>> = {
  http: 'http',
  https: 'https',
  smtp: 'smtp_helo',
  tcp: 'tcp_connect',
  udp: 'udp',
  ping: 'ping',
  icmp: 'ping',
  dns: 'dns',
  tls: 'tls',
  ws: 'websocket',
  wss: 'websocket_tls',
  postgres: 'postgresql',
  postgresql: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
  mongodb: 'mongodb',
  redis: 'redis',
  rediss: 'redis',
  mqtt: 'mqtt',
  mqtts: 'mqtt',
  amqp: 'rabbitmq',
  amqps: 'rabbitmq',
  imap: 'imap',
  imaps: 'imap',
  pop3: 'pop3',
  pop3s: 'pop3',
  ftp: 'ftp',
  ftps: 'ftp',
  ssh: 'ssh',
  ntp: 'ntp',
  snmp: 'snmp',
  grpc: 'grpc',
  grpcs: 'grpc',
}
/** Schemes that mean TLS from the first byte, with their usual port where it is another. */
const overTls: Readonly<Record<string, string | null>> = {
  rediss: null,
  mqtts: '8883',
  amqps: '5671',
  imaps: '993',
  pop3s: '995',
  ftps: '990',
  grpcs: null,
}
const webTypes = new Set(['http', 'https', 'websocket', 'websocket_tls'])
const typesWithPort = new Set(['tcp_connect', 'udp', 'tls', 'grpc'])
const ipv4 = /^\d{1,3}(\.\d{1,3}){3}$/
/** Five fields of a crontab. */
const cronLine = /^[\d*][\d*/,-]*( +[\d*A-Za-z][\dA-Za-z*/,-]*){4}$/
/** Short names of a crontab as the five fields that they stand for. */
const cronNames: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}
/** Usual ports of web servers without TLS and with it. */
const plainPorts = new Set(['80', '3000', '5000', '8000', '8008', '8080', '8081', '8088', '8888', '9000', '9090'])
const tlsPorts = new Set(['443', '4443', '8443', '9443'])
const mailPorts = new Set(['25', '587'])
const longestName = 200

/** `[2001:db8::1]:25` and `mail.example.com:25` as a host and a port; an IPv6 address without brackets has no port. */
function hostAndPort(text: string): { readonly host: string; readonly port: string | null } {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(text)
  if (bracketed !== null) return { host: bracketed[1] ?? '', port: bracketed[2] ?? null }
  const named = /^([^:]*):(\d+)$/.exec(text)
  if (named !== null) return { host: named[1] ?? '', port: named[2] ?? null }
  return { host: text, port: null }
}

function guessedType(text: string): string {
  const { host, port } = hostAndPort(text.replace(/[/?].*$/s, '').replace(/^[^@]*@/, ''))
  if (port !== null && plainPorts.has(port)) return 'http'
  if (/[/?@]/.test(text) || (port !== null && tlsPorts.has(port))) return 'https'
  if (port !== null) return mailPorts.has(port) ? 'smtp_helo' : 'tcp_connect'
  if (ipv4.test(host) || host.includes(':')) return 'ping'
  if (/^(mail|smtp|mx\d*)\./.test(host)) return 'smtp_helo'
  if (/^ns\d*\./.test(host)) return 'dns'
  return 'https'
}

/** The DNS query for a host. An address or a name such as `ns1.…` is a name server; any other name is queried. */
export function dnsOf(host: string): { readonly server: string; readonly name: string } {
  if (host.includes(':') || ipv4.test(host)) return { server: host, name: '' }
  return /^ns\d*\./.test(host) ? { server: host, name: host.replace(/^ns\d*\./, '') } : { server: '', name: host }
}

/** The host that a pasted text names. */
export function hostOf(pasted: string): string {
  const rest = pasted
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^[^/?#]*@/, '')
  return hostAndPort(rest.replace(/[/?#].*$/s, '')).host
}

/** The cron line that the text is or names. */
function cronOf(text: string): string | null {
  return cronNames[text.toLowerCase()] ?? (cronLine.test(text) ? text : null)
}

/** True for a text that is neither an address nor a schedule: `0 3 * *` or `backup every day`. */
export function isUnclear(pasted: string): boolean {
  const text = pasted.trim()
  const host = text
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^[^@\s]+@/, '')
  return cronOf(text) === null && /[\s*@]/.test(host)
}

/** Null for a text that names nothing yet. */
export function proposalFor(pasted: string): Proposal | null {
  const text = pasted.trim()
  const cron = cronOf(text)
  if (cron !== null) return { typeId: 'heartbeat', address: '', name: '', settings: { cron } }
  if (isUnclear(text)) return null
  const [, scheme, afterScheme] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(text) ?? []
  const rest = (afterScheme ?? text).replace(/#.*$/s, '')
  if (rest === '') return null
  const typeId = schemes[scheme?.toLowerCase() ?? ''] ?? guessedType(rest)
  if (webTypes.has(typeId)) {
    const proposal = ofWeb(typeId, rest)
    const isGuess = scheme === undefined && /^[^/?]*:\d+(?:[/?]|$)/.test(proposal.address.replace(/^[^/?]*@/, ''))
    return isGuess ? { ...proposal, otherTypeId: otherWebType(proposal.typeId) } : proposal
  }
  const { host, port: given } = hostAndPort(rest.replace(/[/?].*$/s, '').replace(/^[^@]*@/, ''))
  const name = scheme?.toLowerCase() ?? ''
  const port = given ?? overTls[name] ?? null
  if (typeId === 'dns') return ofDns(rest, host, port)
  const isIpv6 = host.includes(':')
  const hasPort = typesWithPort.has(typeId)
  return {
    typeId: isIpv6 ? `${typeId}_ipv6` : typeId,
    address: hasPort && port !== null ? `${isIpv6 ? `[${host}]` : host}:${port}` : host,
    name: (hasPort && port !== null ? `${host}:${port}` : host).slice(0, longestName),
    settings: {
      ...(port === null || hasPort || typeId === 'ping' ? {} : { port }),
      ...(overTls[name] === undefined ? {} : { tls: 'tls' }),
    },
  }
}

/** `dns://server/name`, or one of the two. */
function ofDns(rest: string, host: string, port: string | null): Proposal {
  const asked = /^[^/?]*\/([^/?]+)/.exec(rest)?.[1]
  const { server, name } = asked === undefined ? dnsOf(host) : { server: host, name: asked }
  return {
    typeId: host.includes(':') ? 'dns_ipv6' : 'dns',
    address: server,
    name: (asked ?? host).slice(0, longestName),
    settings: { ...(port === null ? {} : { port }), ...(name === '' ? {} : { query_name: name }) },
  }
}

function otherWebType(typeId: string): string {
  return typeId.startsWith('https') ? typeId.replace('https', 'http') : typeId.replace('http', 'https')
}

function ofWeb(typeId: string, rest: string): Proposal {
  const address = rest.replace(/^([^/?]+)\/$/, '$1')
  const usualPort = ['https', 'websocket_tls'].includes(typeId) ? ':443' : ':80'
  const withoutLogin = address.replace(/^[^/?]*@/, '').replace(/[?].*$/s, '')
  const [host = '', ...path] = withoutLogin.split('/')
  const shownHost = host.endsWith(usualPort) ? host.slice(0, -usualPort.length) : host
  const name = [shownHost, ...path].join('/').replace(/\/$/, '')
  const isIpv6 = host.startsWith('[')
  return { typeId: isIpv6 ? `${typeId}_ipv6` : typeId, address, name: name.slice(0, longestName), settings: {} }
}
