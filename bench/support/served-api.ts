import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { findLogin } from '../../src/auth/callers.ts'
import { createSession } from '../../src/auth/sessions.ts'
import type { Database } from '../../src/database/connect.ts'
import { apiOn } from './api-on.ts'

const clock = { now: () => Date.now() }

export interface ServedApi {
  /** Of a path below `/v3/`, by the account of `monitoredDatabase`. Rejects when it is refused. */
  read(path: string): Promise<void>
  close(): Promise<void>
}

/** The API of this process on a port of its own, asked with the plainest client, which shares the processor with what is measured. */
export async function serveApi(database: Database): Promise<ServedApi> {
  const login = await findLogin(database, 'bench')
  if (login === undefined) throw new Error('There is no account to read as.')
  // Every call finds the session and extends it.
  const session = { login, isVerified: true, userAgent: 'bench', expirationDurationSeconds: 3600, now: clock.now() }
  const authenticator = createAuthenticator({ database, clock, loginLimit: 100 })
  const server = await apiOn(database, clock, { authenticator, requestsPerMinute: 1_000_000 })
  const headers = { authorization: `Bearer ${(await createSession(database, session)).token}` }
  const base = `${await server.listen({ host: '127.0.0.1', port: 0 })}/v3`
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async read(path) {
      const [response] = await once(get(`${base}/${path}`, { agent, headers }), 'response')
      const body = await text(response)
      if (response.statusCode !== 200) throw new Error(body)
    },
    async close() {
      agent.destroy()
      await server.close()
    },
  }
}
