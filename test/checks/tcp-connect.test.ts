import { afterAll, expect, test } from 'vitest'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

test('an open port is up, with the time to connect', async () => {
  const port = await servers.tcp(() => {})
  const result = await checker.check('tcp_connect', `localhost:${port}`)
  expect(verdictOf(result)).toBe('ok')
  expect(result.phases?.connect).toBeGreaterThan(0)
})

test('a closed port is refused', async () => {
  const port = await servers.tcp(() => {})
  servers.closeAll()
  const result = await checker.check('tcp_connect', `127.0.0.1:${port}`)
  expect(verdictOf(result)).toBe('connection_refused')
  expect(result.evidence).toMatchObject({ base_url: `127.0.0.1:${port}`, ip_address: '127.0.0.1' })
})

test.each(['127.0.0.1', 'host:', 'host:0', 'host:70000', 'host:http', ':80', '[::1:80'])(
  '%s names no port of a host',
  async (address) => {
    expect(verdictOf(await checker.check('tcp_connect', address))).toBe('address_invalid')
  },
)
