/** The API in a process of its own, on the database of the argument. */
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { connect } from '../../src/database/connect.ts'
import { apiOn } from '../support/api-on.ts'

const database = connect({ url: process.argv[2] ?? '' })
const clock = { now: () => Date.now() }
const authenticator = createAuthenticator({ database, clock, loginLimit: 100 })
const requestsPerMinute = { anonymous: 1_000_000, account: 1_000_000 }
const server = await apiOn(database, clock, { authenticator, requestsPerMinute })

process.on('message', () => {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const residentMegabytes = Math.round(process.memoryUsage.rss() / 1_048_576)
  process.send?.({ residentMegabytes, cpuMs: (user + system) / 1000 })
})
process.send?.(await server.listen({ host: '127.0.0.1', port: 0 }))
