import { createRequire } from 'node:module'
import { endianness } from 'node:os'

/** The place where a packet with a certain time to live ended. */
export interface HopReply {
  readonly ip: string
  /** The target itself answered. */
  readonly isTarget: boolean
  /** Why a router does not forward the packet; null if only its time to live was over. */
  readonly refusal: string | null
}

/**
 * Sends UDP packets that expire on their way and reads the ICMP messages about them. It needs no special rights,
 * because Linux passes them to the socket.
 */
export interface HopSocket {
  /** Returns false if the machine itself has no route. */
  send(timeToLive: number, port: number): boolean
  /** The message about the packet to that port; null if none has come yet. */
  receive(port: number): HopReply | null
  close(): void
}

/** One address family: numbers of the Linux kernel (bits/in.h, linux/errqueue.h) and layouts of socket addresses. */
interface Family {
  readonly domain: number
  readonly level: number
  readonly timeToLiveOption: number
  readonly errorOption: number
  readonly addressBytes: number
  /** ICMP type and code of "port unreachable": the target exists and nothing listens on the port. */
  readonly portUnreachable: readonly [type: number, code: number]
  readonly timeExceeded: number
  readonly addressOffset: number
}

const families: Readonly<Record<4 | 6, Family>> = {
  4: {
    domain: 2,
    level: 0,
    timeToLiveOption: 2,
    errorOption: 11,
    addressBytes: 16,
    portUnreachable: [3, 3],
    timeExceeded: 11,
    addressOffset: 4,
  },
  6: {
    domain: 10,
    level: 41,
    timeToLiveOption: 16,
    errorOption: 25,
    addressBytes: 28,
    portUnreachable: [1, 4],
    timeExceeded: 3,
    addressOffset: 8,
  },
}

const datagramNonBlocking = 2 | 0x800
const errorQueue = 0x2000
const dontWait = 0x40
const payload = Buffer.from('latarnik traceroute')
const controlHeaderBytes = 16
const extendedErrorBytes = 16
const largestControl = 512

interface SystemCalls {
  socket(domain: number, type: number, protocol: number): number
  setsockopt(socket: number, level: number, option: number, value: Buffer, bytes: number): number
  sendto(socket: number, data: Buffer, bytes: number, flags: number, address: Buffer, addressBytes: number): number
  recvmsg(socket: number, message: object, flags: number): number
  close(socket: number): number
}

let loaded: SystemCalls | null | undefined

/** Null if the library or the platform does not offer it. */
function systemCalls(): SystemCalls | null {
  if (loaded === undefined) loaded = loadSystemCalls()
  return loaded
}

function loadSystemCalls(): SystemCalls | null {
  const is64Bit = process.arch === 'x64' || process.arch === 'arm64'
  if (process.platform !== 'linux' || !is64Bit || endianness() !== 'LE') return null
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
    const libc = koffi.load(null)
    const piece = koffi.struct({ base: 'void *', length: 'size_t' })
    const message = koffi.struct({
      name: 'void *',
      nameBytes: 'uint32_t',
      pieces: koffi.pointer(piece),
      pieceCount: 'size_t',
      control: 'void *',
      controlBytes: 'size_t',
      flags: 'int',
    })
    return {
      socket: libc.func('socket', 'int', ['int', 'int', 'int']),
      setsockopt: libc.func('setsockopt', 'int', ['int', 'int', 'int', 'void *', 'uint32_t']),
      sendto: libc.func('sendto', 'long', ['int', 'void *', 'size_t', 'int', 'void *', 'uint32_t']),
      recvmsg: libc.func('recvmsg', 'long', ['int', koffi.inout(koffi.pointer(message)), 'int']),
      close: libc.func('close', 'int', ['int']),
    }
  } catch {
    return null
  }
}

/** The bytes of an address: four, or sixteen in IPv6. */
function addressBytesOf(ip: string, family: 4 | 6): Buffer {
  if (family === 4) return Buffer.from(ip.split('.').map(Number))
  const [head = '', tail] = ip.split('::')
  const groups = (part: string | undefined) => (part === undefined || part === '' ? [] : part.split(':'))
  const [first, last] = [groups(head), groups(tail)]
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  const words = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  const bytes = Buffer.alloc(16)
  for (const [index, word] of words.entries()) bytes.writeUInt16BE(Number.parseInt(word, 16), index * 2)
  return bytes
}

function ipOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.')
  const words = Array.from({ length: 8 }, (_none, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new URL(`http://[${words.join(':')}]/`).hostname.slice(1, -1)
}

function portOf(socketAddress: Buffer): number {
  return socketAddress.readUInt16BE(2)
}

function socketAddress(family: Family, ip: Buffer, port: number): Buffer {
  const address = Buffer.alloc(family.addressBytes)
  address.writeUInt16LE(family.domain, 0)
  address.writeUInt16BE(port, 2)
  address.set(ip, family.addressOffset)
  return address
}

/** Reads the extended error from the control messages: the ICMP message and its sender. */
function readReply(family: Family, control: Buffer, target: string): HopReply | null {
  for (let at = 0; at + controlHeaderBytes <= control.length; ) {
    const length = Number(control.readBigUInt64LE(at))
    if (length < controlHeaderBytes || at + length > control.length) return null
    const isError = control.readInt32LE(at + 8) === family.level && control.readInt32LE(at + 12) === family.errorOption
    if (isError) return replyOf(family, control.subarray(at + controlHeaderBytes, at + length), target)
    at += Math.ceil(length / 8) * 8
  }
  return null
}

function replyOf(family: Family, error: Buffer, target: string): HopReply | null {
  const addressLength = family.domain === 2 ? 4 : 16
  const start = extendedErrorBytes + family.addressOffset
  if (error.length < start + addressLength) return null
  const [type, code] = [error.readUInt8(5), error.readUInt8(6)]
  const ip = ipOf(error.subarray(start, start + addressLength))
  const [unreachable, portCode] = family.portUnreachable
  if (type === family.timeExceeded) return { ip, isTarget: false, refusal: null }
  if (type === unreachable && code === portCode) return { ip, isTarget: true, refusal: null }
  return { ip, isTarget: ip === target, refusal: `unreachable (ICMP type ${type}, code ${code})` }
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

/** Null if none waits. */
function readMessage(
  calls: SystemCalls,
  socket: number,
  { addressBytes }: Family,
  flags: number,
): { readonly name: Buffer; readonly control: Buffer } | null {
  const [name, control, data] = [Buffer.alloc(addressBytes), Buffer.alloc(largestControl), Buffer.alloc(64)]
  const message = {
    name,
    nameBytes: name.length,
    pieces: [{ base: data, length: data.length }],
    pieceCount: 1,
    control,
    controlBytes: control.length,
    flags: 0,
  }
  if (calls.recvmsg(socket, message, flags) < 0) return null
  return { name, control: control.subarray(0, Number(message.controlBytes)) }
}

/** Null if this machine cannot open one. The caller has screened the address. */
export function openHopSocket(ip: string, version: 4 | 6): HopSocket | null {
  const calls = systemCalls()
  const family = families[version]
  const socket = calls?.socket(family.domain, datagramNonBlocking, 0) ?? -1
  if (calls === null || socket < 0) return null
  const set = (option: number, value: number) => calls.setsockopt(socket, family.level, option, integer(value), 4) === 0
  if (!set(family.errorOption, 1)) {
    calls.close(socket)
    return null
  }
  const target = addressBytesOf(ip, version)
  const read = (flags: number) => readMessage(calls, socket, family, flags)
  return {
    send(timeToLive, port) {
      if (!set(family.timeToLiveOption, timeToLive)) return false
      const address = socketAddress(family, target, port)
      return calls.sendto(socket, payload, payload.length, 0, address, address.length) >= 0
    },
    receive(port) {
      // Discards late messages about earlier packets first.
      for (let message = read(errorQueue); message !== null; message = read(errorQueue)) {
        const reply = portOf(message.name) === port ? readReply(family, message.control, ipOf(target)) : null
        if (reply !== null) return reply
      }
      const answered = read(dontWait)
      return answered !== null && portOf(answered.name) === port
        ? { ip: ipOf(target), isTarget: true, refusal: null }
        : null
    },
    close() {
      calls.close(socket)
    },
  }
}
