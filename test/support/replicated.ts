// Two servers of the distribution, one of which follows the other, on the loopback.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { serverEnvironment } from '../../src/database/embedded/cluster.ts'
import { chooseRunner, commandOf, type Runner } from '../../src/database/embedded/runner.ts'
import { temporaryDirectory } from './launcher.ts'
import { patiently } from './patience.ts'
import { freePort } from './real-server.ts'

const run = promisify(execFile)

/** Where the programs are that make a standby; the bundled server has none of them. Null where there are none. */
export function replicationPrograms(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env['TEST_POSTGRES'] ?? '', ...versions.map((version) => join(root, version, 'bin'))]
  return folders.find((folder) => existsSync(join(folder, 'pg_basebackup'))) ?? null
}

export const needsReplication = 'needs pg_basebackup and pg_rewind: install the distribution’s postgresql'

const password = 'Replicated-1'

const settings = {
  fsync: 'off',
  wal_log_hints: 'on',
  wal_keep_size: '256MB',
  max_wal_senders: '5',
  hot_standby: 'on',
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
  shared_buffers: '32MB',
  log_min_messages: 'warning',
}

/** One of two servers. */
export interface Member {
  readonly place: string
  start(): Promise<void>
  /** As a machine dies: nothing is written any more, nobody is told. */
  kill(): Promise<void>
  promote(): Promise<void>
  /** Runs a statement as the operator. Returns the first column of the first row. */
  tell(statement: string): Promise<string>
}

export interface Replicated {
  readonly first: Member
  readonly second: Member
  /** libpq's address of both, in this order. */
  urlOf(members: readonly Member[], parameters?: string): string
  /** Brings a dead primary back as a standby of the other, by pg_rewind. */
  follow(dead: Member, primary: Member): Promise<void>
}

interface Tools {
  readonly folder: string
  readonly programs: string
  readonly runner: Runner
}

async function runTool({ programs, runner }: Tools, name: string, args: readonly string[]): Promise<string> {
  const command = commandOf(runner, join(programs, name), args)
  const env = { ...serverEnvironment(), PGPASSWORD: password }
  return (await run(command.file, [...command.args], { ...command.options, env })).stdout.trim()
}

const source = (port: number, user: string, name: string) =>
  `host=127.0.0.1 port=${port} user=${user} password=${password} application_name=${name} dbname=postgres`

/** The functions with which pg_rewind reads a server's files, for a role that is no superuser. */
const reading = `grant execute on function pg_ls_dir(text, boolean, boolean), pg_stat_file(text, boolean),
  pg_read_binary_file(text), pg_read_binary_file(text, bigint, bigint, boolean) to replicator`

function memberOf(tools: Tools, name: string, port: number): Member {
  const data = join(tools.folder, name)
  let child: ChildProcess | undefined
  const tell = (statement: string) =>
    runTool(tools, 'psql', ['-d', source(port, 'operator', 'test'), '-XAtc', statement])
  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return {
    place: `127.0.0.1:${port}`,
    async start() {
      const command = commandOf(tools.runner, join(tools.programs, 'postgres'), ['-D', data, '-p', String(port)])
      child = spawn(command.file, [...command.args], { ...command.options, stdio: 'ignore', env: serverEnvironment() })
      await expect.poll(() => tell('select 1').catch(() => 'not yet'), { ...patiently, interval: 50 }).toBe('1')
    },
    kill,
    async promote() {
      expect(await tell('select pg_promote()')).toBe('t')
    },
    tell,
  }
}

async function makePrimary(tools: Tools, name: string): Promise<void> {
  const words = join(tools.folder, 'password')
  writeFileSync(words, password, { mode: 0o600 })
  const data = join(tools.folder, name)
  const access = ['-U', 'operator', '-A', 'scram-sha-256', `--pwfile=${words}`]
  await runTool(tools, 'initdb', ['-D', data, ...access, '-E', 'UTF8', '--locale=C', '--no-sync'])
  const lines = Object.entries(settings).map(([setting, value]) => `${setting} = '${value}'\n`)
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''))
  appendFileSync(join(data, 'pg_hba.conf'), 'host all,replication all 127.0.0.1/32 scram-sha-256\n')
}

/** A primary and its standby, named `second` to it, with an empty database `latarnik`. They go with the test. */
export async function startReplicated(): Promise<Replicated> {
  const programs = replicationPrograms()
  const runner = programs === null ? undefined : await chooseRunner(dirname(programs))
  if (programs === null || runner === undefined) throw new Error(needsReplication)
  const folder = await temporaryDirectory()
  onTestFinished(() => folder.remove())
  const tools = { folder: folder.path, programs, runner }
  const [firstPort, secondPort] = [await freePort(), await freePort()]
  const [first, second] = [memberOf(tools, 'first', firstPort), memberOf(tools, 'second', secondPort)]
  await makePrimary(tools, 'first')
  await first.start()
  await first.tell(`create role latarnik login password '${password}'`)
  await first.tell(`create role replicator login replication password '${password}'`)
  await first.tell(reading)
  await first.tell(`create database latarnik owner latarnik encoding 'UTF8' template template0`)
  const copy = [
    '-D',
    join(folder.path, 'second'),
    '-d',
    source(firstPort, 'replicator', 'second'),
    '-R',
    '-c',
    'fast',
    '--no-sync',
  ]
  await runTool(tools, 'pg_basebackup', copy)
  await second.start()
  return {
    first,
    second,
    urlOf: (members, parameters = '?target_session_attrs=read-write') =>
      `postgres://latarnik:${password}@${members.map(({ place }) => place).join()}/latarnik${parameters}`,
    async follow(dead, primary) {
      const [name, port] = dead === first ? (['first', secondPort] as const) : (['second', firstPort] as const)
      await primary.tell('checkpoint')
      const rewind = [
        '-D',
        join(folder.path, name),
        `--source-server=${source(port, 'replicator', name)}`,
        '-R',
        '--no-sync',
      ]
      await runTool(tools, 'pg_rewind', rewind)
      await dead.start()
    },
  }
}

/** Resolves when the standby has replayed everything that the primary has written. */
export async function caughtUp(primary: Member, standby: Member): Promise<void> {
  const written = await primary.tell('select pg_current_wal_flush_lsn()')
  const replayed = () => standby.tell(`select pg_last_wal_replay_lsn() >= '${written}'::pg_lsn`)
  await expect.poll(replayed, patiently).toBe('t')
}
