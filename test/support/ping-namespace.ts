/** Ping checks in a network namespace of their own, where `net.ipv4.ping_group_range` lets them open ping sockets. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { PingWay } from '../../src/sensor/ping/pinger.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { ownProgram } from './own-program.ts'

export interface WantedPing {
  readonly typeId: string
  readonly address: string
  readonly settings: Settings
}

export interface SeenPing {
  readonly verdict: string
  readonly message: string | null
  readonly responseTime: number | null
}

const run = promisify(execFile)
/** Root needs no other user for it. */
const space = ['--net', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])]

/** Why no such namespace can be made here; null where it can. */
export async function pingNamespaceMissing(): Promise<string | null> {
  try {
    await run('unshare', [...space, 'sh', '-c', 'echo 0 0 > /proc/sys/net/ipv4/ping_group_range'])
    return null
  } catch (error) {
    const [first = '', second = first] = error instanceof Error ? error.message.split('\n') : []
    return `no network namespace can be made for pings: ${second}`
  }
}

export async function pingThere(
  wanted: readonly WantedPing[],
): Promise<{ readonly way: PingWay; readonly seen: readonly SeenPing[] }> {
  const command = [process.execPath, ownProgram('ping-process'), JSON.stringify(wanted)]
  const { stdout } = await run('unshare', [...space, ...command])
  return JSON.parse(stdout)
}
