import { execFile, type SpawnOptions } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseUnusable } from '../unusable.ts'
import type { Binaries } from './binaries.ts'

const run = promisify(execFile)

/** How the server's programs are started, because PostgreSQL refuses to run as root. */
export interface Runner {
  /** The words before the program, for example `unshare … setpriv …`. */
  readonly prefix: readonly string[]
  /** Set if Node itself changes the user of the child. */
  readonly identity: { readonly uid: number; readonly gid: number } | undefined
  /** The real user that must own the server's files. */
  readonly owner: { readonly uid: number; readonly gid: number }
  /** True if the system stops the server as soon as this process dies. */
  readonly stopsWithUs: boolean
  /** The major version of the binaries, for example 18. */
  readonly major: number
}

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly options: SpawnOptions
}

export function commandOf(runner: Runner, program: string, args: readonly string[]): Command {
  const [file = program, ...rest] = [...runner.prefix, program, ...args]
  return { file, args: rest, options: runner.identity ?? {} }
}

/**
 * A user namespace in which root is nobody. It needs no user of its own, and works below a home that only root may
 * enter.
 */
const asNobodyInNamespace = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']
/** PostgreSQL takes INT as "stop now, cleanly". It must come last, because a change of user would clear it. */
const stopWithParent = ['setpriv', '--pdeathsig', 'INT', '--']

async function majorWhenRun(binaries: Binaries, way: Pick<Runner, 'prefix' | 'identity'>): Promise<number | undefined> {
  const [file = '', ...args] = [...way.prefix, join(binaries, 'bin/postgres'), '--version']
  try {
    const { stdout } = await run(file, args, { ...way.identity, timeout: 10_000 })
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
    return major === undefined ? undefined : Number(major)
  } catch {
    return undefined
  }
}

interface OwnUser {
  readonly uid: number
  readonly gid: number
  /** False for a user without an entry in /etc/passwd, as some container engines choose one: initdb refuses it. */
  readonly hasName: boolean
}

export function ownUser(): OwnUser {
  try {
    const { uid, gid } = userInfo()
    return { uid, gid, hasName: true }
  } catch {
    return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1, hasName: false }
  }
}

/** Tries the command with and without `setpriv`; undefined if the binaries cannot be run with it. */
async function tryWay(binaries: Binaries, prefix: readonly string[], identity: Runner['identity']) {
  const { uid, gid } = identity ?? ownUser()
  for (const stopsWithUs of [true, false]) {
    const way = { prefix: stopsWithUs ? [...prefix, ...stopWithParent] : prefix, identity }
    const major = await majorWhenRun(binaries, way)
    if (major !== undefined) return { ...way, owner: { uid, gid }, stopsWithUs, major }
  }
  return undefined
}

/** Runs as the user of this process, or in a user namespace if that is root or has no name. */
export async function chooseRunner(binaries: Binaries): Promise<Runner | undefined> {
  const { uid, hasName } = ownUser()
  return tryWay(binaries, uid === 0 || !hasName ? asNobodyInNamespace : [], undefined)
}

/** Users to whom a root process may give the server where namespaces are forbidden, as in most containers. */
export async function unprivilegedUsers(): Promise<{ name: string; uid: number; gid: number }[]> {
  // Without that file there is no user to choose; a caller that needs one reports it.
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  return ['postgres', 'nobody'].flatMap((name) => {
    const fields = lines.find((candidate) => candidate[0] === name)
    return fields === undefined ? [] : [{ name, uid: Number(fields[2]), gid: Number(fields[3]) }]
  })
}

export async function runnerAs(binaries: Binaries, user: { uid: number; gid: number }): Promise<Runner | undefined> {
  return tryWay(binaries, [], { uid: user.uid, gid: user.gid })
}

export function cannotRunHere(dataDirectory: string): DatabaseUnusable {
  return new DatabaseUnusable(
    `${reasonHere(dataDirectory)} or set DATABASE_URL to a PostgreSQL of version 15 or later.`,
  )
}

function reasonHere(dataDirectory: string): string {
  const { uid, hasName } = ownUser()
  if (uid === 0)
    return `PostgreSQL does not run as root, and neither a user namespace nor the users postgres and nobody could be used with ${dataDirectory}. Start Latarnik as an ordinary user,`
  if (!hasName)
    return `PostgreSQL does not run as a user without a name, and no user namespace could be used: the user ${uid} has no entry in /etc/passwd. Start Latarnik as a user who has one,`
  return 'The bundled PostgreSQL does not run on this system. Use another system,'
}
