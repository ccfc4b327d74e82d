// Servers of the distribution, as an operator has them. A server that is not installed skips its test with the reason.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { afterAll, expect, onTestFinished, type TestContext, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { freePort, installedProgram } from '../support/real-server.ts'

const root = createAuthority('Test root')
const { cert, key } = root.issue({ names: ['127.0.0.1'] })
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => checker.stop())

const isRoot = process.getuid?.() === 0
/** An account without rights, for servers that want more as root. */
const nobody = 65_534
const limit = { timeout: 120_000 }

function programOrSkip(context: TestContext, name: string): string {
  const program = installedProgram(name)
  if (program !== null) return program
  return context.skip(`${name} is not installed (${name.toUpperCase().replaceAll('-', '_')} names another place)`)
}

/** A folder with these files; it goes with the test. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'latarnik-real-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: 0o600 })
  return folder
}

/** Ends it with the test. */
function run(program: string, options: readonly string[], user?: number): ChildProcess {
  const child = spawn(program, options, {
    stdio: 'ignore',
    ...(user === undefined ? {} : { uid: user, gid: user }),
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill()
    await once(child, 'exit')
  })
  return child
}

const verdict = async (typeId: string, settings: object): Promise<string> => {
  const result = await checker.check(typeId, '127.0.0.1', { timeout: 5000, ...settings })
  const seen = verdictOf(result)
  return result.errorMessage === null || seen !== 'protocol_not_spoken' ? seen : `${seen}: ${result.errorMessage}`
}

const up = (typeId: string, settings: object) =>
  expect.poll(() => verdict(typeId, settings), { timeout: 60_000 }).toBe('ok')

test('mosquitto: a login, a retained message', limit, async (context) => {
  const [program, makePassword] = [
    programOrSkip(context, 'mosquitto'),
    programOrSkip(context, 'mosquitto_passwd'),
  ] as const
  const port = await freePort()
  const folder = folderWith({ passwords: 'jan:sésame\n' })
  execFileSync(makePassword, ['-U', join(folder, 'passwords')])
  const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous false', `password_file ${join(folder, 'passwords')}`]
  writeFileSync(join(folder, 'conf'), [...lines, ...(isRoot ? ['user root'] : []), ''].join('\n'))
  run(program, ['-c', join(folder, 'conf')])
  const login = { port, username: 'jan', password: 'sésame' }
  await up('mqtt', login)
  const version = { ...login, topic: '$SYS/broker/version', expected_answer_regex: '^mosquitto version ' }
  expect(await verdict('mqtt', version)).toBe('ok')
  expect(await verdict('mqtt', { ...login, topic: 'silent', timeout: 700 })).toBe('message_missing')
  expect(await verdict('mqtt', { ...login, password: 'wrong' })).toBe('login_refused')
})

test('dovecot: IMAP and POP3, in plain text and over TLS', limit, async (context) => {
  const program = programOrSkip(context, 'dovecot')
  const [imap, pop3] = [await freePort(), await freePort()]
  const folder = folderWith({ cert, key, passwords: 'jan:{PLAIN}sésame\n' })
  const me = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()
  const service = (name: string, port: number) =>
    `service ${name}-login {\n chroot =\n inet_listener ${name} {\n  port = ${port}\n }\n inet_listener ${name}s {\n  port = 0\n }\n}`
  const lines = [
    ...['protocols = imap pop3', 'listen = 127.0.0.1', `base_dir = ${folder}/run`, `state_dir = ${folder}/run`],
    ...[`log_path = ${folder}/log`, 'disable_plaintext_auth = no', `mail_location = maildir:${folder}/mail`],
    ...['ssl = yes', `ssl_cert = <${folder}/cert`, `ssl_key = <${folder}/key`],
    `passdb {\n driver = passwd-file\n args = scheme=PLAIN ${folder}/passwords\n}`,
    `userdb {\n driver = static\n args = uid=${nobody} gid=${nobody} home=${folder}/home\n}`,
    ...(isRoot ? [] : [`default_internal_user = ${me}`, `default_login_user = ${me}`]),
    ...['service anvil {\n chroot =\n}', service('imap', imap), service('pop3', pop3), ''],
  ]
  mkdirSync(join(folder, 'mail'))
  for (const path of [folder, join(folder, 'passwords')]) chmodSync(path, 0o755)
  if (isRoot) chownSync(join(folder, 'mail'), nobody, nobody)
  writeFileSync(join(folder, 'conf'), lines.join('\n'))
  run(program, ['-F', '-c', join(folder, 'conf')])
  const login = { username: 'jan', password: 'sésame' }
  for (const [type, port] of [
    ['imap', imap],
    ['pop3', pop3],
  ] as const) {
    await up(type, { port, tls: 'off' })
    for (const tls of ['off', 'starttls']) expect(await verdict(type, { port, tls, ...login }), tls).toBe('ok')
    expect(await verdict(type, { port, tls: 'starttls', ...login, password: 'wrong' })).toBe('login_refused')
  }
})

