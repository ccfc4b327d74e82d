import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wholeProgram } from '../support/own-program.ts'

export interface Launched {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** Address of the API, empty where none is; rejects when the program ends before it is ready. */
  ready(): Promise<string>
  /** Exit code, or the signal that ended it. */
  ended(): Promise<number | string>
}

export function temporaryDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'latarnik-program-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Starts the built program with these variables and no others, on any free port; `entry` is its file, by default the
 * one that has its packages inside. `through` is a command that replaces itself with the one after it.
 */
export function launch(
  variables: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  entry = wholeProgram('main'),
  through: readonly string[] = [],
): Launched {
  const [file = process.execPath, ...rest] = [...through, process.execPath, entry, ...args]
  const child = spawn(file, rest, {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      WATCH_DOMAINS: 'off',
      WHOIS_SERVER: '',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const closed = once(child, 'close')
  const ended = closed.then(([code, signal]): number | string => (code === null ? String(signal) : Number(code)))
  async function ready(): Promise<string> {
    for (;;) {
      // The whole message is written at once.
      if (output.stdout.includes('is ready after')) return /^ {2}API +(http\S+)\/v3$/m.exec(output.stdout)?.[1] ?? ''
      const outcome = await Promise.race([once(child.stdout, 'data').then(() => undefined), ended])
      if (outcome !== undefined) throw new Error(`ended with ${outcome}: ${output.stderr}`)
    }
  }
  return { child, stdout: () => output.stdout, stderr: () => output.stderr, ready, ended: () => ended }
}

/** For the end of a test: whatever still runs is stopped, the hard way if need be. */
export async function stop({ child, ended }: Launched): Promise<number | string> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
  const outcome = await ended()
  clearTimeout(timer)
  return outcome
}

export function generatedPassword(output: string, who: 'account' | 'administrator'): string {
  return new RegExp(`^ {2}${who} +\\S+ +(\\S+)$`, 'm').exec(output)?.[1] ?? ''
}
