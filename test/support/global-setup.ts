import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { raw } from 'sql-template-tag'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { connect } from '../../src/database/connect.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { databaseOn } from './database-url.ts'
import { startInstalled } from './installed-server.ts'
import { silentLog } from './log.ts'
import { cheapestFolder } from './memory-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a server on which the tests may make databases. */
    databaseServerUrl: string
    templateDatabase: string
    /** A database with the schema to try statements on, and where it is kept which were. */
    statementGuard: { readonly url: string; readonly directory: string }
  }
}

interface TestServer {
  readonly url: string
  stop(): Promise<void>
}

/** Nobody needs a test's data after a crash. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 200 }
/**
 * Hundreds of databases are copied from the template; the kernel does it in a fifth of the time. The bundled server
 * supports this.
 */
const copying = process.platform === 'linux' ? { file_copy_method: 'clone' } : {}

async function startTemporary(): Promise<TestServer> {
  const dataDirectory = await mkdtemp(join(await cheapestFolder(), 'latarnik-test-'))
  const programs = process.env['TEST_POSTGRES']
  const server =
    programs === undefined
      ? await startEmbedded({ dataDirectory, log: silentLog, settings: { ...settings, ...copying } })
      : await startInstalled({ programs, dataDirectory, settings })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

/**
 * TEST_DATABASE_URL: a running server. TEST_POSTGRES: a folder of other PostgreSQL programs. Neither: the bundled one.
 */
async function startServer(): Promise<TestServer> {
  const url = process.env['TEST_DATABASE_URL']
  return url === undefined ? startTemporary() : { url, stop: async () => undefined }
}

async function makeTemplate(url: string, name: string): Promise<void> {
  await onServer(url, `create database ${name} encoding 'UTF8' template template0`)
  const template = connect({ url: databaseOn(url, name), maximumConnections: 1 })
  await migrate(template, { now: () => Date.now() })
  await template.close()
}

async function onServer(url: string, statement: string): Promise<void> {
  const server = connect({ url, maximumConnections: 1 })
  await server.execute(raw(statement))
  await server.close()
}

interface Ground {
  readonly context: Pick<ProvidedContext, 'databaseServerUrl' | 'templateDatabase' | 'statementGuard'>
  close(): Promise<void>
}

async function makeGround(): Promise<Ground> {
  const server = await startServer()
  const template = `latarnik_template_${process.pid}`
  await makeTemplate(server.url, template).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-statements-'))
  await onServer(server.url, `create database ${template}_looked_at template ${template}`)
  return {
    context: {
      databaseServerUrl: server.url,
      templateDatabase: template,
      statementGuard: { url: databaseOn(server.url, `${template}_looked_at`), directory },
    },
    async close() {
      for (const name of [`${template}_looked_at`, template])
        await onServer(server.url, `drop database if exists ${name} with (force)`)
      await rm(directory, { recursive: true })
      await server.stop()
    },
  }
}

/** Each project loads this file anew; what they share is kept with the process. */
const shared = globalThis as typeof globalThis & { latarnikTestGround?: { users: number; made: Promise<Ground> } }

/** One server for the whole run, one migrated template; each test file copies the template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.latarnikTestGround ??= { users: 0, made: makeGround() }
  const own = shared.latarnikTestGround
  own.users += 1
  const { context, close } = await own.made
  project.provide('statementGuard', context.statementGuard)
  project.provide('databaseServerUrl', context.databaseServerUrl)
  project.provide('templateDatabase', context.templateDatabase)
  return async () => {
    own.users -= 1
    if (own.users > 0) return
    delete shared.latarnikTestGround
    await close()
  }
}