test('vsftpd: anonymous users and no others', limit, async (context) => {
  const program = programOrSkip(context, 'vsftpd')
  const port = await freePort()
  const folder = folderWith({})
  mkdirSync(join(folder, 'files'), { mode: 0o555 })
  const lines = [
    ...['listen=YES', 'listen_ipv6=NO', 'listen_address=127.0.0.1', `listen_port=${port}`, 'background=NO'],
    ...['run_as_launching_user=YES', 'anonymous_enable=YES', 'local_enable=NO', `anon_root=${folder}/files`],
    ...[`secure_chroot_dir=${folder}/files`, 'ftpd_banner=files of Hel', 'seccomp_sandbox=NO', ''],
  ]
  writeFileSync(join(folder, 'conf'), lines.join('\n'))
  if (isRoot) for (const path of [folder, join(folder, 'conf')]) chownSync(path, nobody, nobody)
  run(program, [join(folder, 'conf')], isRoot ? nobody : undefined)
  await up('ftp', { port })
  expect(await verdict('ftp', { port, username: 'anonymous', password: 'jan@example.com' })).toBe('ok')
  expect(await verdict('ftp', { port, username: 'jan', password: 'sesame' })).toBe('login_refused')
  expect(await verdict('ftp', { port, tls: 'starttls' })).toBe('starttls_missing')
})

test('OpenSSH: its banner and its host key', limit, async (context) => {
  const program = programOrSkip(context, 'sshd')
  const port = await freePort()
  const pair = ssh2.utils.generateKeyPairSync('ed25519')
  const folder = folderWith({ host: pair.private })
  const options = ['-D', '-f', '/dev/null', '-h', join(folder, 'host'), '-p', String(port)]
  if (isRoot) for (const path of [folder, join(folder, 'host')]) chownSync(path, nobody, nobody)
  // As root it wants a folder of the system for its children.
  const more = ['-o', 'ListenAddress=127.0.0.1', '-o', `PidFile=${folder}/pid`]
  run(program, [...options, ...more], isRoot ? nobody : undefined)
  await up('ssh', { port, expected_answer_regex: '^SSH-2.0-OpenSSH_' })
  const bytes = Buffer.from(pair.public.split(' ')[1] ?? '', 'base64')
  const host_key_fingerprint = `SHA256:${createHash('sha256').update(bytes).digest('base64').replaceAll('=', '')}`
  expect(await verdict('ssh', { port, host_key_fingerprint })).toBe('ok')
  const other = `SHA256:${'A'.repeat(43)}`
  expect(await verdict('ssh', { port, host_key_fingerprint: other })).toBe('host_key_differs')
})

test('Prometheus: the value of a query', limit, async (context) => {
  const program = programOrSkip(context, 'prometheus')
  const port = await freePort()
  const folder = folderWith({ 'prometheus.yml': 'scrape_configs: []\n' })
  run(program, [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  const compared = { port, promql: 'vector(40) + 2', comparison: '=', expected_value: '42' }
  await up('prometheus', compared)
  expect(await verdict('prometheus', { ...compared, expected_value: '43' })).toBe('value_differs')
  expect(await verdict('prometheus', { ...compared, promql: 'absent_metric' })).toBe('value_missing')
  expect(await verdict('prometheus', { ...compared, promql: 'sum(' })).toBe('query_refused')
})

test('FerretDB, which speaks the protocol of MongoDB: a login and the role of the server', limit, async (context) => {
  const program = programOrSkip(context, 'ferretdb')
  const port = await freePort()
  const folder = folderWith({})
  mkdirSync(join(folder, 'data'))
  run(program, [
    ...['--handler=sqlite', `--sqlite-url=file:${folder}/data/`, `--state-dir=${folder}`, '--debug-addr=-'],
    // It reports nothing about itself to anybody.
    ...['--telemetry=disable', '--test-telemetry-url=http://127.0.0.1:9/', `--listen-addr=127.0.0.1:${port}`],
    ...['--test-enable-new-auth', '--setup-database=admin', '--setup-username=jan', '--setup-password=sésame'],
  ])
  const login = { port, username: 'jan', password: 'sésame' }
  await up('mongodb', { ...login, replica_role: 'primary' })
  expect(await verdict('mongodb', { port })).toBe('ok')
  expect(await verdict('mongodb', { ...login, password: 'wrong' })).toBe('login_refused')
  expect(await verdict('mongodb', { ...login, username: 'nobody' })).toBe('login_refused')
  expect(await verdict('mongodb', { ...login, replica_role: 'secondary' })).toBe('value_differs')
})
