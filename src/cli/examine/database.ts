import { join } from 'node:path'
import sql from 'sql-template-tag'
import { faultOfNamed } from '../../auth/caller-named.ts'
import type { Config } from '../../config/config.ts'
import { completeResult, readDirectoryState } from '../../database/config-directory.ts'
import type { Database } from '../../database/connect.ts'
import { bundledPackage } from '../../database/embedded/binaries.ts'
import { chooseRunner, unprivilegedUsers } from '../../database/embedded/runner.ts'
import { runningEmbeddedUrl } from '../../database/embedded.ts'
import { latestSchema, schemaNumber } from '../../database/migrate.ts'
import { openDatabase } from '../../database/open.ts'
import { createLog } from '../../program/log.ts'
import { auditFinding } from './audit.ts'
import { attempt, type Finding, finding } from './finding.ts'
import { machineFindings } from './machines.ts'
import { serverFindings } from './servers.ts'

/** Milliseconds; with a larger difference, processes on different machines misjudge each other's leases. */
const mostSkew = 1000

interface Server {
  readonly version: string
  readonly at: number
}

async function look(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl, dataDirectory } = config
  const log = createLog('silent')
  const opened = await openDatabase({ databaseUrl, dataDirectory, log, joinRunning: true, asItIs: true })
  try {
    const { database } = opened
    const startedAt = performance.now()
    const [server] = await database.query<Server>(sql`
      select current_setting('server_version') as version, clock_timestamp() as at`)
    const tookMs = performance.now() - startedAt
    const now = Date.now()
    const schema = await schemaNumber(database)
    const where = databaseUrl === undefined ? 'embedded, running' : 'the server of DATABASE_URL'
    return [
      schemaFinding(`PostgreSQL ${server?.version}, ${where}, answers in ${tookMs.toFixed(0)} ms`, schema),
      ...(schema === latestSchema
        ? [await auditFinding(config, database), ...(await directoryFindings(config, database))]
        : []),
      ...(databaseUrl === undefined ? [] : [skewFinding((server?.at ?? now) - now)]),
      ...(await machineFindings(database, opened.url)),
    ]
  } finally {
    await opened.close()
  }
}

/** The account of `CONFIG_DIR`, and how its last run ended. */
async function directoryFindings({ configDirectory: named }: Config, database: Database): Promise<readonly Finding[]> {
  if (named === null) return []
  const fault = await faultOfNamed(database, named.account)
  if (fault !== null) return [finding('Account of CONFIG_DIR', 'missing', fault.replace(/\.$/, ''))]
  const account = finding('Account of CONFIG_DIR', 'ok', `${named.account} is changed by the files of ${named.path}`)
  const state = await readDirectoryState(database)
  if (state === null || state.result === completeResult) return [account]
  const [first] = state.faults as readonly { readonly message: string }[]
  const text = `the last run is ${state.result}: ${first?.message ?? 'see the log'}`
  return [account, finding('Last run of CONFIG_DIR', 'missing', text)]
}

function schemaFinding(text: string, schema: number | null): Finding {
  if (schema === null) return finding('Database', 'ok', `${text}, empty: the first start fills it`)
  if (schema > latestSchema) {
    return finding(
      'Database',
      'fault',
      `${text}, its schema ${schema} is of a newer version (this one knows ${latestSchema})`,
    )
  }
  const rest = schema < latestSchema ? `; the next start brings it to ${latestSchema}` : ''
  return finding('Database', 'ok', `${text}, schema ${schema}${rest}`)
}

function skewFinding(ms: number): Finding {
  const text = `differs from the database server’s by ${Math.abs(ms / 1000).toFixed(1)} s`
  return finding('Clock of the database', Math.abs(ms) > mostSkew ? 'missing' : 'ok', text)
}

/**
 * Tests only whether the bundled server's programs run here, because it is not started on data that do not exist yet.
 */
async function tryBundled(): Promise<string> {
  const runner = await chooseRunner(join(bundledPackage(), 'native'))
  if (runner !== undefined) return `PostgreSQL ${runner.major}, embedded, starts with the program`
  if (process.getuid?.() === 0 && (await unprivilegedUsers()).length > 0) return 'embedded, starts as another user'
  throw new Error('the embedded PostgreSQL does not run on this machine; set DATABASE_URL')
}

export async function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl, dataDirectory } = config
  const isEmbedded = databaseUrl === undefined
  // If no server can be found, the test below says what is wrong.
  const isRunning = isEmbedded && (await runningEmbeddedUrl(dataDirectory).catch(() => undefined)) !== undefined
  if (isEmbedded && !isRunning) return [await attempt('Database', tryBundled)]
  let findings: readonly Finding[] = []
  const failed = await attempt('Database', async () => {
    findings = await look(config)
    return ''
  })
  const servers = isEmbedded ? [] : await serverFindings(databaseUrl)
  return [...(failed.state === 'ok' ? findings : [failed]), ...servers]
}
