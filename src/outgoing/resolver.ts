import { isIP } from 'node:net'
import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'
import { askOverUdp, type DnsReply, type DnsServer, rcodeOf, sameName } from './dns-client.ts'
import { askOverTcp } from './dns-tcp.ts'
import { Failure } from './failure.ts'
import { type ResolverConfiguration, type ResolverFiles, readResolverFiles, systemFiles } from './resolver-files.ts'

/** Literal addresses of a name in one family; empty if the name exists without any. Rejects with a Failure. */
export type Resolve = (name: string, family: 4 | 6, timeoutMs: number) => Promise<readonly string[]>

const longestTryMs = 1500
const rounds = 2

export interface ResolverOptions {
  /** With several tenants: they learn nothing about the machine's hosts file, search list or name servers. */
  readonly isShared: boolean
  readonly files?: ResolverFiles
  /** For tests. */
  readonly port?: number
}

/** A resolver of our own. It never calls getaddrinfo, which blocks the four threads of libuv. */
export function createResolver({ isShared, files = systemFiles, port = 53 }: ResolverOptions): Resolve {
  const { hosts, configuration } = readResolverFiles(files, port)
  return async (name, family, timeoutMs) => {
    const plain = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
    const known = isShared ? undefined : hosts().get(plain)
    if (known !== undefined) return known.filter((ip) => isIP(ip) === family)
    if (plain === 'localhost' || plain.endsWith('.localhost')) return [family === 4 ? '127.0.0.1' : '::1']
    if (isShared) return await askPublicly(plain, family, configuration().servers, timeoutMs)
    return await askForName(candidatesOf(name, plain, configuration()), family, configuration().servers, timeoutMs)
  }
}

/**
 * Resolves the name as written. Single words are refused, known or not, because a name server may take them from its
 * own hosts file.
 */
async function askPublicly(
  plain: string,
  family: 4 | 6,
  servers: readonly DnsServer[],
  timeoutMs: number,
): Promise<readonly string[]> {
  if (!plain.includes('.')) {
    throw new Failure('sensor_address_refused', `${plain} is a single word, which this station does not look up`)
  }
  try {
    return await askForName([plain], family, servers, timeoutMs)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const named = servers.reduce((text, { ip }) => text.replaceAll(ip, 'a name server'), error.message)
    throw new Failure(error.symbol, named)
  }
}

function candidatesOf(name: string, plain: string, { search, ndots }: ResolverConfiguration): readonly string[] {
  if (name.endsWith('.') || search.length === 0) return [plain]
  const searched = search.map((suffix) => `${plain}.${suffix}`)
  return plain.split('.').length > ndots ? [plain, ...searched] : [...searched, plain]
}

async function askForName(
  names: readonly string[],
  family: 4 | 6,
  servers: readonly DnsServer[],
  timeoutMs: number,
): Promise<readonly string[]> {
  const endsAt = performance.now() + timeoutMs
  let existed = false
  for (const name of names) {
    const reply = await askServers(name, family, servers, endsAt)
    const rcode = rcodeOf(reply.packet)
    if (rcode === 'NOERROR') {
      const addresses = addressesIn(reply, name, family)
      if (addresses.length > 0) return addresses
      existed = true
    } else if (rcode !== 'NXDOMAIN') await throwServerFault(rcode, name, servers)
  }
  if (existed) return []
  throw new Failure('name_not_found', `${names.at(-1)}: NXDOMAIN`)
}

async function throwServerFault(rcode: string, name: string, servers: readonly DnsServer[]): Promise<never> {
  if (!(await isAnyAlive(servers)))
    throw new Failure('sensor_without_resolver', `the name server answers ${rcode} to everything`)
  // If the domain's servers refuse, a resolver says SERVFAIL; its own refusal is REFUSED.
  const symbol: ErrorTypeSymbol = rcode === 'REFUSED' ? 'sensor_resolver_refused' : 'name_server_failure'
  throw new Failure(symbol, `${name}: ${rcode}`)
}

/** One server after another, in two rounds. Silence is the name's fault only if the servers answer other questions. */
async function askServers(
  name: string,
  family: 4 | 6,
  servers: readonly DnsServer[],
  endsAt: number,
): Promise<DnsReply> {
  let alive: Promise<boolean> | null = null
  let lastReply: DnsReply | null = null
  let lastError = 'no name server is configured'
  for (let turn = 0; turn < servers.length * rounds; turn += 1) {
    const server = servers[turn % servers.length]
    const left = endsAt - performance.now()
    if (server === undefined || left <= 0) break
    const question = { name, type: family === 4 ? 'A' : 'AAAA', recursionDesired: true, edns: true } as const
    const answer = await askOnce(server, question, Math.min(longestTryMs, Math.max(left / 2, 20)))
    if (!(answer instanceof Error)) {
      if (isDecisive(answer) || turn >= servers.length - 1) return answer
      lastReply = answer
      continue
    }
    lastError = `${server.ip}: ${answer.message}`
    alive ??= isAnyAlive(servers)
  }
  if (lastReply !== null) return lastReply
  if (alive !== null && (await alive)) throw new Failure('name_timeout', `${name}: ${lastError}`)
  throw new Failure('sensor_without_resolver', lastError)
}

function isDecisive(reply: DnsReply): boolean {
  const rcode = rcodeOf(reply.packet)
  return rcode === 'NOERROR' || rcode === 'NXDOMAIN'
}

/** The root's name servers are in every resolver's cache, so a server that answers this is alive and connected. */
async function isAnyAlive(servers: readonly DnsServer[]): Promise<boolean> {
  const question = { name: '.', type: 'NS', recursionDesired: true, edns: true } as const
  const answers = await Promise.all(servers.map((server) => askOnce(server, question, longestTryMs)))
  return answers.some((answer) => !(answer instanceof Error) && rcodeOf(answer.packet) === 'NOERROR')
}

/**
 * One question to one server, again over TCP if the reply was truncated. Resolves with an Error instead of rejecting.
 */
export async function askOnce(
  server: DnsServer,
  question: Parameters<typeof askOverUdp>[1],
  timeoutMs: number,
): Promise<DnsReply | Error> {
  const reply = await new Promise<DnsReply | Error>((resolve) => {
    const query = askOverUdp(server, question, (error, received) => {
      clearTimeout(timer)
      resolve(received ?? error ?? new Error('no reply'))
    })
    const timer = setTimeout(() => {
      query.close()
      resolve(new Error(`no reply within ${Math.round(timeoutMs)} ms`))
    }, timeoutMs)
  })
  if (reply instanceof Error || !reply.packet.flag_tc) return reply
  return await askOverTcp(server, question, timeoutMs)
}

function addressesIn(reply: DnsReply, name: string, family: 4 | 6): readonly string[] {
  const answers = reply.packet.answers ?? []
  const type = family === 4 ? 'A' : 'AAAA'
  let owner = name
  for (let hop = 0; hop < answers.length; hop += 1) {
    const alias = answers.find((answer) => answer.type === 'CNAME' && sameName(answer.name, owner))
    if (alias === undefined || alias.type !== 'CNAME') break
    owner = alias.data
  }
  return answers.flatMap((answer) =>
    (answer.type === 'A' || answer.type === 'AAAA') && answer.type === type && sameName(answer.name, owner)
      ? [answer.data]
      : [],
  )
}
