import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { vi } from 'vitest'
import { ownProgram } from './own-program.ts'
import { patiently } from './patience.ts'

export interface LaunchOptions {
  readonly dataDirectory: string
  readonly packageDirectory?: string
  /** Another user than the test's. */
  readonly uid?: number
  /** Instead of the test's, to hide programs from the launcher. */
  readonly path?: string
}

export interface Launched {
  readonly url: string
  /** As `kill -9` and the out-of-memory killer do. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The program refused to start; the message is what it said. */
class Refused extends Error {}

const launched = new Set<ChildProcess>()

/**
 * Starts a program that launches the database, and waits until the server answers. If it refuses, rejects with its
 * message.
 */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { dataDirectory, packageDirectory, uid, path } = options
  const args = [
    ownProgram('launch-database'),
    dataDirectory,
    ...(packageDirectory === undefined ? [] : [packageDirectory]),
  ]
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...(path === undefined ? {} : { PATH: path }) },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  launched.add(child)
  const exited = once(child, 'exit').then(() => launched.delete(child))
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => ['{}'])])
  const answer = JSON.parse(String(line[0])) as { url?: string; refusal?: string }
  if (answer.url === undefined) throw new Refused(answer.refusal ?? 'it ended without a word')
  return {
    url: answer.url,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.stdin.end('stop\n')
      await exited
    },
  }
}

export async function refusalOf(options: LaunchOptions): Promise<string> {
  try {
    await launch(options)
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
  throw new Error('it started')
}

/** Ends what a failed test left running. */
export async function killLaunched(): Promise<void> {
  const left = [...launched]
  for (const child of left) child.kill('SIGKILL')
  await Promise.all(left.map((child) => once(child, 'exit')))
}

/** The number of the server that runs on the directory, from its own note. */
export function serverPid(dataDirectory: string): number {
  return Number.parseInt(readFileSync(join(dataDirectory, 'postgres/data/postmaster.pid'), 'utf8'), 10)
}

export async function serverStops(dataDirectory: string): Promise<void> {
  const note = join(dataDirectory, 'postgres/data/postmaster.pid')
  await vi.waitFor(() => {
    if (existsSync(note)) throw new Error('the server still runs')
  }, patiently)
}

export interface TemporaryDirectory {
  readonly path: string
  remove(): Promise<void>
}

export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'latarnik-launch-'))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** A folder for PATH that holds only the named programs of the system. */
export async function onlyPrograms(folder: string, names: readonly string[]): Promise<string> {
  await chmod(folder, 0o755)
  for (const name of names) await symlink(`/usr/bin/${name}`, join(folder, name))
  return folder
}
