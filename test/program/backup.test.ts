import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { runningEmbeddedUrl } from '../../src/database/embedded.ts'
import { emptyDatabase } from '../support/database.ts'
import { wholeProgram } from '../support/own-program.ts'
import { listingSmallDisk, smallDiskMissing } from '../support/small-disk.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

type Shown = Readonly<Record<string, unknown>>

const patience = { timeout: 60_000, interval: 200 }
const place = temporaryDirectory()
const dataOf = (name: string) => join(place.path, name)
const file = dataOf('backup.tar')
/** Less than any database fills. */
const bytesOfDisk = 16_384
const running = new Set<Launched>()
const page = createServer((request, response) => {
  response.statusCode = request.url === '/broken' ? 503 : 200
  response.end('Zepsuło się')
})
let core: Launched
let url: string
let ids: { readonly fine: number; readonly broken: number }

const logins = { ADMIN_PASSWORD: 'dora keeps this', ACCOUNT_PASSWORD: 'alice owns this' }

function started(directory: string, variables: Readonly<Record<string, string>> = {}): Launched {
  const program = launch({ DATA_DIR: directory, LOCAL_SENSORS: '1', ...variables })
  running.add(program)
  return program
}

async function ended(program: Launched): Promise<void> {
  running.delete(program)
  await stop(program)
}

function spawned(
  args: readonly string[],
  directory: string,
  variables: Readonly<Record<string, string>>,
  through: readonly string[] = [],
): ChildProcess {
  const [command = process.execPath, ...rest] = [...through, process.execPath, wholeProgram('cli'), ...args]
  return spawn(command, rest, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: directory, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function latarnik(
  args: readonly string[],
  directory: string,
  variables: Readonly<Record<string, string>> = {},
  through: readonly string[] = [],
) {
  const child = spawned(args, directory, variables, through)
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('no output')
  const closed = once(child, 'close')
  const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), closed])
  return { code, stdout: out, stderr: err }
}

async function call(api: string, method: string, path: string, body?: unknown): Promise<Shown> {
  const response = await fetch(`${api}/v3${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from('user:alice owns this').toString('base64')}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`)
  return answer === '' ? {} : JSON.parse(answer)
}

async function newService(name: string, path: string): Promise<number> {
  const { port } = page.address() as AddressInfo
  const address = `127.0.0.1:${port}${path}`
  return Number((await call(url, 'POST', '/services', { type_id: 'http', name, address, interval: 10 }))['id'])
}

async function lastAnalysis(api: string, id: number): Promise<string> {
  return String((await call(api, 'GET', `/service_statuses/${id}`))['last_analysis_id'])
}

function mailsIn(directory: string): readonly string[] {
  const outbox = join(directory, 'outbox')
  return existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : []
}

beforeAll(async () => {
  await once(page.listen(0, '127.0.0.1'), 'listening')
  core = started(dataOf('core'), logins)
  url = await core.ready()
  await call(url, 'POST', '/notification_addresses', { notification_channel_id: 'email', address: 'ops@example.com' })
  ids = { fine: await newService('Sklep', '/'), broken: await newService('Zepsuty', '/broken') }
  await vi.waitFor(async () => {
    expect(await call(url, 'GET', `/service_statuses/${ids.fine}`)).toMatchObject({ check_status: 'ok' })
    expect(await lastAnalysis(url, ids.fine)).toMatch(/^\d+$/)
    expect(await call(url, 'GET', `/service_statuses/${ids.broken}`)).toMatchObject({ check_status: 'failure' })
    expect(mailsIn(dataOf('core'))).toHaveLength(1)
  }, patience)
}, 120_000)
afterAll(async () => {
  for (const program of running) await stop(program)
  page.close()
  place.remove()
}, 60_000)

const paths = () => [
  '/services?sort=id',
  '/groups?sort=id',
  '/notification_addresses?sort=id',
  '/accounts/my_account',
  `/services/${ids.broken}/history/status_changes?fields=change_id,status,start_time,end_time,first_analysis_id`,
]

