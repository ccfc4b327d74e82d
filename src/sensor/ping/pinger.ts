import { existsSync } from 'node:fs'
import { errorText } from '../../domain/text/error-text.ts'
import type { CheckedAddress } from '../../outgoing/dial.ts'
import { errorCode, Failure, ownFault } from '../../outgoing/failure.ts'
import type { Attempt } from '../attempt.ts'
import { createEchoSocket, loadOpenDescriptor, type OpenDescriptor, type SendEcho } from './echo-socket.ts'
import { runPingProgram } from './program.ts'

/** The way to ping on this machine: an unprivileged socket, the system's program, or none. */
export type PingWay = 'socket' | 'program' | 'none'

export interface Pinger {
  /** Determined once, at the first call. */
  way(): PingWay
  /**
   * Sends one echo request, and another if half the time passes in silence. Resolves with the round trip in
   * milliseconds.
   */
  ping(attempt: Attempt, address: CheckedAddress, bytes: number): Promise<number>
}

export interface PingerOptions {
  readonly openDescriptor?: OpenDescriptor | null
  readonly program?: string | null
}

const programs = ['/bin/ping', '/usr/bin/ping', '/sbin/ping']
const socketsPerFamily = 4

export function createPinger(options: PingerOptions = {}): Pinger {
  const program = options.program === undefined ? (programs.find((path) => existsSync(path)) ?? null) : options.program
  let openDescriptor: OpenDescriptor | null | undefined = options.openDescriptor
  let found: PingWay | null = null
  const sockets: Record<4 | 6, SendEcho[]> = { 4: [], 6: [] }
  let turn = 0

  function way(): PingWay {
    if (found !== null) return found
    if (openDescriptor === undefined) openDescriptor = loadOpenDescriptor()
    const opened = nextSocket(4)
    found = opened !== null ? 'socket' : program !== null ? 'program' : 'none'
    return found
  }

  function nextSocket(family: 4 | 6): SendEcho | null {
    turn += 1
    const open = sockets[family]
    if (open.length >= socketsPerFamily) return open[turn % socketsPerFamily] ?? null
    const descriptor = openDescriptor?.(family) ?? -1
    if (descriptor < 0) return open[0] ?? null
    const socket = createEchoSocket(descriptor, family)
    open.push(socket)
    return socket
  }

  return {
    way,
    async ping(attempt, address, bytes) {
      const socket = way() === 'socket' ? nextSocket(address.family) : null
      if (socket !== null) return await pingOverSocket(attempt, address.ip, bytes, socket)
      if (program !== null) return await runPingProgram(attempt, program, address, bytes)
      throw new Failure(
        'sensor_cannot_ping',
        'no ping socket is permitted (net.ipv4.ping_group_range) and no ping program found',
      )
    },
  }
}

function pingOverSocket(attempt: Attempt, ip: string, bytes: number, send: SendEcho): Promise<number> {
  return attempt.wait<number>((resolve, reject) => {
    const giveUp: (() => void)[] = []
    const stop = (): void => {
      clearTimeout(again)
      for (const forget of giveUp) forget()
    }
    const sendOne = (): void => {
      const forget = send(ip, bytes, (error, roundTripMs) => {
        stop()
        if (error === null) resolve(roundTripMs)
        else reject(sendFailure(error))
      })
      giveUp.push(forget)
    }
    const again = setTimeout(sendOne, attempt.remainingMs / 2)
    sendOne()
    return stop
  })
}

function sendFailure(error: Error): Failure {
  if (errorCode(error) === 'EHOSTUNREACH') return new Failure('ping_unreachable', error.message)
  return ownFault(error) ?? new Failure('ping_unreachable', errorText(error))
}
