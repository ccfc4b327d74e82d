import type { FastifyInstance } from 'fastify'
import type { Authenticator } from '../../auth/authenticate.ts'
import type { Config } from '../../config/config.ts'
import { type DirectoryTask, secretPrefix } from '../../configuration/directory/directory-task.ts'
import type { Database } from '../../database/connect.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Authenticate } from '../../rest/who-calls.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { systemTimers } from '../../turns/timers.ts'
import type { Log } from '../log.ts'
import { DirectoryKeeper } from './directory-keeper.ts'
import { internalApi, internalLogin } from './internal-api.ts'
import { runApply } from './run-apply.ts'

interface WatchParts {
  readonly config: Pick<Config, 'configDirectory'>
  readonly log: Log
  readonly clock: Clock
  readonly database: Database
  readonly metrics: Metrics | null
  readonly authenticator: Pick<Authenticator, 'authenticate'>
}

export interface WatchedDirectory {
  /** For the API: knows the account of the directory too. */
  readonly authenticate: Authenticate
  start(server: Pick<FastifyInstance, 'inject'>, origin: string): void
  stop(): Promise<void>
}

/** The variables that files may name; the others hold what no file should see. */
function secretsIn(environment: NodeJS.ProcessEnv): DirectoryTask['environment'] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith(secretPrefix)))
}

/** The directory that the operator named, if any. */
export function watchDirectory(parts: WatchParts): WatchedDirectory {
  const { config, database, clock, log, metrics, authenticator } = parts
  const { configDirectory: named } = config
  const { authenticate } = authenticator
  if (named === null) return { authenticate, start: () => undefined, stop: async () => undefined }
  const login = internalLogin(database, { username: named.account, authenticate })
  const ending = new AbortController()
  let keeper: DirectoryKeeper | null = null
  return {
    authenticate: login.authenticate,
    start(server, origin) {
      const { path: directory, secretsPath: secretsDirectory, isPruning, account, repairSeconds } = named
      keeper = new DirectoryKeeper({
        ...{ database, clock, log, metrics, account, timers: systemTimers, apply: runApply },
        task: { directory, secretsDirectory, isPruning, environment: secretsIn(process.env) },
        repairMs: repairSeconds * 1000,
        api: internalApi({ server, login, origin, signal: ending.signal }),
      })
      keeper.start()
    },
    async stop() {
      ending.abort()
      await keeper?.stop()
    },
  }
}
