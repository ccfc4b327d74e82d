/** Ping checks in a network namespace of their own, where `net.ipv4.ping_group_range` lets them open ping sockets. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { PingWay } from '../../src/sensor/ping/pinger.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { ownProgram } from './own-program.ts'
import { pingSpace } from './ping-rights.ts'

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

export async function pingThere(
  wanted: readonly WantedPing[],
): Promise<{ readonly way: PingWay; readonly seen: readonly SeenPing[] }> {
  const command = [process.execPath, ownProgram('ping-process'), JSON.stringify(wanted)]
  const { stdout } = await run('unshare', [...pingSpace, ...command])
  return JSON.parse(stdout)
}
