import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { wholeProgram } from '../support/own-program.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

let directory: ReturnType<typeof temporaryDirectory>
let running: Launched
let url: string

beforeAll(async () => {
  directory = temporaryDirectory()
  running = launch({ DATA_DIR: directory.path, ACCOUNT_PASSWORD: 'alice owns this' })
  url = await running.ready()
})
afterAll(async () => {
  await stop(running)
  directory.remove()
})

async function latarnik(args: readonly string[], input = '', variables: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [wholeProgram('cli'), ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: directory.path, PORT: '0', ...variables },
  })
  child.stdin.end(input)
  const ended = once(child, 'close')
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

async function statusOf(username: string, password: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return (await fetch(`${url}/v3/accounts/my_account`, { headers: { authorization } })).status
}

test('it explains itself', async () => {
  const help = await latarnik(['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const command of ['start', 'account', 'history', 'doctor']) expect(help.stdout).toContain(command)
  expect((await latarnik(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('whoever stops reading ends a command quietly', async () => {
  const child = spawn(process.execPath, [wholeProgram('cli'), 'doctor', '--offline'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: directory.path, PORT: '0' },
  })
  child.stdout.destroy()
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect({ code, stderr }).toEqual({ code: 141, stderr: '' })
})

test('a program whose start message nobody reads goes on', async () => {
  const own = temporaryDirectory()
  const child = spawn(process.execPath, [wholeProgram('cli'), 'start'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: own.path, PORT: '0', ROLES: 'api' },
  })
  child.stdout.destroy()
  const stderr = text(child.stderr)
  let address = ''
  await vi.waitFor(
    async () => {
      address = (await readFile(join(own.path, 'api-address'), 'utf8')).trim()
      expect((await fetch(`${address}/readyz`)).status).toBe(200)
    },
    { timeout: 60_000, interval: 100 },
  )
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  expect({ code, stderr: await stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('EPIPE') })
  expect(existsSync(join(own.path, 'api-address'))).toBe(false)
  own.remove()
})

test('what was typed wrongly is answered with where to read more', async () => {
  expect(await latarnik(['account', 'create'])).toEqual({
    code: 2,
    stdout: '',
    stderr: "latarnik: missing required argument 'username'\n`latarnik account create --help` tells more.\n",
  })
})

test('an account is blocked at once and let in again', async () => {
  await latarnik(['account', 'create', 'left', '--password-stdin'], 'left the company\n')
  expect(await statusOf('left', 'left the company')).toBe(200)
  expect((await latarnik(['account', 'block', 'left'])).stdout).toBe('left is blocked.\n')
  expect(await statusOf('left', 'left the company')).toBe(403)
  expect((await latarnik(['account', 'block', 'left'])).stdout).toBe('left was blocked already.\n')
  expect((await latarnik(['account', 'unblock', 'left'])).stdout).toBe('left is unblocked.\n')
  expect(await statusOf('left', 'left the company')).toBe(200)
  expect((await latarnik(['account', 'block', 'admin'])).stderr).toMatch(/^latarnik: admin is an administrator/)
})

test('the operator links an identity, and keeps the heads of the audit log', async () => {
  const without = await latarnik(['account', 'identities', 'left', '--add', 'sub-1'])
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('OIDC_ISSUER is not set')])
  const provider = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  const added = await latarnik(['account', 'identities', 'left', '--add', 'sub-1'], '', provider)
  expect(added.stdout).toBe('sub-1 of https://login.example.com logs in to left now.\n')
  expect((await latarnik(['account', 'identities', 'left'])).stdout).toContain('sub-1')

  const authorization = `Basic ${Buffer.from('left:left the company').toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  const made = await fetch(`${url}/v3/groups`, { method: 'POST', headers, body: '{"name": "Kept"}' })
  expect(made.status).toBe(201)
  const heads = await latarnik(['audit', 'heads'])
  expect([heads.code, heads.stdout.trim().split('\n').length > 0]).toEqual([0, true])
  const file = join(directory.path, 'heads')
  await writeFile(file, heads.stdout)
  expect(await latarnik(['audit', 'verify', file])).toMatchObject({ code: 0 })
  const logged = heads.stdout.replaceAll(/^.+$/gm, (line) =>
    JSON.stringify({ level: 30, time: 1, auditHead: JSON.parse(line) }),
  )
  await writeFile(file, logged)
  expect(await latarnik(['audit', 'verify', file])).toMatchObject({ code: 0 })
  const shown = await latarnik(['audit', 'show', 'left', '--operation', 'accounts.'])
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringMatching(/^TIME +WHO[\s\S]+ cli +accounts\.add_identity/),
  ])
  await writeFile(file, heads.stdout.replaceAll(/"digest":"[^"]*/g, '"digest":"00'))
  const lost = await latarnik(['audit', 'verify', file])
  expect([lost.code, lost.stdout]).toEqual([2, expect.stringMatching(/^Record \d+ of account \d+ is gone/)])
  await writeFile(file, 'nothing\n')
  expect((await latarnik(['audit', 'verify', file])).stderr).toContain('Line 1 is no line')
})

test.each([
  ['account', 'list'],
  ['backup', 'b.tar'],
  ['sensor', 'add', 'Gdańsk'],
])('%s %s makes no database where there is none', async (...args) => {
  const nowhere = join(directory.path, 'nowhere')
  const outcome = await latarnik(args, '', { DATA_DIR: nowhere })
  expect(outcome).toMatchObject({ code: 2, stdout: '' })
  expect(outcome.stderr).toBe(
    `latarnik: There is no database in ${nowhere}: start Latarnik there first, or say with DATA_DIR or DATABASE_URL where it is.\n`,
  )
  expect(existsSync(nowhere)).toBe(false)
})

test('an account that no identity logs in to says so', async () => {
  expect((await latarnik(['account', 'identities', 'user'])).stdout).toBe('user is linked with no identity.\n')
  expect((await latarnik(['account', 'identities', 'user', '--json'])).stdout).toBe('[]\n')
  expect((await latarnik(['account', 'identities', 'admin'])).stderr).toMatch(/^latarnik: admin is an administrator/)
})

test('an account made beside the running program can log in at once', async () => {
  const made = await latarnik(['account', 'create', 'bob', '--email', 'bob@example.com', '--package', 'free'])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const password = /once: (\S+)/.exec(made.stdout)?.[1] ?? ''
  expect(await statusOf('bob', password)).toBe(200)
  const listed = JSON.parse((await latarnik(['account', 'list', '--json'])).stdout)
  expect(listed).toContainEqual({
    id: expect.any(Number),
    username: 'bob',
    kind: 'account',
    package: 'free',
    state: 'active',
  })
  expect((await latarnik(['account', 'list'])).stdout).toMatch(/^\d+ +admin +administrator +active$/m)
})

test('a login link made beside the running program leads to it and logs in once; who has none is told why', async () => {
  // The port of this shell is another one.
  const made = await latarnik(['account', 'login-link', 'user'])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout.startsWith(`${url}/login/link?token=`)).toBe(true)
  const token = /\/login\/link\?token=(\S+)/.exec(made.stdout)?.[1] ?? ''
  const page = await fetch(`${url}/login/link?token=${token}`, { headers: { 'accept-language': 'en' } })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('logs you in as user')])
  expect(await latarnik(['account', 'login-link', 'admin'])).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: 'latarnik: admin is an administrator; links are for accounts.\n',
  })
  expect((await latarnik(['account', 'login-link', 'nobody'])).stderr).toBe(
    'latarnik: Nobody has the username nobody.\n',
  )
})

test('a login link leads to the public address of the running program', async () => {
  const own = temporaryDirectory()
  const publicUrl = 'https://latarnik.example.com/watch'
  const other = launch({ DATA_DIR: own.path, ROLES: 'api', PUBLIC_URL: publicUrl })
  await other.ready()
  const { stdout } = await latarnik(['account', 'login-link', 'user'], '', { DATA_DIR: own.path })
  await stop(other)
  own.remove()
  expect(stdout).toContain(`${publicUrl}/login/link?token=`)
})

test('a password from standard input is set and not printed; the old one and the sessions end at once', async () => {
  const session = await fetch(`${url}/v3/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'user', password: 'alice owns this' }),
  })
  const { token } = (await session.json()) as { token: string }
  expect(await statusOf('user', 'alice owns this')).toBe(200)
  const changed = await latarnik(['account', 'password', 'user', '--password-stdin'], 'another one\n')
  expect(changed).toMatchObject({ code: 0, stderr: '' })
  expect(changed.stdout).not.toContain('another one')
  expect(await statusOf('user', 'alice owns this')).toBe(401)
  expect(await statusOf('user', 'another one')).toBe(200)
  const after = await fetch(`${url}/v3/accounts/my_account`, { headers: { authorization: `Bearer ${token}` } })
  expect(after.status).toBe(401)
})

