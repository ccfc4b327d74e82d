import { spawn } from 'node:child_process'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '../../child-process/environment.ts'
import { isRunning } from '../../child-process/is-running.ts'
import { DatabaseUnusable } from '../unusable.ts'
import type { Binaries } from './binaries.ts'
import type { Place } from './place.ts'
import { type Command, commandOf, type Runner } from './runner.ts'

export const superuser = 'latarnik'

/** The server's own environment: no PGOPTIONS, PGDATA or the like of the person who starts us. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { ...childEnvironment(), LC_ALL: 'C', TZ: 'UTC' }
}

/** Text sorts and folds by ICU, whatever locales the machine has. Trust: nobody else can enter the socket's directory. */
const initdbArguments = [
  `--username=${superuser}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=icu',
  '--icu-locale=und',
  '--no-instructions',
]

interface Ran {
  readonly code: number
  readonly output: string
}

/** In a session of its own: Ctrl-C reaches it through us, with the processes that it has started. */
function runToEnd({ file, args, options }: Command, signal: AbortSignal | undefined): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args], {
      ...options,
      env: serverEnvironment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const end = () => killGroup(child.pid)
    signal?.addEventListener('abort', end)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (output += part.toString()))
    child.on('error', reject)
    child.on('close', (code) => {
      signal?.removeEventListener('abort', end)
      resolve({ code: code ?? -1, output })
    })
  })
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // All of it is gone already.
  }
}

async function majorOf(cluster: string): Promise<number | undefined> {
  // A cluster without this file is told below.
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (text !== undefined) return Number.parseInt(text, 10)
  // There is none yet; one that cannot be read fails as soon as it is made or started.
  const entries = await readdir(cluster).catch(() => [])
  if (entries.length === 0) return undefined
  throw new DatabaseUnusable(`The directory ${cluster} holds files, but no database: move them away.`)
}

const unfinishedName = /^data\.new-(\d+)$/

/** A start that was killed half-way leaves its unfinished cluster; one that is still at work keeps it. */
async function removeAbandoned(place: Place): Promise<void> {
  for (const entry of await readdir(place.root)) {
    const pid = Number(unfinishedName.exec(entry)?.[1] ?? Number.NaN)
    if (pid === process.pid || (pid > 0 && !isRunning(pid))) {
      await rm(join(place.root, entry), { recursive: true, force: true })
    }
  }
}

interface ClusterNeeds {
  readonly place: Place
  readonly binaries: Binaries
  readonly runner: Runner
  /** Gives up a cluster that is being made, without a trace. */
  readonly signal: AbortSignal | undefined
}

/** Renamed only when it is whole. Of two starts at once the first wins, and the second uses the first's cluster. */
async function createCluster({ place, binaries, runner, signal }: ClusterNeeds): Promise<void> {
  await removeAbandoned(place)
  const unfinished = join(place.root, `data.new-${process.pid}`)
  const args = [`--pgdata=${unfinished}`, ...initdbArguments]
  signal?.throwIfAborted()
  const { code, output } = await runToEnd(commandOf(runner, join(binaries, 'bin/initdb'), args), signal)
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true })
    signal?.throwIfAborted()
    const complaint = output.split('\n').find((line) => /error|fatal/i.test(line)) ?? output.trim().split('\n').at(-1)
    const reason = complaint?.replace(/^.*\b(?:error|fatal|panic):\s*/i, '')
    throw new DatabaseUnusable(`The database could not be created in ${place.root}: ${reason}`)
  }
  await rename(unfinished, place.cluster).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true, force: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}

/** Makes the cluster when there is none, and refuses one that this server cannot read. */
export async function ensureCluster(needs: ClusterNeeds): Promise<void> {
  const { place, runner } = needs
  const major = await majorOf(place.cluster)
  if (major === undefined) return createCluster(needs)
  if (major !== runner.major) {
    throw new DatabaseUnusable(
      `The data directory ${place.dataDirectory} was made by PostgreSQL ${major}, and this Latarnik brings PostgreSQL ${runner.major}: export the data with the Latarnik that made them and import them here.`,
    )
  }
}
