/**
 * A process that serves one side of the comparison. Arguments: the kind, the database's URL, a service.
 * bare: hand-written routes; open: the API to a caller who is known already; session: the API to whoever has a session.
 */

import type { FastifyInstance } from 'fastify'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { callerOf, findLogin } from '../../src/auth/callers.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import { textCollation } from '../../src/database/text.ts'
import type { Caller } from '../../src/domain/access/caller.ts'
import { unlimited } from '../../src/rest/rate-limit.ts'
import type { Authenticate } from '../../src/rest/who-calls.ts'
import { apiOn } from '../support/api-on.ts'
import { bareServer } from './bare-server.ts'
import { username } from './fill.ts'

/** The process's resource use since its start. */
export interface Usage {
  readonly cpuMilliseconds: number
  /** From the arrival of requests to the end of their answers. */
  readonly answeringMilliseconds: number
  readonly residentBytes: number
  /** After a collection. */
  readonly heapBytes: number
}

export type ServerKind = 'bare' | 'open' | 'session'

const clock = { now: () => Date.now() }

async function callerOfBench(database: Database): Promise<Caller> {
  const login = await findLogin(database, username)
  if (login === undefined) throw new Error(`There is no account ${username}.`)
  return callerOf(login, null)
}

async function apiServer(database: Database, kind: 'open' | 'session'): Promise<FastifyInstance> {
  const authenticator = createAuthenticator({ database, clock, loginLimit: 100 })
  const caller = await callerOfBench(database)
  const asCaller: Authenticate = async () => ({ caller })
  return kind === 'open'
    ? apiOn(database, clock, { authenticator, authenticate: asCaller, requestsPerMinute: unlimited })
    : apiOn(database, clock, { authenticator, requestsPerMinute: { anonymous: 1_000_000, account: 1_000_000 } })
}

async function serverOf(kind: string, database: Database, url: string, serviceId: number): Promise<FastifyInstance> {
  if (kind === 'open' || kind === 'session') return apiServer(database, kind)
  const { account_id: accountId, shares } = await callerOfBench(database)
  const sharedIds = shares.map((share) => share.group_id)
  const changeableIds = shares.filter((share) => share.can_modify_services).map((share) => share.group_id)
  const collation = (await textCollation(database)).text
  return bareServer(url, { accountId, sharedIds, changeableIds, collation, now: new Date() }, serviceId)
}

const [kind = '', url = '', serviceId = ''] = process.argv.slice(2)
const database = connect({ url })
const server = await serverOf(kind, database, url, Number(serviceId))
let answeringMilliseconds = 0
server.addHook('onResponse', async (_request, reply) => {
  answeringMilliseconds += reply.elapsedTime
})
process.on('message', (question) => {
  const { user, system } = process.cpuUsage()
  // Without a collection, whose cost the next reading would have.
  if (question === 'cpu') return void process.send?.((user + system) / 1000)
  const { rss: residentBytes } = process.memoryUsage()
  globalThis.gc?.()
  const { heapUsed: heapBytes } = process.memoryUsage()
  const usage: Usage = { cpuMilliseconds: (user + system) / 1000, answeringMilliseconds, residentBytes, heapBytes }
  process.send?.(usage)
})
process.on('disconnect', async () => {
  await server.close()
  await database.close()
})
process.send?.(await server.listen({ host: '127.0.0.1', port: 0 }))