test.each([
  [['account', 'create', 'x'], /^latarnik: .*3 to 64 characters/],
  [['account', 'create', 'ADMIN'], /^latarnik: The username ADMIN is taken\.\n$/],
  [['account', 'create', 'carol', '--package', 'gold'], /^latarnik: There is no package gold/],
  [['account', 'create', 'carol', '--package', 'sub-account'], /^latarnik: There is no package sub-account/],
  [['account', 'create', 'carol', '--password-stdin'], /^latarnik: a password has 8 to 256 characters\n$/],
  [['account', 'password', 'nobody'], /^latarnik: Nobody has the username nobody\.\n$/],
  [['account', 'remove', 'user'], /^latarnik: unknown command 'remove'/],
  [['start', '--config', '/nowhere'], /^--config: \/nowhere cannot be read \(ENOENT\)\n$/],
])('%j is refused with one sentence and exit code 2', async (args, sentence) => {
  const outcome = await latarnik(args, 'short')
  expect(outcome).toMatchObject({ code: 2, stdout: '' })
  expect(outcome.stderr).toMatch(sentence)
  expect(outcome.stderr).not.toContain('    at ')
})

test('the sums of the history are made anew beside the running program', async () => {
  expect(await latarnik(['history', 'sum'])).toEqual({
    code: 0,
    stderr: '',
    stdout: 'The sums of 0 services were recomputed.\n',
  })
})

