import { spawn } from 'node:child_process'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '../../child-process/environment.ts'
import { isRunning } from '../../child-process/is-running.ts'
import { DatabaseUnusable } from '../unusable.ts'
import type { Binaries } from './binaries.ts'
import { type Command, commandOf, type Runner } from './runner.ts'
import type { ServerPaths } from './server-paths.ts'

export const superuser = 'latarnik'

/** The server's own environment, without PGOPTIONS, PGDATA and the like from the person's shell. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { ...childEnvironment(), LC_ALL: 'C', TZ: 'UTC' }
}

/**
 * Text sorts and folds by ICU, whatever locales the machine has. Trust is safe, because nobody else can enter the
 * socket's directory.
 */
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

/** Runs in its own session, so that Ctrl-C reaches it through us, with its child processes. */
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
  // A cluster without this file is reported below.
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (text !== undefined) return Number.parseInt(text, 10)
  // It does not exist yet; an unreadable one fails when it is made or started.
  const entries = await readdir(cluster).catch(() => [])
  if (entries.length === 0) return undefined
  throw new DatabaseUnusable(`The directory ${cluster} holds files, but no database: move them away.`)
}

const unfinishedName = /^data\.new-(\d+)$/

/** A start that was killed leaves an unfinished cluster, which is removed; one whose start still runs is kept. */
async function removeAbandoned(paths: ServerPaths): Promise<void> {
  for (const entry of await readdir(paths.root)) {
    const pid = Number(unfinishedName.exec(entry)?.[1] ?? Number.NaN)
    if (pid === process.pid || (pid > 0 && !isRunning(pid))) {
      await rm(join(paths.root, entry), { recursive: true, force: true })
    }
  }
}

interface ClusterNeeds {
  readonly paths: ServerPaths
  readonly binaries: Binaries
  readonly runner: Runner
  /** Cancels the creation of a cluster and removes its files. */
  readonly signal: AbortSignal | undefined
}

/**
 * The cluster is renamed only when it is complete. Of two parallel starts the first wins, and the second uses its
 * cluster.
 */
async function createCluster({ paths, binaries, runner, signal }: ClusterNeeds): Promise<void> {
  await removeAbandoned(paths)
  const unfinished = join(paths.root, `data.new-${process.pid}`)
  const args = [`--pgdata=${unfinished}`, ...initdbArguments]
  signal?.throwIfAborted()
  const { code, output } = await runToEnd(commandOf(runner, join(binaries, 'bin/initdb'), args), signal)
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true })
    signal?.throwIfAborted()
    const complaint = output.split('\n').find((line) => /error|fatal/i.test(line)) ?? output.trim().split('\n').at(-1)
    const reason = complaint?.replace(/^.*\b(?:error|fatal|panic):\s*/i, '')
    throw new DatabaseUnusable(`The database could not be created in ${paths.root}: ${reason}`)
  }
  await rename(unfinished, paths.cluster).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true, force: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}

/** Creates the cluster if there is none, and refuses one that this server cannot read. */
export async function ensureCluster(needs: ClusterNeeds): Promise<void> {
  const { paths, runner } = needs
  const major = await majorOf(paths.cluster)
  if (major === undefined) return createCluster(needs)
  if (major !== runner.major) {
    throw new DatabaseUnusable(
      `The data directory ${paths.dataDirectory} was made by PostgreSQL ${major}, and this Latarnik brings PostgreSQL ${runner.major}: export the data with the Latarnik that made them and import them here.`,
    )
  }
}
