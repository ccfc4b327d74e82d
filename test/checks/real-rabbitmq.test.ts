// RabbitMQ of the distribution. A machine without rabbitmq-server skips the test with the reason.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { freePort, installedProgram } from '../support/real-server.ts'

const root = createAuthority('Test root')
const { cert, key } = root.issue({ names: ['127.0.0.1'] })
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => checker.stop())

/** The script itself: the one on the path of Debian changes to an account of the system first. */
const script = '/usr/lib/rabbitmq/bin/rabbitmq-server'

function programs(): { readonly server: string; readonly epmd: string } | null {
  const server = process.env['RABBITMQ_SERVER'] ?? (existsSync(script) ? script : null)
  const epmd = installedProgram('epmd')
  return server === null || epmd === null ? null : { server, epmd }
}

function run(program: string, options: readonly string[], env: Readonly<Record<string, string>>): void {
  const child = spawn(program, options, { stdio: 'ignore', detached: true, env: { ...process.env, ...env } })
  onTestFinished(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    // The script and the Erlang machine that it started.
    process.kill(-child.pid, 'SIGKILL')
    await ended
  })
}

/** As RabbitMQ keeps passwords: a salt of four bytes, and the digest of it with the password. */
function kept(password: string): string {
  const salt = Buffer.from('salt')
  const digest = createHash('sha256').update(salt).update(password).digest()
  return Buffer.concat([salt, digest]).toString('base64')
}

const definitions = {
  users: [
    { name: 'jan', password_hash: kept('sésame'), hashing_algorithm: 'rabbit_password_hashing_sha256', tags: [] },
  ],
  vhosts: [{ name: '/' }, { name: 'shop' }, { name: 'closed' }],
  permissions: ['/', 'shop'].map((vhost) => ({ user: 'jan', vhost, configure: '.*', write: '.*', read: '.*' })),
  queues: [{ name: 'orders', vhost: 'shop', durable: true, auto_delete: false, arguments: {} }],
}

async function startBroker({ server, epmd }: NonNullable<ReturnType<typeof programs>>) {
  const [plain, secure, names, distribution] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'latarnik-rabbitmq-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  const lines = [
    ...[`listeners.tcp.1 = 127.0.0.1:${plain}`, `listeners.ssl.1 = 127.0.0.1:${secure}`],
    ...[
      `ssl_options.certfile = ${at('cert')}`,
      `ssl_options.keyfile = ${at('key')}`,
      'ssl_options.verify = verify_none',
    ],
    ...['ssl_options.fail_if_no_peer_cert = false', `load_definitions = ${at('definitions.json')}`, ''],
  ]
  const files = { cert, key, 'definitions.json': JSON.stringify(definitions), 'rabbitmq.conf': lines.join('\n') }
  for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content, { mode: 0o600 })
  const loopback = { ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: String(names), HOME: folder }
  run(epmd, ['-relaxed_command_check'], loopback)
  run(server, [], {
    ...loopback,
    PATH: [dirname(epmd), process.env['PATH']].join(delimiter),
    ...{ RABBITMQ_NODENAME: 'latarnik@localhost', RABBITMQ_DIST_PORT: String(distribution) },
    ...{ RABBITMQ_CONFIG_FILE: at('rabbitmq.conf'), RABBITMQ_MNESIA_BASE: at('data'), RABBITMQ_LOG_BASE: at('log') },
    ...{ RABBITMQ_ENABLED_PLUGINS_FILE: at('plugins'), RABBITMQ_PID_FILE: at('pid') },
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  })
  return { plain, secure }
}

test('RabbitMQ: a login, a virtual host, a queue, over TLS, too', { timeout: 240_000 }, async (context) => {
  const found = programs()
  if (found === null)
    return context.skip('rabbitmq-server is not installed (RABBITMQ_SERVER and EPMD name other places)')
  const { plain, secure } = await startBroker(found)
  const verdict = async (settings: object) => {
    const result = await checker.check('rabbitmq', '127.0.0.1', { timeout: 10_000, port: plain, ...settings })
    return verdictOf(result)
  }
  const login = { username: 'jan', password: 'sésame' }
  await expect.poll(() => verdict(login), { timeout: 180_000, interval: 500 }).toBe('ok')
  expect(await verdict({ ...login, password: 'wrong' })).toBe('login_refused')
  expect(await verdict({})).toBe('login_required')
  const shop = { ...login, virtual_host: 'shop' }
  expect(await verdict({ ...shop, queue: 'orders', maximum_messages: 0 })).toBe('ok')
  expect(await verdict({ ...shop, queue: 'parcels' })).toBe('value_missing')
  const otherHosts = await Promise.all(['closed', 'nowhere'].map((one) => verdict({ ...login, virtual_host: one })))
  expect(otherHosts).toEqual(['protocol_refused', 'protocol_refused'])
  expect(await verdict({ ...shop, tls: 'tls', port: secure, queue: 'orders' })).toBe('ok')
  expect(await verdict({ ...shop, tls: 'tls', queue: 'orders' })).not.toBe('ok')
})