test('the doctor says what this machine can check, beside the running program', { timeout: 240_000 }, async () => {
  const { port } = new URL(url)
  // It looks at the port that the program has, not at the one of this shell.
  const { code, stdout } = await latarnik(['doctor', '--offline'], '', { PORT: '1' })
  expect(stdout).not.toMatch(/^!!/m)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ok {2}Data directory/m)
  expect(stdout).toMatch(/^(ok|--) {2}Memory +\S/m)
  expect(stdout).toMatch(/^(ok|--) {2}Disk space +[\d.]+ GiB free \(\d+ %\) where /m)
  expect(stdout).toMatch(/^(ok|i |--) {2}Clock/m)
  expect(stdout).toMatch(/^ok {2}Database +PostgreSQL 18\S*, embedded, running, answers in \d+ ms, schema \d+$/m)
  expect(stdout).toMatch(/^ok {2}Evidence +kept in .*artifacts$/m)
  expect(stdout).toMatch(new RegExp(`^ok {2}API +127\\.0\\.0\\.1 port ${port} is served by a running Latarnik$`, 'm'))
  expect(stdout).toMatch(/^i {3}Mail +not sent: each mail is written as a file to .*outbox/m)
  expect(stdout).toMatch(/^ok {2}Can check +http, https, .*\bdns, /m)
  expect(stdout).toMatch(/^(ok|--) {2}Browser/m)
  expect(stdout).toMatch(/^(ok|--) {2}Ping/m)
})

test('the doctor finds what does not work, tells programs too, and says so by its exit code', {
  timeout: 240_000,
}, async () => {
  const { code, stdout } = await latarnik(['doctor', '--offline', '--json'], '', {
    DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/latarnik',
    NATS_URL: 'nats://me:secret@127.0.0.1:1',
    SMTP_URL: 'smtp://me:secret@127.0.0.1:1',
    S3_BUCKET: 'evidence',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  })
  expect(code).toBe(2)
  expect(stdout).not.toContain('secret')
  const { findings } = JSON.parse(stdout) as { findings: { subject: string; state: string; text: string }[] }
  const faults = findings.filter(({ state }) => state === 'fault')
  expect(faults).toEqual([
    {
      subject: 'Database',
      state: 'fault',
      text: expect.stringMatching(/^The database at .*127\.0\.0\.1:1\/latarnik cannot be used/),
    },
    { subject: 'Broker', state: 'fault', text: expect.stringMatching(/./) },
    { subject: 'Evidence', state: 'fault', text: expect.stringMatching(/^The bucket evidence cannot be used/) },
    { subject: 'Mail', state: 'fault', text: expect.stringMatching(/^127\.0\.0\.1:1: .*ECONNREFUSED/) },
  ])
})

test('the doctor of a station asks for its core and its token', { timeout: 240_000 }, async () => {
  const healthy = await latarnik(['doctor', '--offline'], '', { SENSOR_SERVER: url, SENSOR_TOKEN: 'x'.repeat(40) })
  expect(healthy.stdout).toMatch(/^ok {2}Core +http:\/\/127\.0\.0\.1:\d+ answers$/m)
  expect(healthy.stdout).toMatch(/^ok {2}Clock of the core +agrees with this machine’s$/m)
  expect(healthy.stdout).not.toMatch(/^.. {2}(Database|API|Mail)/m)
  expect(healthy.code).toBe(0)
  const lost = await latarnik(['doctor', '--offline'], '', { SENSOR_SERVER: 'http://127.0.0.1:1' })
  expect(lost.stdout).toMatch(/^!! {2}Core +.*ECONNREFUSED/m)
  expect(lost.stdout).toMatch(/^!! {2}Token +SENSOR_TOKEN is not set$/m)
  expect(lost.code).toBe(2)
})
