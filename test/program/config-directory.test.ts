import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyDatabase } from '../support/database.ts'
import { patiently } from '../support/patience.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

/** The whole program keeps an account as a directory of files wants it. */

let home: ReturnType<typeof temporaryDirectory>
let files: string
const launched: Launched[] = []

beforeEach(() => {
  home = temporaryDirectory()
  files = join(home.path, 'files')
  mkdirSync(files)
})
afterEach(async () => {
  await Promise.all(launched.splice(0).map(stop))
  home.remove()
}, 60_000)

const password = 'long enough for everybody'
const login = { ADMIN_PASSWORD: password, ACCOUNT_PASSWORD: password, ACCOUNT_USERNAME: 'owner' }

function start(variables: Readonly<Record<string, string>> = {}): Launched {
  const program = launch({
    ...{ DATA_DIR: join(home.path, 'data'), LOCAL_SENSORS: '0', ROLES: 'api', ...login },
    ...{ CONFIG_DIR: files, CONFIG_ACCOUNT: 'owner', CONFIG_PRUNE: 'on', CONFIG_REPAIR_SECONDS: '10', ...variables },
  })
  launched.push(program)
  return program
}

/** As editors and checkouts do: whole or not at all. */
function put(name: string, text: string): void {
  const path = join(files, name)
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

function services(count: number, more = ''): string {
  const lines = Array.from(
    { length: count },
    (_none, at) => `  s${at}: { name: S${at}, type_id: http, address: s${at}.example.com }`,
  )
  return ['version: 1', 'managed_by: shop', 'services:', ...lines, more].join('\n')
}

async function read<Body>(url: string, path: string, username = 'owner'): Promise<Body> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return (await fetch(`${url}/v3${path}`, { headers: { authorization } })).json() as Promise<Body>
}

async function change(url: string, path: string, body: object): Promise<number> {
  const authorization = `Basic ${Buffer.from(`owner:${password}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  return (await fetch(`${url}/v3${path}`, { method: 'PUT', headers, body: JSON.stringify(body) })).status
}

interface State {
  readonly result: string | null
  readonly unchanged: number
  readonly faults: readonly { readonly file: string | null; readonly line: number | null; readonly message: string }[]
}

const stateOf = (url: string) => read<State>(url, '/system/configuration', 'admin')

type Service = { readonly id: number; readonly name: string }
const servicesOf = (url: string) =>
  read<readonly Service[]>(url, '/services?managed_by=shop&sort=name&limit=1000&fields=id,name')

test('files are applied at the start and when they change, and what people change is set right', {
  timeout: 240_000,
}, async () => {
  put('shop.yaml', services(2))
  const program = start()
  const url = await program.ready()
  await vi.waitFor(async () => expect((await stateOf(url)).result).toBe('applied'), patiently)
  const [first, second] = await servicesOf(url)
  expect([first?.name, second?.name]).toEqual(['S0', 'S1'])
  const log = await read<readonly { source: string; account_id: number }[]>(
    url,
    '/accounts/my_account/logs/audit?operation=services.create&fields=source,account_id',
  )
  expect(log.map(({ source }) => source)).toEqual(['apply', 'apply'])

  // By hand: set right within the time of a repair.
  expect(await change(url, `/services/${first?.id}`, { name: 'By hand' })).toBe(204)
  await vi.waitFor(async () => expect((await servicesOf(url))[0]?.name).toBe('S0'), patiently)

  // A fault changes nothing and is told with its place.
  put('shop.yaml', services(3, '  s9: { name: S9, type_id: nonsense, address: x.example.com }'))
  await vi.waitFor(async () => expect((await stateOf(url)).result).toBe('refused'), patiently)
  const { faults } = await stateOf(url)
  expect(faults[0]).toMatchObject({ file: join(files, 'shop.yaml'), line: 7 })
  expect(program.stderr()).toContain(`${join(files, 'shop.yaml')}:7:`)
  expect(await servicesOf(url)).toHaveLength(2)

  // A directory that is away deletes nothing.
  renameSync(files, `${files}.away`)
  await vi.waitFor(async () => expect((await stateOf(url)).result).toBe('unreadable'), patiently)
  expect(await servicesOf(url)).toHaveLength(2)
  renameSync(`${files}.away`, files)
  put('shop.yaml', services(1))
  await vi.waitFor(async () => expect((await servicesOf(url)).map(({ name }) => name)).toEqual(['S0']), patiently)
})

