import { spawn } from 'node:child_process'
import type { Attempt } from '../attempt.ts'
import type { CheckedAddress } from '../dial.ts'
import { errorText, Failure, ownFault } from '../failure.ts'
import { clampPayload } from './packet.ts'

interface Finished {
  readonly exitCode: number | null
  readonly output: string
}

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
    const { exitCode, output } = await run(attempt, program, [
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

function run(attempt: Attempt, program: string, parameters: readonly string[]): Promise<Finished> {
  return attempt.wait<Finished>((resolve, reject) => {
    const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'], env: { LC_ALL: 'C' } })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1')
    })
    child.on('error', (error) => reject(ownFault(error) ?? new Failure('sensor_fault', errorText(error))))
    child.on('close', (exitCode) => resolve({ exitCode, output }))
    return () => {
      child.kill('SIGKILL')
    }
  })
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? ''
}