function checksOf(api: string, analysisId: string): Promise<Shown> {
  return call(api, 'GET', `/services/${ids.broken}/history/analyses/${analysisId}/checks`)
}

/** As `restore` tells: a round that both are asked for is done by the original alone. */
async function lookAtQuietly(directory: string): Promise<void> {
  const quiet = started(directory, { ROLES: 'api' })
  const quietUrl = await quiet.ready()
  expect(quiet.stdout()).toMatch(/^ {2}Missing +no process has the role monitoring: nothing is checked/m)
  expect(quiet.stdout()).toMatch(/^ {2}Missing +no process has the role notifier: messages wait/m)
  const [copied, original] = [await lastAnalysis(quietUrl, ids.broken), await lastAnalysis(url, ids.broken)]
  for (const api of [quietUrl, url]) await call(api, 'POST', `/services/${ids.broken}/force_analysis`)
  await vi.waitFor(async () => expect(await lastAnalysis(url, ids.broken)).not.toBe(original), patience)
  expect(await lastAnalysis(quietUrl, ids.broken)).toBe(copied)
  expect(mailsIn(directory)).toEqual([])
  await ended(quiet)
}

test('what is backed up beside the running program lives on elsewhere, and tells nobody twice', {
  timeout: 240_000,
}, async () => {
  const failed = String((await call(url, 'GET', `/service_statuses/${ids.broken}`))['last_failure_analysis_id'])
  const backup = await latarnik(['backup', file], dataOf('core'))
  expect(backup).toMatchObject({ code: 0, stderr: '' })
  expect(backup.stdout).toMatch(/^services: 2$/m)
  expect(backup.stdout).toMatch(/backup\.tar: \d+ rows of \d+ tables and [1-9]\d* artifacts in [\d.]+ [KM]iB\.$/m)
  const before = await Promise.all(paths().map((path) => call(url, 'GET', path)))
  const checks = await checksOf(url, failed)

  const elsewhere = dataOf('elsewhere')
  const restored = await latarnik(['restore', file], elsewhere)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toMatch(
    /^\d+ rows and \d+ artifacts of \d{4}-.*Z \(Latarnik \d+\.\d+\.\d+\) are in place\.$/m,
  )
  expect(restored.stdout).toMatch(/even if the original installation still does the same\.\n.*quiet.* ROLES=api: /)
  await lookAtQuietly(elsewhere)
  const second = started(elsewhere)
  const secondUrl = await second.ready()
  expect(await Promise.all(paths().map((path) => call(secondUrl, 'GET', path)))).toEqual(before)
  expect(await checksOf(secondUrl, failed)).toEqual(checks)
  expect(second.stdout()).not.toContain('first logins')
  const [fine, broken] = [await lastAnalysis(secondUrl, ids.fine), await lastAnalysis(secondUrl, ids.broken)]
  await vi.waitFor(async () => {
    expect(await lastAnalysis(secondUrl, ids.fine)).not.toBe(fine)
    expect(await lastAnalysis(secondUrl, ids.broken)).not.toBe(broken)
  }, patience)
  expect(
    await call(
      secondUrl,
      'GET',
      `/services/${ids.broken}/history/status_changes?fields=change_id,status,start_time,end_time,first_analysis_id`,
    ),
  ).toEqual(before.at(-1))
  expect(mailsIn(elsewhere)).toEqual([])
  // New things get new numbers.
  expect((await call(secondUrl, 'POST', '/groups', { name: 'Nowa' }))['id']).toBeGreaterThan(1)
  await ended(second)
})

