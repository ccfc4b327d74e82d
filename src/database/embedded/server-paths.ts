import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants as files, type Stats } from 'node:fs'
import {
  access,
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { makeDirectory, systemReason } from '../make-directory.ts'
import { DatabaseUnusable } from '../unusable.ts'
import { ownUser, unprivilegedUsers } from './runner.ts'

const run = promisify(execFile)

/** The directories and files of the bundled server. */
export interface ServerPaths {
  readonly dataDirectory: string
  /** The root of everything of the server; it belongs to the server's user. */
  readonly root: string
  readonly cluster: string
  readonly socketDirectory: string
  readonly logFile: string
}

const socketName = '.s.PGSQL.5432'
/** sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included. */
const longestSocketPath = 103

function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

async function ensureWritable(directory: string): Promise<void> {
  try {
    await makeDirectory(directory)
    await access(directory, files.W_OK | files.X_OK)
    await rm(await mkdtemp(join(directory, '.writable-')), { recursive: true })
  } catch (error) {
    throw new DatabaseUnusable(
      `The data directory ${directory} cannot be written to (${systemReason(error)}); run this as its owner, or choose another with DATA_DIR.`,
    )
  }
}

/** True if the other user can work in the directory, because every parent lets that user through. */
export async function canUse(directory: string, user: { uid: number; gid: number }): Promise<boolean> {
  return run('test', ['-w', directory, '-a', '-x', directory], { uid: user.uid, gid: user.gid }).then(
    () => true,
    () => false,
  )
}

/** True for a folder of ours, or of a user to whom root gave it earlier; anybody may have made one with this name. */
async function isOurs(directory: string): Promise<boolean> {
  const facts: Stats = await lstat(directory)
  const { uid } = ownUser()
  const owners = uid === 0 ? [uid, ...(await unprivilegedUsers()).map((user) => user.uid)] : [uid]
  return facts.isDirectory() && owners.includes(facts.uid) && (facts.mode & 0o077) === 0
}

/**
 * A short directory in the system's temporary one. The same data always have the same directory, so later starts find
 * the socket of an abandoned server.
 */
async function shortSocketDirectory(root: string): Promise<string> {
  const directory = join(tmpdir(), `latarnik-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error
  })
  if (await isOurs(directory)) return directory
  return mkdtemp(join(tmpdir(), 'latarnik-'))
}

async function socketDirectoryOf(root: string): Promise<string> {
  const beside = join(root, 'socket')
  if (Buffer.byteLength(join(beside, socketName)) <= longestSocketPath) {
    await mkdir(beside, { recursive: true, mode: 0o700 })
    return beside
  }
  return shortSocketDirectory(root)
}

/** True if a start has made a database below the directory; makes nothing itself. */
export function holdsDatabase(dataDirectory: string): Promise<boolean> {
  return stat(join(dataDirectory, 'postgres', 'data')).then(
    () => true,
    (error: unknown) => !['ENOENT', 'ENOTDIR'].includes(systemCode(error)),
  )
}

/** True if the files of a database that ran here are gone. A server neither removes nor replaces this file. */
export function isRemoved({ cluster }: ServerPaths): Promise<boolean> {
  return stat(join(cluster, 'global', 'pg_control')).then(
    () => false,
    (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(systemCode(error)),
  )
}

export async function prepareServerPaths(dataDirectory: string): Promise<ServerPaths> {
  await ensureWritable(resolve(dataDirectory))
  const directory = await realpath(dataDirectory)
  const root = join(directory, 'postgres')
  await ensureWritable(root)
  return {
    dataDirectory: directory,
    root,
    cluster: join(root, 'data'),
    socketDirectory: await socketDirectoryOf(root),
    logFile: join(root, 'server.log'),
  }
}

/** Removes our files from the system's temporary directory. */
export async function tidy(paths: ServerPaths): Promise<void> {
  // An empty directory left behind does no harm; one in use must stay.
  if (!paths.socketDirectory.startsWith(paths.root)) await rmdir(paths.socketDirectory).catch(() => undefined)
}

async function giveTree(path: string, uid: number, gid: number): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  await Promise.all(
    entries.map((entry) => {
      const child = join(path, entry.name)
      return entry.isDirectory() ? giveTree(child, uid, gid) : lchown(child, uid, gid)
    }),
  )
  await chown(path, uid, gid)
}

/**
 * Gives the files to the server's user; another user may have run it before. Only root can do this, and only root needs
 * to.
 */
export async function giveTo(paths: ServerPaths, uid: number, gid: number): Promise<void> {
  for (const path of [paths.root, paths.socketDirectory]) {
    const owner = (await stat(path)).uid
    if (owner !== uid) await giveTree(path, uid, gid)
  }
}

/** Lets another user pass through the data directory (without listing it) to the server's part of it. */
export async function letThrough(paths: ServerPaths): Promise<void> {
  const mode = (await stat(paths.dataDirectory)).mode & 0o777
  if ((mode & 0o001) === 0) await chmod(paths.dataDirectory, mode | 0o011)
}