test('a program that is killed in the middle of a run finishes it when it starts again', {
  timeout: 240_000,
}, async () => {
  const count = 120
  put('shop.yaml', services(count))
  const program = start()
  const url = await program.ready()
  let met = 0
  await vi.waitFor(async () => {
    met = (await servicesOf(url)).length
    expect(met).toBeGreaterThan(5)
  }, patiently)
  expect(met).toBeLessThan(count)
  program.child.kill('SIGKILL')
  await program.ended()
  const again = start()
  const second = await again.ready()
  const rarely = { ...patiently, interval: 250 }
  await vi.waitFor(async () => expect(await stateOf(second)).toMatchObject({ result: 'applied' }), rarely)
  const made = await servicesOf(second)
  expect(made.map(({ name }) => name).toSorted()).toEqual(
    Array.from({ length: count }, (_none, at) => `S${at}`).toSorted(),
  )
})

/** The process in which the program applies files, if there is one now. */
function applierOf(program: Launched): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return Number(parent) === program.child.pid && command.includes('config-directory')
      } catch {
        return false
      }
    })
}

const namesUpTo = (count: number) => Array.from({ length: count }, (_none, at) => `S${at}`).toSorted()
const namesAt = async (url: string) => (await servicesOf(url)).map(({ name }) => name).toSorted()
const createdAt = (url: string) =>
  read<readonly object[]>(url, '/accounts/my_account/logs/audit?operation=services.create&fields=id&limit=1000')

async function someMade(url: string, count: number): Promise<void> {
  let met = 0
  await vi.waitFor(async () => {
    met = (await servicesOf(url)).length
    expect(met).toBeGreaterThan(5)
  }, patiently)
  expect(met).toBeLessThan(count)
}

test('when the process alone that applies the files is killed, that is told, and the next run makes the rest', {
  timeout: 240_000,
}, async () => {
  const count = 150
  put('shop.yaml', services(count))
  const program = start()
  const url = await program.ready()
  await someMade(url, count)
  const applier = applierOf(program)
  expect(applier).toBeGreaterThan(0)
  process.kill(applier ?? 0, 'SIGKILL')
  await vi.waitFor(async () => expect((await stateOf(url)).result).toBe('failed'), { ...patiently, interval: 100 })
  expect((await stateOf(url)).faults[0]?.message).toContain('(SIGKILL)')
  const rarely = { ...patiently, interval: 250 }
  await vi.waitFor(async () => expect(await stateOf(url)).toMatchObject({ result: 'applied' }), rarely)
  expect(await namesAt(url)).toEqual(namesUpTo(count))
  expect(await createdAt(url)).toHaveLength(count)
})

test('of two processes one applies the directory, and the other finishes when that one is killed', {
  timeout: 240_000,
}, async () => {
  const database = await emptyDatabase()
  try {
    const count = 150
    const shared = { DATABASE_URL: database.url }
    const first = start(shared)
    await first.ready()
    const second = start({ ...shared, DATA_DIR: join(home.path, 'second') })
    const url = await second.ready()
    put('shop.yaml', services(count))
    await someMade(url, count)
    const appliers = [first, second].map(applierOf)
    expect(appliers.filter((pid) => pid !== undefined)).toHaveLength(1)
    const [holder, other] = appliers[0] === undefined ? [second, first] : [first, second]
    holder.child.kill('SIGKILL')
    const left = await other.ready()
    const rarely = { ...patiently, interval: 250 }
    await vi.waitFor(async () => {
      expect(await namesAt(left)).toEqual(namesUpTo(count))
      expect(await stateOf(left)).toMatchObject({ result: 'applied' })
    }, rarely)
    // Nothing was made twice.
    expect(await createdAt(left)).toHaveLength(count)
  } finally {
    await Promise.all(launched.splice(0).map(stop))
    await database.drop()
  }
})

test('an account that cannot be used is told, and nothing keeps the program from starting', {
  timeout: 120_000,
}, async () => {
  put('shop.yaml', services(1))
  const url = await start({ CONFIG_ACCOUNT: 'nobody-here' }).ready()
  await vi.waitFor(
    async () =>
      expect(await stateOf(url)).toMatchObject({
        result: 'failed',
        faults: [{ message: 'There is no account nobody-here.' }],
      }),
    patiently,
  )
  rmSync(files, { recursive: true })
})
