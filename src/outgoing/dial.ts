import { isIPv4, Socket } from 'node:net'
import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'
import { errorText } from '../domain/text/error-text.ts'
import { errorCode, Failure, ownFault } from './failure.ts'
import type { Host } from './host.ts'
import { createResolver, type Resolve } from './resolver.ts'
import { type Allowed, createScreen } from './screen.ts'

/** Which addresses of a host to use: IPv4 before IPv6, or IPv6 only. */
export type AddressFamily = 'any' | 'ipv6'

/** The purpose of a connection, with its clock and its limit. */
export interface DialAttempt {
  /** Milliseconds. */
  readonly remainingMs: number
  /** The address of the try; it stays here if the attempt fails. */
  readonly evidence: { ip_address: string | null }
  /** `onTimeout` is the failure if time runs out in the phase. */
  enter(phase: 'dns' | 'connect', onTimeout: ErrorTypeSymbol): void
  /**
   * Waits until `start` calls back or the time is up. Then it calls the function that `start` returned, and rejects
   * with a Failure.
   */
  wait<T>(start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void): Promise<T>
}

const checked: unique symbol = Symbol('checked')

/** A literal address that was screened. Only a dialler makes one, and every connection needs one. */
export interface CheckedAddress {
  readonly ip: string
  readonly family: 4 | 6
  readonly [checked]: true
}

/** The only way out: every connection of a check goes to a screened literal address. */
export interface Dialler {
  /** Looks the host up once and screens every address. Never empty; rejects with a Failure. */
  resolve(
    attempt: DialAttempt,
    host: Host,
    family: AddressFamily,
  ): Promise<readonly [CheckedAddress, ...CheckedAddress[]]>
  /** Connects to the first address that does not refuse at once. */
  connect(attempt: DialAttempt, addresses: readonly CheckedAddress[], port: number): Promise<Socket>
}

export interface DiallerOptions {
  readonly allow: Allowed
  readonly resolve?: Resolve
}

const mostAddressesTried = 4
/** The resolver must decide whose fault a silence is before the check's own timer stops it. */
const resolverMarginMs = 50

export function createDialler(options: DiallerOptions): Dialler {
  const isAllowed = createScreen(options.allow)
  // Only users who may check everything learn the machine's own names.
  const lookUp = options.resolve ?? createResolver({ isShared: options.allow !== 'all' })
  return {
    async resolve(attempt, host, family) {
      const found = host.family === 0 ? await addressesOf(lookUp, attempt, host, family) : literal(host, family)
      const [first, ...others] = found.filter(isAllowed).map(asChecked)
      if (first !== undefined) return [first, ...others]
      // For a name the addresses stay hidden, because they are the operator's network.
      if (host.family !== 0) attempt.evidence.ip_address = host.name
      const what = host.family === 0 ? `${host.name} leads to an address that` : host.name
      throw new Failure('sensor_address_refused', `${what} may not be checked`)
    },
    connect: connectToFirst,
  }
}

const isPublic = createScreen([])

/**
 * The failure for an address that a site led to. If a public site leads to a private address, its visitors cannot
 * follow either, so it is the site's fault. A site that is checked only because the operator allows its range may well
 * lead its own visitors to another range. Then the failure is the station's.
 */
export function refusedOnTheWay(error: unknown, homeIp: string | null): unknown {
  const isOurs = error instanceof Failure && error.symbol === 'sensor_address_refused'
  if (!isOurs) return error
  const isSites = homeIp !== null && isPublic(homeIp)
  return new Failure(isSites ? 'address_refused' : 'sensor_redirect_refused', error.message)
}

function literal(host: Host, family: AddressFamily): readonly string[] {
  if (host.family === 6 || family === 'any') return [host.name]
  throw new Failure('address_not_ipv6', `${host.name} is an IPv4 address, only IPv6 is checked here`)
}

async function addressesOf(
  lookUp: Resolve,
  attempt: DialAttempt,
  host: Host,
  family: AddressFamily,
): Promise<readonly string[]> {
  attempt.enter('dns', 'sensor_without_resolver')
  const ask = (version: 4 | 6): Promise<readonly string[]> =>
    attempt.wait((resolve, reject) => {
      const timeoutMs = Math.max(1, attempt.remainingMs - resolverMarginMs)
      lookUp(host.name, version, timeoutMs).then(resolve, reject)
      return () => {}
    })
  const first = await ask(family === 'ipv6' ? 6 : 4)
  if (first.length > 0) return first
  if (family === 'ipv6') throw new Failure('name_without_ipv6_address', `${host.name} has no AAAA record`)
  const second = await ask(6)
  if (second.length > 0) return second
  throw new Failure('name_without_address', `${host.name} has neither an A nor an AAAA record`)
}

async function connectToFirst(
  attempt: DialAttempt,
  addresses: readonly CheckedAddress[],
  port: number,
): Promise<Socket> {
  attempt.enter('connect', 'connection_timeout')
  let last: unknown = null
  for (const address of addresses.slice(0, mostAddressesTried)) {
    attempt.evidence.ip_address = address.ip
    try {
      return await open(attempt, address, port)
    } catch (error) {
      if (error instanceof Failure) throw error
      last = error
    }
  }
  throw connectFailure(last)
}

function asChecked(ip: string): CheckedAddress {
  return { ip, family: isIPv4(ip) ? 4 : 6, [checked]: true }
}

function open(attempt: DialAttempt, address: CheckedAddress, port: number): Promise<Socket> {
  return attempt.wait<Socket>((resolve, reject) => {
    const socket = new Socket()
    const onError = (error: Error): void => {
      socket.destroy()
      reject(error)
    }
    socket.once('error', onError)
    socket.once('connect', () => {
      socket.removeListener('error', onError)
      resolve(socket)
    })
    socket.connect({ host: address.ip, port, family: address.family, autoSelectFamily: false })
    return () => {
      socket.removeListener('error', onError)
      abandon(socket)
    }
  })
}

/** Closes a socket without listeners; a late error of it must not end the process. */
export function abandon(socket: Socket): void {
  socket.on('error', () => {})
  socket.destroy()
}

function connectFailure(error: unknown): Failure {
  const own = ownFault(error)
  if (own !== null) return own
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return new Failure('connection_refused', errorText(error))
    case 'ETIMEDOUT':
      return new Failure('connection_timeout', errorText(error))
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
      return new Failure('host_unreachable', errorText(error))
    case 'ECONNRESET':
      return new Failure('connection_reset', errorText(error))
    default:
      return new Failure('connection_failed', errorText(error))
  }
}
