import { createSocket, type Socket } from 'node:dgram'
import { createRequire } from 'node:module'
import { encodeEcho, sequenceOfReply } from './packet.ts'

/** Opens the file descriptor of an unprivileged ping socket; -1 if the kernel refuses. */
export type OpenDescriptor = (family: 4 | 6) => number

/**
 * Sends one echo request. `done` is called once, with the round trip in milliseconds or the reason why sending failed.
 */
export type SendEcho = (
  ip: string,
  bytes: number,
  done: (error: Error | null, roundTripMs: number) => void,
) => () => void

const addressFamily = { 4: 2, 6: 10 } as const
const datagram = 2
const protocol = { 4: 1, 6: 58 } as const
/** Bursts of replies must survive a pause of this process (measured: 200 ms at 2000/s overflowed the default). */
const receiveBufferBytes = 4_194_304
const sequences = 65_536
/** The kernel ignores the port of a ping socket, but Node refuses zero. */
const anyPort = 1

/**
 * Node cannot open a ping socket, but it can use one: a single libc call makes the descriptor, dgram does the rest.
 * Null if the library or the platform does not offer it.
 */
export function loadOpenDescriptor(): OpenDescriptor | null {
  if (process.platform !== 'linux') return null
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
    const open = koffi.load(null).func('int socket(int domain, int type, int protocol)')
    return (family) => Number(open(addressFamily[family], datagram, protocol[family]))
  } catch {
    return null
  }
}

interface Waiting {
  readonly sentAt: number
  readonly done: (error: Error | null, roundTripMs: number) => void
}

/** One open ping socket; replies are matched by address and sequence number. */
export function createEchoSocket(descriptor: number, family: 4 | 6): SendEcho {
  const waiting = new Map<string, Waiting>()
  let sequence = 0
  let open: Promise<Socket> | null = null

  const receive = (packet: Buffer, address: string): void => {
    const now = performance.now()
    const key = `${withoutZone(address)} ${sequenceOfReply(family, packet)}`
    const request = waiting.get(key)
    if (waiting.delete(key)) request?.done(null, now - request.sentAt)
  }

  return (ip, bytes, done) => {
    sequence = (sequence + 1) % sequences
    const key = `${ip} ${sequence}`
    const packet = encodeEcho(family, sequence, bytes)
    const fail = (error: Error): void => {
      if (waiting.delete(key)) done(error, 0)
    }
    waiting.set(key, { sentAt: performance.now(), done })
    open ??= openSocket(descriptor, family, receive)
    open.then((socket) => {
      if (!waiting.has(key)) return
      waiting.set(key, { sentAt: performance.now(), done })
      socket.send(packet, anyPort, ip, (error) => {
        if (error !== null) fail(error)
      })
    }, fail)
    return () => waiting.delete(key)
  }
}

function openSocket(
  descriptor: number,
  family: 4 | 6,
  receive: (packet: Buffer, address: string) => void,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({
      type: family === 4 ? 'udp4' : 'udp6',
      recvBufferSize: receiveBufferBytes,
      lookup: (host, _options, found) => found(null, host, family),
    })
    socket.once('error', reject)
    socket.on('message', (packet, { address }) => receive(packet, address))
    socket.bind({ fd: descriptor }, () => {
      // A failed echo is reported to its sender; a late error of the socket must not end the process.
      socket.on('error', () => {})
      socket.unref()
      resolve(socket)
    })
  })
}

function withoutZone(address: string): string {
  return address.split('%')[0] ?? address
}
