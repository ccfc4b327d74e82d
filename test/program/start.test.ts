import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../support/database.ts'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from './launch.ts'

let directory: ReturnType<typeof temporaryDirectory>
const launched: Launched[] = []

function start(variables: Readonly<Record<string, string>> = {}, args?: readonly string[]): Launched {
  const program = launch({ DATA_DIR: directory.path, ...variables }, args, 'dist/main.js')
  launched.push(program)
  return program
}

async function refusalOf(program: Launched, code = 2): Promise<string[]> {
  expect(await program.ended()).toBe(code)
  expect(program.stdout()).toBe('')
  return program
    .stderr()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))
}

async function reads(url: string, authorization?: string) {
  const response = await fetch(url, authorization === undefined ? {} : { headers: { authorization } })
  return { status: response.status, body: await response.json() }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** The log lines about its end. */
function linesOfStop(program: Launched): string[] {
  const lines = program
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const texts = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  return texts.filter((text) => /^(stopping|stopped|ended)\b/.test(text))
}

describe('what cannot start says why and exits with 2', () => {
  beforeAll(() => {
    directory = temporaryDirectory()
  })
  afterAll(() => directory.remove())

  test('wrong configuration: all faults, one a line', async () => {
    const program = start({ PORT: 'http', ROLES: 'api,cook', LOCAL_SENSORS: '-1', LATARNIK_COLOUR: 'red' })
    expect(await refusalOf(program)).toEqual([
      'LATARNIK_COLOUR: there is no such variable',
      'PORT: must be a whole number from 0 to 65535, not "http"',
      'ROLES: must be a comma list of api, monitoring, sensor, notifier, reporter, not "api,cook"',
      'LOCAL_SENSORS: must be a whole number from 0 to 50, not "-1"',
    ])
  })

  test('a config file named on the command line with an unknown name', async () => {
    const path = join(directory.path, 'latarnik.conf')
    writeFileSync(path, 'PROT=8080\n')
    expect(await refusalOf(start({}, ['--config', path]))).toEqual([
      `${path}:1: there is no variable PROT (did you mean PORT?)`,
    ])
  })

  test('an unknown option', async () => {
    expect(await refusalOf(start({}, ['--colour']))).toEqual([expect.stringContaining("Unknown option '--colour'")])
  })

  test('a taken port, before the database is touched', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const data = join(directory.path, 'untouched')
    expect(await refusalOf(start({ PORT: String(port), DATA_DIR: data }))).toEqual([
      `latarnik: Port ${port} on 127.0.0.1 is taken by another program; choose another with PORT.`,
    ])
    expect(readdirSync(directory.path)).not.toContain('untouched')
    other.close()
  })

  test('a heap in which it would die at its work', async () => {
    expect(await refusalOf(start({ NODE_OPTIONS: '--max-old-space-size=32' }))).toEqual([
      expect.stringMatching(/^latarnik: The heap of node may take \d+ MiB only, but 112 are needed; .*NODE_OPTIONS/),
    ])
  })

  test('an address that is not this machine’s', async () => {
    expect(await refusalOf(start({ HOST: '192.0.2.1' }))).toEqual([
      'latarnik: HOST 192.0.2.1 is no address of this machine.',
    ])
  })

  test('a data directory that cannot be written to', async () => {
    const file = join(directory.path, 'file')
    writeFileSync(file, '')
    const data = join(file, 'data')
    expect(await refusalOf(start({ DATA_DIR: data }))).toEqual([
      `latarnik: The data directory ${data} cannot be written to (ENOTDIR: not a directory); choose another with DATA_DIR.`,
    ])
  })

  test('a data directory below one that takes none', async () => {
    expect(await refusalOf(start({ DATA_DIR: '/proc/latarnik' }))).toEqual([
      'latarnik: The data directory /proc/latarnik cannot be written to (ENOENT: no such file or directory); choose another with DATA_DIR.',
    ])
  })

  test('a database server that is not there, with 75, because it may come: a supervisor starts again', async () => {
    const program = start({ DATABASE_URL: 'postgres://someone:hush@127.0.0.1:1/latarnik' })
    const [sentence, ...rest] = await refusalOf(program, 75)
    expect(sentence).toContain('latarnik: The database at postgres://127.0.0.1:1/latarnik cannot be used')
    expect(rest).toEqual([])
    expect(program.stderr()).not.toContain('hush')
  })

  test('a database whose user may open two connections only, with 75, because others may give theirs back', async () => {
    const { database, url, drop } = await emptyDatabase()
    const [role, word] = [`of_two_connections_${process.pid}`, 'two']
    await database.execute(raw(`create role ${role} login password '${word}' connection limit 2`))
    const [{ name } = { name: '' }] = await database.query<{ name: string }>(sql`select current_database() as name`)
    await database.execute(raw(`alter database ${name} owner to ${role}`))
    const ofRole = url.replace(/([?&]user=)[^&]*/, `$1${role}`).replace(/\/\/[^@/]+@/, `//${role}:${word}@`)
    const program = start({ DATABASE_URL: ofRole, LOCAL_SENSORS: '0' })
    expect(await program.ended()).toBe(75)
    expect(program.stderr()).toContain('latarnik: The database server grants too few connections: each process')
    expect(program.stderr()).not.toContain('node_modules')
    await drop()
    const other = await emptyDatabase()
    await other.database.execute(raw(`drop role ${role}`))
    await other.drop()
  })

  test('a data directory of another version', async () => {
    const data = join(directory.path, 'old')
    mkdirSync(data)
    const first = start({ DATA_DIR: data, ROLES: 'notifier' })
    await expect.poll(first.stdout).toContain('is ready after')
    expect(await stop(first)).toBe(0)
    const [version] = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('/PG_VERSION'),
    )
    writeFileSync(join(data, version ?? ''), '9\n')
    const [sentence, ...rest] = await refusalOf(start({ DATA_DIR: data }))
    expect(sentence).toMatch(/^latarnik: .*\b9\b/)
    expect(rest).toEqual([])
  })
})

