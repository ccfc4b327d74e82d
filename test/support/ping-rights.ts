/** A network namespace in which a process may ping; it is root there. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

/** Arguments of `unshare`. Root needs no other user for it. */
export const pingSpace = ['--net', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])]

/** Why no such namespace can be made here; null where it can. */
export async function pingNamespaceMissing(): Promise<string | null> {
  try {
    const permit = 'echo 0 0 > /proc/sys/net/ipv4/ping_group_range'
    await promisify(execFile)('unshare', [...pingSpace, 'sh', '-c', permit])
    return null
  } catch (error) {
    const [first = '', second = first] = error instanceof Error ? error.message.split('\n') : []
    return `no network namespace can be made for pings: ${second}`
  }
}

const datagram = { family: 2, type: 2 }
/** `SIOCSIFFLAGS` and `IFF_UP` of Linux; the name of the interface takes 16 bytes. */
const setFlags = { request: 0x8914, isUp: 1, bytes: 40, flagsAt: 16 }

/** Done as `ip link set lo up` does it: not every machine has that program. */
function raiseLoopback(): void {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
  const libc = koffi.load(null)
  const socket = libc.func('int socket(int domain, int type, int protocol)')
  const ioctl = libc.func('int ioctl(int fd, unsigned long request, void *argument)')
  const loopback = Buffer.alloc(setFlags.bytes)
  loopback.write('lo')
  loopback.writeInt16LE(setFlags.isUp, setFlags.flagsAt)
  if (ioctl(socket(datagram.family, datagram.type, 0), setFlags.request, loopback) !== 0)
    throw new Error('the loopback interface cannot be raised')
}

/** Makes the namespace of this process ready for pings to itself. */
export function permitPings(): void {
  raiseLoopback()
  writeFileSync('/proc/sys/net/ipv4/ping_group_range', `0 ${process.getgid?.() ?? 0}`)
}
