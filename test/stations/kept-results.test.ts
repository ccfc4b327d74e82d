import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import type { WireResult } from '../../src/sensor/far/result-schema.ts'
import { wireResult } from '../../src/sensor/far/wire-results.ts'
import { unanswered } from '../../src/sensor/probing-process.ts'
import { jobFor } from '../support/check.ts'
import { ownProgram } from '../support/own-program.ts'

let directory: string
let warnings: string[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latarnik-kept-'))
  warnings = []
})
afterEach(() => rmSync(directory, { recursive: true }))

function open(bounds: { maximumCount?: number; maximumBytes?: number } = {}): KeptResults {
  const log = (_level: string, message: string) => void warnings.push(message)
  return new KeptResults({ directory, maximumCount: 1000, maximumBytes: 1_000_000, ...bounds, log })
}

function written(id: string): void {
  const kept = open()
  kept.add(result(id))
  kept.write()
}

function result(id: string, message = 'late'): WireResult {
  return wireResult(id, unanswered(jobFor('http', 'shop.example'), 'sensor_late', message), 1)
}

const frame = { count: 100, bytes: 100_000 }
const window = { count: 1000, bytes: 1_000_000 }
const taken = (kept: KeptResults, within = frame) =>
  kept.take(within, window).map((text) => (JSON.parse(text) as WireResult).id)
const bytesOnDisk = () => readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)

test('what was not acknowledged is there after a crash, in its order; what was may be said again, until all is', () => {
  const kept = open()
  for (const id of ['a', 'b', 'c', 'd']) kept.add(result(id))
  kept.write()
  kept.acknowledge(['b'])
  const next = open()
  expect(taken(next)).toEqual(['a', 'b', 'c', 'd'])
  next.acknowledge(['a', 'b', 'c', 'd'])
  expect([open().size, bytesOnDisk()]).toEqual([0, 0])
})

test('a line that a crash has cut off spoils no other, also not what is kept afterwards', () => {
  written('a')
  const [name = ''] = readdirSync(directory)
  appendFileSync(join(directory, name), '{"id":"torn"')
  const kept = open()
  kept.add(result('b'))
  kept.write()
  expect(taken(open())).toEqual(['a', 'b'])
})

test('a disk that was full for a while costs nothing of what was kept meanwhile, and is told once', (context) => {
  const limits = spawnSync('prlimit', ['--version']).error
  if (limits !== undefined) context.skip(`no file can be limited: ${limits.message}`)
  const wholeLine = Buffer.byteLength(JSON.stringify(result('full-0')))
  const limited = [`--fsize=${Math.floor(wholeLine * 2.5)}:unlimited`, process.execPath]
  const told = execFileSync('prlimit', [...limited, ownProgram('kept-results-process'), directory], {
    encoding: 'utf8',
  })
  expect(JSON.parse(told)).toEqual(['Results cannot be kept on disk.'])
  const ids = Array.from({ length: 10 }, (_none, number) => `full-${number}`)
  expect(taken(open())).toEqual([...ids, 'room'])
})

test('all is acknowledged: nothing stays on the disk', () => {
  const kept = open()
  for (let count = 0; count < 500; count++) kept.add(result(String(count)))
  kept.write()
  kept.acknowledge(Array.from({ length: 500 }, (_none, count) => String(count)))
  expect([kept.size, bytesOnDisk()]).toEqual([0, 0])
  kept.add(result('again'))
  kept.write()
  expect(taken(open())).toEqual(['again'])
})

test.each([
  // 160 results of about 200 bytes.
  ['number', { maximumCount: 160 }, 36_000],
  ['bytes', { maximumBytes: 27_000 }, 30_000],
])('bounded by %s: the oldest are dropped, here and on disk, and it is told', (_what, bounds, mostOnDisk) => {
  const kept = open(bounds)
  for (let count = 0; count < 2000; count++) kept.add(result(String(count)))
  kept.write()
  expect(kept.size).toBeLessThanOrEqual(160)
  expect(kept.size).toBeGreaterThan(100)
  expect(bytesOnDisk()).toBeLessThanOrEqual(mostOnDisk)
  expect(taken(kept, { count: 1, bytes: 1 })).toEqual([String(2000 - kept.size)])
  expect(open(bounds).size).toBe(kept.size)
  expect(warnings[0]).toContain('the oldest results are dropped')
})

test('is handed out by frames within a window, each result once until everything is sent again', () => {
  const kept = open()
  for (const id of ['a', 'b', 'c', 'd']) kept.add(result(id))
  const narrow = { count: 3, bytes: 1_000_000 }
  const some = () => kept.take({ count: 2, bytes: 100_000 }, narrow).map((text) => (JSON.parse(text) as WireResult).id)
  expect([some(), some(), some()]).toEqual([['a', 'b'], ['c'], []])
  kept.acknowledge(['a'])
  expect(some()).toEqual(['d'])
  kept.rewind()
  expect(some()).toEqual(['b', 'c'])
})

test('a large result goes alone', () => {
  const kept = open()
  kept.add(result('small'))
  kept.add({ ...result('large'), error_message: 'x'.repeat(200_000) })
  kept.add(result('last'))
  expect([taken(kept), taken(kept), taken(kept)]).toEqual([['small'], ['large'], ['last']])
})

test('is readable by this user alone', () => {
  written('a')
  const [name = ''] = readdirSync(directory)
  expect(statSync(join(directory, name)).mode & 0o077).toBe(0)
  expect(readFileSync(join(directory, name), 'utf8')).toContain('"id":"a"')
})
