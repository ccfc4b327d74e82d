import { once } from 'node:events'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { generateTypes } from '../../scripts/generate-types.ts'
import { interfaceDescription } from '../../src/program/interface-description.ts'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from '../program/launch.ts'
import { compile, strictOptions } from '../support/compile.ts'
import { patiently } from '../support/patience.ts'

/** A client of the published document, generated, compiled and used as a stranger does. */
interface Journey {
  logIn(url: string, username: string, password: string): Promise<unknown>
  makeService(api: unknown, address: string): Promise<number>
  summaryOf(api: unknown, id: number): Promise<string>
  readBack(api: unknown, id: number): Promise<unknown>
  find(api: unknown, id: number): Promise<unknown>
  lastChecks(api: unknown, id: number): Promise<unknown>
  readTwice(api: unknown): Promise<unknown>
  refusals(api: unknown, id: number): Promise<unknown>
  remove(api: unknown, id: number): Promise<unknown>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const data = temporaryDirectory()
const work = temporaryDirectory()
const source = new URL('./typescript/journey.ts', import.meta.url)
let program: Launched
let page: Server

beforeAll(async () => {
  page = createServer((_request, response) => response.end('<h1>Shop</h1>')).listen(0, '127.0.0.1')
  await once(page, 'listening')
  program = launch({ DATA_DIR: data.path, FORCE_LIMITS: '1000,1000,1000', RATE_LIMIT: '100000' })
  await program.ready()
})

afterAll(async () => {
  await stop(program)
  page.close()
  data.remove()
  work.remove()
})

let journey: Journey

test('the generated types compile with a journey, in strict mode', async () => {
  await mkdir(join(work.path, 'out'))
  await symlink(join(root, 'node_modules'), join(work.path, 'node_modules'))
  await writeFile(join(work.path, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(
    join(work.path, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: strictOptions, include: ['*.ts'] }),
  )
  await writeFile(join(work.path, 'api.d.ts'), await generateTypes(interfaceDescription(), work.path))
  await cp(source, join(work.path, 'journey.ts'))
  expect(await compile(work.path)).toBe('')
  journey = (await import(pathToFileURL(join(work.path, 'out/journey.js')).href)) as Journey
})

test('the compiler would have found a name or a type that is wrong', async () => {
  const written = await readFile(source, 'utf8')
  const wrong = written
    .replace("'status.summary': ['ok'],", "'status.summary': ['fine'],")
    .replace('name.toUpperCase()', 'nome')
  await writeFile(join(work.path, 'journey.ts'), wrong)
  const said = await compile(work.path)
  expect(said).toContain('"fine"')
  expect(said).toContain('nome')
})

test('the journey casts nothing', async () => {
  expect((await readFile(source, 'utf8')).match(/\bas (?!const\b)|\bany\b|@ts-|\w!|satisfies/g)).toBeNull()
})

test('the journey is made with the real program', async () => {
  const address = page.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const api = await journey.logIn(`${await program.ready()}/v3`, 'user', generatedPassword(program.stdout(), 'account'))
  const id = await journey.makeService(api, `127.0.0.1:${port}/`)
  await vi.waitFor(async () => expect(await journey.summaryOf(api, id)).toBe('ok'), patiently)
  expect(await journey.readBack(api, id)).toEqual({
    name: 'FRONT PAGE',
    type_id: 'http',
    createdAt: expect.any(Number),
    tolerance: '51.0',
    channels: [5],
  })
  expect(await journey.find(api, id)).toEqual([[id], [id]])
  expect(await journey.lastChecks(api, id)).toEqual({
    results: ['ok', 'ok', 'ok'],
    milliseconds: [expect.any(Number), expect.any(Number), expect.any(Number)],
    missing: [],
    warnings: ['', '', ''],
    seconds: expect.any(Number),
  })
  expect(await journey.readTwice(api)).toEqual([200, 304])
  expect(await journey.refusals(api, id)).toEqual({
    codes: ['422'],
    bulk: [
      { id, ok: true, errors: [] },
      { id: 999_999, ok: false, errors: ['not_found'] },
    ],
  })
  expect(await journey.remove(api, id)).toEqual([204, 404])
})
