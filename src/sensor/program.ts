import { spawn } from 'node:child_process'
import { errorText } from '../domain/text/error-text.ts'
import { Failure, ownFault } from '../outgoing/failure.ts'
import type { Attempt } from './attempt.ts'

interface Finished {
  readonly exitCode: number | null
  readonly output: string
}

/** Runs a system program until it or the attempt ends; returns both of its outputs together. */
export function runProgram(attempt: Attempt, program: string, parameters: readonly string[]): Promise<Finished> {
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