describe('a running program', () => {
  beforeEach(() => {
    const mine = temporaryDirectory()
    directory = mine
    return async () => {
      await Promise.all(launched.splice(0).map(stop))
      mine.remove()
    }
  })

  test('tells how soon it was ready and where everything is, and stops cleanly', async () => {
    const program = start({ ADMIN_USERNAME: 'dora', ACCOUNT_USERNAME: 'alice' })
    const url = await program.ready()
    const text = program.stdout()
    expect(Number(/ready after ([\d.]+) s/.exec(text)?.[1])).toBeGreaterThan(0)
    expect(text).toContain(`${url}/v3/public/doc/`)
    expect(text).toContain(`no SMTP_URL: mails are written as .eml files to ${directory.path}/outbox`)
    expect(text).toContain('private and loopback addresses may be monitored')
    expect(text).toContain('Local 1 to Local 3')
    const alice = basic('alice', generatedPassword(text, 'account'))
    const dora = basic('dora', generatedPassword(text, 'administrator'))
    expect(await reads(`${url}/readyz`)).toMatchObject({ status: 200 })
    expect(await reads(`${url}/v3/accounts/my_account`, alice)).toMatchObject({
      status: 200,
      body: { username: 'alice' },
    })
    expect(await reads(`${url}/v3/accounts/my_account`, dora)).toMatchObject({ status: 403 })
    expect(await reads(`${url}/v3/accounts/my_account`, basic('alice', 'wrong'))).toMatchObject({
      status: 401,
      body: [{ error: 'incorrect_credentials' }],
    })
    const sensors = (await reads(`${url}/v3/sensors`)).body
    expect(sensors).toMatchObject([1, 2, 3].map((number) => ({ name: `Local ${number}`, is_available: true })))
    const stopAskedAt = performance.now()
    program.child.kill('SIGTERM')
    expect(await program.ended()).toBe(0)
    expect(performance.now() - stopAskedAt).toBeLessThan(60_000)
    expect(
      readdirSync(directory.path, { recursive: true }).filter((path) => String(path).endsWith('postmaster.pid')),
    ).toEqual([])
    expect(program.stderr()).not.toContain(generatedPassword(text, 'account'))
    expect(linesOfStop(program)).toEqual(['stopping (SIGTERM)', expect.stringMatching(/^stopped after \d+ ms$/)])
  })

  test('keeps logins and sessions over SIGKILL and a new start, and does not print passwords again', async () => {
    const first = start({ ACCOUNT_PASSWORD: 'alice owns this' })
    const url = await first.ready()
    expect(first.stdout()).not.toContain('alice owns this')
    const response = await fetch(`${url}/v3/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'user', password: 'alice owns this' }),
    })
    expect(response.status).toBe(201)
    const { token } = (await response.json()) as { token: string }
    first.child.kill('SIGKILL')
    expect(await first.ended()).toBe('SIGKILL')
    const second = start()
    const urlOfSecond = await second.ready()
    expect(second.stdout()).not.toContain('first logins')
    expect(await reads(`${urlOfSecond}/v3/sessions/my_session`, `Bearer ${token}`)).toMatchObject({ status: 200 })
    expect(await reads(`${urlOfSecond}/v3/accounts/my_account`, basic('user', 'alice owns this'))).toMatchObject({
      status: 200,
    })
  })

  test('told to stop while it starts, and twice as by a terminal through npm, stops cleanly', async () => {
    const program = start()
    await expect.poll(() => program.stderr(), { interval: 5 }).toContain('schema')
    program.child.kill('SIGINT')
    await delay(20)
    program.child.kill('SIGINT')
    expect(await program.ended()).toBe(0)
    expect(linesOfStop(program)).toEqual(['stopping (SIGINT)', expect.stringMatching(/^stopped after \d+ ms$/)])
  })

  test('a second signal ends it at once, even while a client holds it up', async () => {
    const program = start()
    const { port } = new URL(await program.ready())
    const client = connect(Number(port), '127.0.0.1')
    client.on('error', () => undefined)
    client.write(
      'POST /v3/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
    program.child.kill('SIGTERM')
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed')
    await delay(600)
    const askedAgainAt = performance.now()
    program.child.kill('SIGTERM')
    expect(await program.ended()).toBe(1)
    expect(performance.now() - askedAgainAt).toBeLessThan(8000)
    expect(linesOfStop(program)).toEqual([
      'stopping (SIGTERM)',
      'ended at once without an orderly stop (SIGTERM again)',
    ])
    client.destroy()
  })

  test('two programs that start at once on one empty server make the logins once and both serve', async () => {
    const server = await emptyDatabase()
    const [first, second] = [directory, temporaryDirectory()]
    const programs = [first, second].map(({ path }) => start({ DATABASE_URL: server.url, DATA_DIR: path }))
    const urls = await Promise.all(programs.map((program) => program.ready()))
    const told = programs.map((program) => generatedPassword(program.stdout(), 'account')).filter((word) => word !== '')
    expect(told).toHaveLength(1)
    for (const url of urls) {
      expect(await reads(`${url}/v3/accounts/my_account`, basic('user', told[0] ?? ''))).toMatchObject({ status: 200 })
      expect((await reads(`${url}/v3/sensors`)).body).toHaveLength(3)
    }
    for (const program of programs) expect(await stop(program)).toBe(0)
    second.remove()
    await server.drop()
  })
})