test('what is exported from the embedded database lives on in a server', { timeout: 240_000 }, async () => {
  const exported = dataOf('export.tar')
  expect(await latarnik(['export', exported], dataOf('core'))).toMatchObject({ code: 0, stderr: '' })
  const server = await emptyDatabase()
  try {
    const moved = await latarnik(['import', exported], dataOf('moved'), { DATABASE_URL: server.url })
    expect(moved).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(join(dataOf('moved'), 'artifacts'))).toBe(true)
    const before = await Promise.all(paths().map((path) => call(url, 'GET', path)))
    const program = started(dataOf('moved'), { DATABASE_URL: server.url })
    const movedUrl = await program.ready()
    expect(await Promise.all(paths().map((path) => call(movedUrl, 'GET', path)))).toEqual(before)
    await ended(program)
  } finally {
    await server.drop()
  }
})

test('a restore that is killed leaves nothing half done, and works when it is tried again', {
  timeout: 240_000,
}, async () => {
  const embedded = connect({ url: (await runningEmbeddedUrl(dataOf('core'))) ?? '', maximumConnections: 1 })
  await embedded.execute(sql`
    insert into authentications (account_id, ip_address, user_agent, method, success)
    select 1, '192.0.2.' || n % 250, 'Mozilla ' || n, 'basic', true from generate_series(1, 150000) n`)
  await embedded.close()
  const large = dataOf('large.tar')
  expect(await latarnik(['backup', large], dataOf('core'))).toMatchObject({ code: 0 })
  const target = dataOf('killed')
  const child = spawned(['restore', large], target, {})
  // The first tables are in; the long one is not.
  if (child.stdout !== null) await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
  const listed = await latarnik(['account', 'list', '--json'], target)
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(listed.stdout)).toEqual([])
  expect(await latarnik(['restore', large], target)).toMatchObject({ code: 0, stderr: '' })
  const after = await latarnik(['account', 'list', '--json'], target)
  expect(JSON.parse(after.stdout)).toHaveLength(2)
})

test.each([
  [
    ['restore', file],
    'core',
    /^latarnik: The data directory .* is in use by another running Latarnik: stop that one, or .*\n$/,
  ],
  [['restore', 'nowhere.tar'], 'other', /^latarnik: nowhere\.tar cannot be read: ENOENT/],
  [['restore', 'package.json'], 'other', /^latarnik: package\.json is (damaged|no backup)/],
  [['import', file], 'other', /^latarnik: .*backup\.tar is a backup: use latarnik restore\.\n$/],
  [['backup', file], 'core', /^latarnik: .*backup\.tar exists already: choose another name\.\n$/],
  [['backup', dataOf('none.tar')], 'other', /^latarnik: The database is empty: there is nothing to write\.\n$/],
])('%j is refused with one sentence and exit code 2', async (args, directory, sentence) => {
  const outcome = await latarnik(args, dataOf(directory))
  expect(outcome).toMatchObject({ code: 2, stdout: '' })
  expect(outcome.stderr).toMatch(sentence)
})

test.for(['backup', 'export'])(
  '%s onto a disk that is full says so with exit code 2 and leaves nothing there',
  async (name, { skip }) => {
    const disk = temporaryDirectory()
    onTestFinished(() => disk.remove())
    const missing = await smallDiskMissing(disk.path)
    if (missing !== null) skip(missing)
    const target = join(disk.path, 'file.tar')
    const through = listingSmallDisk(disk.path, bytesOfDisk)
    const { code, stdout, stderr } = await latarnik([name, target], dataOf('core'), {}, through)
    expect(stderr).toBe(`latarnik: ${target} cannot be written: ENOSPC: no space left on device, write.\n`)
    expect(code).toBe(2)
    // Neither boasted of nor listed, under whatever name.
    expect(stdout).not.toContain('file.tar')
  },
)

test('a file can be checked without a database', async () => {
  const outcome = await latarnik(['restore', '--check', file], dataOf('untouched'))
  expect(outcome).toMatchObject({ code: 0, stderr: '' })
  expect(outcome.stdout).toMatch(/backup\.tar is intact: a backup of \d{4}-.* by Latarnik \S+, schema \d+\.$/m)
  expect(existsSync(dataOf('untouched'))).toBe(false)
})
