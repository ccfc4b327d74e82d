import type { CheckedAddress } from '../../outgoing/dial.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { Attempt } from '../attempt.ts'
import { runProgram } from '../program.ts'
import { clampPayload } from './packet.ts'

/** Pings with the system's program, two tries of half the time each. Resolves with the round trip in milliseconds. */
export async function runPingProgram(
  attempt: Attempt,
  program: string,
  address: CheckedAddress,
  bytes: number,
): Promise<number> {
  const trySeconds = Math.max(attempt.remainingMs / 2 / 1000, 0.01)
  for (;;) {
    const seconds = Math.min(trySeconds, attempt.remainingMs / 1000)
    const { exitCode, output } = await runProgram(attempt, program, [
      `-${address.family}`,
      '-c',
      '1',
      '-W',
      seconds.toFixed(3),
      '-s',
      String(clampPayload(address.family, bytes)),
      address.ip,
    ])
    const roundTrip = /time[=<]\s*([\d.]+)\s*ms/.exec(output)?.[1]
    if (exitCode === 0 && roundTrip !== undefined) return Number(roundTrip)
    if (/host unreachable/i.test(output)) throw new Failure('ping_unreachable', lastLine(output))
    if (/not permitted|permission denied|lacking privilege/i.test(output)) {
      throw new Failure('sensor_cannot_ping', lastLine(output))
    }
    if (/network is unreachable/i.test(output)) throw new Failure('sensor_without_network', lastLine(output))
    if (exitCode !== 1 && exitCode !== 0) throw new Failure('sensor_fault', `${program}: ${lastLine(output)}`)
  }
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? ''
}
