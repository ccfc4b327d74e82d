import type { Command } from 'commander'
import { openArtifacts } from '../database/artifacts/open.ts'
import type { ArtifactStore } from '../database/artifacts/store.ts'
import { openDatabase } from '../database/open.ts'
import { createLog } from '../program/log.ts'
import { configOf } from './configured.ts'

export interface WholeDatabase {
  readonly url: string
  readonly artifacts: ArtifactStore
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal
}

export interface WholeDatabaseOptions {
  /** True if the server of a running program may be used too. */
  readonly joinRunning: boolean
}

/** 128 + SIGINT, as shells report it. */
const interruptedCode = 130

/** Ctrl-C ends the work at once and removes its traces; a second one ends the process. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
  try {
    return await work(stopping.signal)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    process.stderr.write('latarnik: interrupted; nothing was changed\n')
    return process.exit(interruptedCode)
  }
}

/** Gives the work the database, of whatever version, and the store of its evidence. */
export function withWholeDatabase<T>(
  command: Command,
  { joinRunning }: WholeDatabaseOptions,
  work: (whole: WholeDatabase) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDirectory, artifacts } = configOf(command)
  const log = createLog('warn')
  return interruptible(async (signal) => {
    const opened = await openDatabase({ databaseUrl, dataDirectory, log, joinRunning, asItIs: true, signal })
    try {
      return await work({ url: opened.url, artifacts: openArtifacts(artifacts), signal })
    } finally {
      await opened.close()
    }
  })
}
