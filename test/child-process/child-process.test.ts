import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { ask } from '../../src/child-process/ask.ts'
import { findEntry } from '../../src/child-process/entry.ts'

const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => void vi.unstubAllEnvs())

const names = { source: './echo.ts', bundled: 'sensor/echo.js' }

function entryWith(program: string) {
  const path = join(folder, 'sensor', 'echo.js')
  mkdirSync(join(folder, 'sensor'), { recursive: true })
  writeFileSync(path, program)
  return { path, execArgv: [] }
}

const never = new AbortController().signal

test('an entry is found from the bundle’s main file and from its chunks', () => {
  const entry = entryWith('')
  for (const from of ['main.js', 'chunks/local-1a2b.js', 'sensor/other.js']) {
    expect(findEntry(names, pathToFileURL(join(folder, from)).href)).toEqual(entry)
  }
})

test('an entry that is missing is named', () => {
  const from = pathToFileURL(join(folder, 'main.js')).href
  expect(() => findEntry({ ...names, bundled: 'sensor/gone.js' }, from)).toThrow('sensor/gone.js')
})

test('sources whose bundle is known run its processes', () => {
  const entry = entryWith('')
  vi.stubEnv('BUNDLE_OF_SOURCES', folder)
  expect(findEntry({ ...names, source: './child-process.test.ts' }, import.meta.url)).toEqual(entry)
})

test('source files bring their loader', () => {
  vi.stubEnv('BUNDLE_OF_SOURCES', undefined)
  const { execArgv } = findEntry({ ...names, source: './child-process.test.ts' }, import.meta.url)
  expect(execArgv).toEqual(['--import', expect.stringContaining('tsx')])
})

test('what the child writes is the answer, however much it is', async () => {
  const entry = entryWith('process.stdin.pipe(process.stdout)')
  const question = Buffer.alloc(300_000, 'ż')
  expect((await ask({ entry, question, failure: 'no echo', signal: never })).equals(question)).toBe(true)
})

test('a child that fails is told with what it complained of', async () => {
  const entry = entryWith('throw new Error("no paper")')
  await expect(ask({ entry, question: 'print', failure: 'nothing was printed', signal: never })).rejects.toThrow(
    /^nothing was printed \(1\): .*no paper/s,
  )
})

test('the signal kills a child that listens to nothing else', async () => {
  const entry = entryWith('process.on("SIGTERM", () => {}); for (;;);')
  const signal = AbortSignal.timeout(200)
  await expect(ask({ entry, question: '', failure: 'slow', signal })).rejects.toThrow(/aborted/)
})
