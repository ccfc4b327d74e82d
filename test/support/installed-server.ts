import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { connect } from '../../src/database/connect.ts'
import { serverEnvironment } from '../../src/database/embedded/cluster.ts'
import { chooseRunner, commandOf } from '../../src/database/embedded/runner.ts'
import type { ServerSettings } from '../../src/database/embedded/server.ts'
import { prepareServerPaths } from '../../src/database/embedded/server-paths.ts'
import { isDatabaseAway } from '../../src/database/failures.ts'

const run = promisify(execFile)

export interface InstalledOptions {
  /** Where `postgres` and `initdb` are, for example /usr/lib/postgresql/15/bin. */
  readonly programs: string
  readonly dataDirectory: string
  readonly settings: ServerSettings
}

async function answers(url: string): Promise<boolean> {
  const database = connect({ url, maximumConnections: 1 })
  try {
    await database.query(sql`select 1`)
    return true
  } catch (error) {
    if (isDatabaseAway(error)) return false
    throw error
  } finally {
    await database.close()
  }
}

/** A server as an operator might have made it long ago: another version than ours, and the collation "C". */
export async function startInstalled(options: InstalledOptions): Promise<{ url: string; stop(): Promise<void> }> {
  const place = await prepareServerPaths(options.dataDirectory)
  const runner = await chooseRunner(dirname(options.programs))
  if (runner === undefined) throw new Error(`${options.programs}/postgres does not run here`)
  const initdb = ['-D', place.cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const making = commandOf(runner, join(options.programs, 'initdb'), initdb)
  await run(making.file, [...making.args], { ...making.options, env: serverEnvironment() })
  const settings = { listen_addresses: '', unix_socket_directories: place.socketDirectory, ...options.settings }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = commandOf(runner, join(options.programs, 'postgres'), ['-D', place.cluster, ...args])
  const child = spawn(command.file, [...command.args], {
    ...command.options,
    stdio: 'ignore',
    env: serverEnvironment(),
  })
  const url = `postgres:///postgres?host=${encodeURIComponent(place.socketDirectory)}&user=postgres`
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (tries > 500 || child.exitCode !== null) throw new Error(`${options.programs}/postgres did not start`)
    await delay(20)
  }
  return {
    url,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await exited
    },
  }
}
