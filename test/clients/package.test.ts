import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from '../program/launch.ts'
import { compile } from '../support/compile.ts'
import { configureCompiler, installPackage } from '../support/published-package.ts'

/** The package as it is published, in a folder without any other, with a program that imports its client. */

const source = new URL('./package/journey.ts', import.meta.url)
const work = temporaryDirectory()
const data = temporaryDirectory()
let page: Server
let program: Launched

beforeAll(async () => {
  page = createServer((_request, response) => response.end('<h1>Shop</h1>')).listen(0, '127.0.0.1')
  await once(page, 'listening')
  program = launch({ DATA_DIR: data.path })
  await installPackage(work.path)
  await cp(source, join(work.path, 'journey.ts'))
})

afterAll(async () => {
  await stop(program)
  page.close()
  data.remove()
  work.remove()
})

test.each([
  ['Node.js', {}],
  ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }],
])('a program compiles in strict mode for %s', async (_, more) => {
  await configureCompiler(work.path, 'journey.ts', more)
  expect(await compile(work.path)).toBe('')
})

test('the types of the client are written by every build, also when nothing has changed since the last', async () => {
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const client = fileURLToPath(new URL('../../client', import.meta.url))
  for (const name of ['once', 'again']) {
    const out = join(work.path, name)
    await promisify(execFile)(process.execPath, [compiler, '-p', client, '--outDir', out])
    expect(await readdir(out)).toContain('client.d.ts')
  }
})

test('the compiler finds a name, a value or a parameter that is wrong', async () => {
  await configureCompiler(work.path, 'journey.ts')
  const written = await readFile(source, 'utf8')
  const wrong = written
    .replace("type_id: 'http'", "type_id: 'htp'")
    .replace("fields: ['name']", "fields: ['nome']")
    .replace("body: { name: 'Shop' }", "body: { nam: 'Shop' }")
    .replace("summary !== 'unknown'", "summary !== 'unknwon'")
  await writeFile(join(work.path, 'journey.ts'), wrong)
  const said = await compile(work.path)
  for (const name of ['"htp"', '"nome"', "'nam'", '"unknwon"']) expect(said).toContain(name)
  expect(written.match(/\bas (?!const\b)|\bany\b|@ts-|\w!\.|satisfies/g)).toBeNull()
})

test('the program runs with a real server', async () => {
  const server = await program.ready()
  await configureCompiler(work.path, 'journey.ts')
  await cp(source, join(work.path, 'journey.ts'))
  expect(await compile(work.path)).toBe('')
  const { journey } = (await import(pathToFileURL(join(work.path, 'out/journey.js')).href)) as {
    journey(options: object, address: string): Promise<unknown>
  }
  const bound = page.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const login = { server, username: 'user', password: generatedPassword(program.stdout(), 'account') }
  expect(await journey(login, `127.0.0.1:${port}/`)).toEqual({
    status: 'ok',
    names: ['FRONT PAGE'],
    heard: true,
    refused: ['data.name'],
  })
})
