// Checks pings in the network namespace that it runs in, which it makes ready for that. Arguments: the checks, as JSON.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { createPinger } from '../../src/sensor/ping/pinger.ts'
import { clock, jobFor, neverBlind, verdictOf } from './check.ts'
import type { SeenPing, WantedPing } from './ping-namespace.ts'

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

async function seen({ typeId, address, settings }: WantedPing): Promise<SeenPing> {
  const result = await runCheck(jobFor(typeId, address, settings), { equipment, watch: neverBlind, clock })
  return { verdict: verdictOf(result), message: result.errorMessage, responseTime: result.responseTime }
}

raiseLoopback()
writeFileSync('/proc/sys/net/ipv4/ping_group_range', `0 ${process.getgid?.() ?? 0}`)
const pinger = createPinger({ program: null })
const equipment = { ...createEquipment({ allow: 'all' }), pinger }
const wanted = JSON.parse(process.argv[2] ?? '[]') as readonly WantedPing[]
process.stdout.write(JSON.stringify({ way: pinger.way(), seen: await Promise.all(wanted.map(seen)) }))
process.exit(0)
