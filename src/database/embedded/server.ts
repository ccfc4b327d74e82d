import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { serverEnvironment } from './cluster.ts'
import type { ServerProcess } from './postmaster.ts'
import { commandOf, type Runner } from './runner.ts'
import type { ServerPaths } from './server-paths.ts'

export type ServerSettings = Readonly<Record<string, string | number>>

/** Settings for a shared machine with two cores and little memory; acknowledged writes are on the disk. */
export function settingsFor(paths: ServerPaths, major: number): ServerSettings {
  return {
    listen_addresses: '',
    unix_socket_directories: `"${paths.socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: 5432,
    timezone: 'UTC',
    log_timezone: 'UTC',
    synchronous_commit: 'on',
    max_connections: 60,
    shared_buffers: '64MB',
    effective_cache_size: '512MB',
    work_mem: '4MB',
    maintenance_work_mem: '64MB',
    jit: 'off',
    random_page_cost: 1.1,
    max_parallel_workers_per_gather: 0,
    max_worker_processes: 2,
    // Each daily partition takes four locks: the table and three indexes.
    max_locks_per_transaction: 256,
    // A backup reads the files while the server runs, which needs more than `minimal`.
    wal_level: 'replica',
    max_wal_senders: 0,
    // Nothing subscribes, and nothing is serializable: neither a process for the one nor memory for the other.
    max_logical_replication_workers: 0,
    max_pred_locks_per_transaction: 10,
    wal_compression: 'pglz',
    // A commit writes some kilobytes; the usual 2 MB are all touched within minutes.
    wal_buffers: '512kB',
    max_wal_size: '512MB',
    checkpoint_timeout: '15min',
    autovacuum_max_workers: 2,
    autovacuum_naptime: '30s',
    log_checkpoints: 'off',
    log_min_messages: 'warning',
    // After a crash the files are made safe by one call, not one by one: half a second instead of four.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    ...(major >= 18 ? { io_method: 'sync', autovacuum_worker_slots: 4 } : {}),
  }
}

/** Starts the server in its own session, so that Ctrl-C reaches it through us and not before us. */
export async function spawnServer(
  paths: ServerPaths,
  binaries: Binaries,
  runner: Runner,
  settings: ServerSettings,
): Promise<ServerProcess> {
  // It does not exist yet; an unreadable one fails when it is opened below.
  if (((await stat(paths.logFile).catch(() => undefined))?.size ?? 0) > 1_000_000) await truncate(paths.logFile)
  const log = await open(paths.logFile, 'a', 0o600)
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = commandOf(runner, join(binaries, 'bin/postgres'), ['-D', paths.cluster, ...args])
  try {
    const child = spawn(command.file, [...command.args], {
      ...command.options,
      env: serverEnvironment(),
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    await once(child, 'spawn')
    child.unref()
    return { pid: child.pid ?? 0, isAlive: () => child.exitCode === null && child.signalCode === null }
  } finally {
    await log.close()
  }
}

const complaintLine = /(?:FATAL|PANIC|ERROR):\s*(.*)/
/** The messages that every client gets while a server starts or stops. */
const passingState = /the database system is (starting up|shutting down|not yet accepting|in recovery)/

/** Why the server did not start, in its own words; another server that was faster may write to the same file. */
export async function lastComplaint(paths: ServerPaths, server: ServerProcess): Promise<string> {
  // Without its words the start fails with the exit code alone.
  const text = await readFile(paths.logFile, 'utf8').catch(() => '')
  const lines = text.trim().split('\n').slice(-50)
  const complaints = lines.filter((line) => complaintLine.test(line) && !passingState.test(line))
  const last =
    complaints.findLast((line) => line.includes(`[${server.pid}]`)) ?? complaints.at(-1) ?? lines.at(-1) ?? ''
  return complaintLine.exec(last)?.[1] ?? last
}

async function isGoneWithin(server: ServerProcess, milliseconds: number): Promise<boolean> {
  for (let waited = 0; waited < milliseconds; waited += 20) {
    if (!server.isAlive()) return true
    await delay(20)
  }
  return !server.isAlive()
}

function signal(server: ServerProcess, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(server.pid, name)
  } catch {
    // It is gone already.
  }
}

/** For a server without files: it has nothing to write. */
export async function abandonServer(server: ServerProcess): Promise<void> {
  if (server.isAlive()) signal(server, 'SIGQUIT')
  await isGoneWithin(server, 10_000)
}

/** Stops it without waiting for its sessions to end, or for anything else. */
export function endSessions(server: ServerProcess): void {
  if (server.isAlive()) signal(server, 'SIGINT')
}

/**
 * Fast shutdown: open transactions are rolled back, the rest is written. A server that hangs is killed without the
 * checkpoint.
 */
export async function stopServer(server: ServerProcess): Promise<void> {
  if (!server.isAlive()) return
  signal(server, 'SIGINT')
  if (await isGoneWithin(server, 30_000)) return
  signal(server, 'SIGQUIT')
  await isGoneWithin(server, 10_000)
}
