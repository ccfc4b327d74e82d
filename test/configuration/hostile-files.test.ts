import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readDefinitions } from '../../src/configuration/definitions.ts'
import { applyDirectory } from '../../src/configuration/directory/apply-directory.ts'
import type { DirectoryReport } from '../../src/configuration/directory/directory-task.ts'
import { lookAt, readDirectory } from '../../src/configuration/directory/read-directory.ts'
import { faultText } from '../../src/configuration/fault.ts'
import { readFiles } from '../../src/configuration/files.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { apiFor, forgetAll, model } from '../support/configuring.ts'

/** Files written to do harm: each is refused with its reason, in bounded time and memory, and changes nothing. */

let world: ApiWorld
let folder: string
let directory: string
let run: (isPruning?: boolean) => Promise<DirectoryReport>

beforeAll(async () => {
  world = await apiWorld()
  const api = apiFor(await world.server.listen({ host: '127.0.0.1', port: 0 }), 'alice')
  run = (isPruning = true) =>
    applyDirectory({ directory, secretsDirectory: null, environment: {}, isPruning }, { model, api })
})
afterAll(() => world.drop())
beforeEach(async () => {
  await forgetAll(world.database)
  folder = await mkdtemp(join(tmpdir(), 'latarnik-hostile-'))
  directory = join(folder, 'config')
  await mkdir(directory)
})

const service = (key: string, more = '') =>
  `  ${key}: { name: ${key}, type_id: http, address: ${key}.example.com${more} }\n`
const shop = (...keys: readonly string[]) =>
  `version: 1\nmanaged_by: shop\nservices:\n${keys.map((key) => service(key)).join('')}`
const put = (name: string, text: string | Buffer) => writeFile(join(directory, name), text)
const textsOf = ({ faults }: DirectoryReport) => faults.map(faultText)
const namesNow = async () => {
  const { body } = await world.call('alice', 'GET', '/services?managed_by=shop&fields=name&sort=name')
  return (body as readonly { readonly name: string }[]).map(({ name }) => name)
}

/** The fault of one file whose text is read without an installation. */
function faultOf(text: string): string {
  const sources = { environment: {}, prefix: null, folders: null }
  try {
    readDefinitions([{ path: 'a.yaml', text }], { model, sources, language: 'en' })
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
  }
  return 'none'
}

const times = <T>(count: number, made: (at: number) => T) => Array.from({ length: count }, (_none, at) => made(at))

test('texts that cost a parser its time or its memory are refused with their reason', { timeout: 300_000 }, () => {
  const many = `x-big: &big {${times(100_000, (at) => `k${at}: 1`).join(', ')}}\n`
  const cases: readonly (readonly [what: string, text: string, reason: RegExp])[] = [
    ['depth', `x-a: ${'['.repeat(100_000)}${']'.repeat(100_000)}`, /levels deep/],
    ['depth in blocks', times(3000, (at) => `${' '.repeat(at)}x-${at}:`).join('\n'), /levels deep/],
    ['a large map merged often', `${many}${times(2000, (at) => `x-${at}: {<<: *big}`).join('\n')}`, /values/],
    ['a circle', 'x-a: &a [*a]', /alias that stands for what it is in/],
    ['a circle by two', 'x-a: &a {b: &b [*a, *b]}', /alias that stands for what it is in/],
    ['aliases of aliases', 'x-a: &a [1]\nx-b: [*missing]', /anchor|alias/i],
    ['many aliases', `x-a: &a 1\nx-b: [${times(30_000, () => '*a').join(',')}]`, /aliases/],
    ['keys that stand twice', `x-a: {${times(60_000, (at) => `k${at % 59_999}: 1`).join(', ')}}`, /stands twice/],
    ['a tag', 'x-a: !!js/function "function () {}"\nnonsense: 1', /There is no kind nonsense/],
    ['a prototype', '__proto__: {version: 1}\nconstructor: 1', /There is no kind __proto__/],
    ['an unclosed variable', `services: {a: {name: "${'${'.repeat(500_000)}", type_id: http}}`, /./],
  ]
  for (const [what, text, reason] of cases) {
    expect([what, faultOf(`version: 1\n${text}\n`).slice(0, 300)]).toEqual([what, expect.stringMatching(reason)])
  }
})

test('texts that would cost a parser too much are refused before it sees them, at the place where it is too much', {
  timeout: 300_000,
}, () => {
  const cases: readonly (readonly [what: string, text: string, reason: string])[] = [
    ['bytes', `x-a: ${'a'.repeat(8 * 1024 * 1024)}`, 'a.yaml:1:1: A file in YAML has at most 8 MiB. Split it'],
    [
      'values',
      times(260_000, (at) => `x-${at}: 1`).join('\n'),
      'a.yaml:250001:1: The file has more than 500000 values.',
    ],
    ['empty values', `x-a:\n${'-\n'.repeat(600_000)}`, 'a.yaml:500001:1: The file has more than 500000 values.'],
    ['line breaks', '\n'.repeat(3_100_000), 'words, signs and line breaks.'],
    ['comments', '#\n'.repeat(1_600_000), 'words, signs and line breaks.'],
    ['documents', '---\n'.repeat(1_600_000), 'words, signs and line breaks.'],
    ['depth', `x-a:\n  ${'['.repeat(2_000_000)}`, 'a.yaml:3:63: The file is more than 60 levels deep.'],
    [
      'depth of lists on a line',
      `x-a:\n  ${'- '.repeat(2_000_000)}`,
      'a.yaml:3:123: The file is more than 60 levels deep.',
    ],
  ]
  for (const [what, text, reason] of cases)
    expect([
      what,
      faultOf(`version: 1\n${text}`.slice(what === 'values' || what === 'bytes' ? 11 : 0)).slice(0, 300),
    ]).toEqual([what, expect.stringContaining(reason)])
  const wide = `version: 1\nx-a: {${times(200, (at) => `k${at}: [1, {a: 1}]`).join(', ')}}\nx-b: "${'- '.repeat(200)}"\n`
  expect(faultOf(wide)).toBe('none')
})

test('a fault of the whole file has its place, in words of ours', () => {
  expect(faultOf('version: 1\nx-a: 1\nx-b: &b\n  - [1, *b]\n')).toBe(
    'a.yaml:4:9: The file has an alias that stands for what it is in.',
  )
  expect(faultOf('version: 1\nx-a: [1,\n  *c]\n')).toMatch(/^a\.yaml:3:3: .*c/)
  expect(faultOf('version: 1\n---\nversion: 1\n')).toBe(
    'a.yaml:2:1: A file holds one document: put what follows `---` into a file of its own.',
  )
})

test('keys are what stands there; names that YAML takes for numbers and truths are told', () => {
  const sources = { environment: {}, prefix: null, folders: null }
  const keys = ['1.10', '1.1', '0x10', '1e3', '012', 'true', '2020-01-01', '12_000']
  const rows = keys.map((key) => `  ${key}: { name: "a", type_id: http, address: a.test }\n`)
  const read = readDefinitions([{ path: 'a.yaml', text: `version: 1\nservices:\n${rows.join('')}` }], {
    ...{ model, sources, language: 'en' },
  })
  expect(read.all.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
  expect(faultOf('version: 1\nservices:\n  a: { name: 12, type_id: http, address: a.test, description: true }\n')).toBe(
    [
      'a.yaml:3:8: services.a.name: The value has a wrong type: expected string. Write it in quotes: "12".',
      'a.yaml:3:50: services.a.description: The value has a wrong type: expected string. Write it in quotes: "true".',
    ].join('\n'),
  )
})

test('long chains and many faults are told in bounded time', { timeout: 300_000 }, () => {
  const chain = times(20_000, (at) => service(`s${at}`, at === 0 ? '' : `, parent_ids: [s${at - 1}]`))
  expect(faultOf(`version: 1\nservices:\n${chain.join('')}`)).toBe('none')
  const wrong = faultOf(`version: 1\nservices:\n${times(20_000, (at) => `  S${at}: {}\n`).join('')}`)
  expect(wrong.split('\n')).toHaveLength(20_000)
})

test.each([
  ['servces: {}', 'There is no kind servces. Did you mean services?'],
  ['managedby: shop', 'There is no kind managedby. Did you mean managed_by?'],
  [`services:\n${service('front', ', intervall: 60')}`, 'There is no field intervall here. Did you mean interval?'],
])('a name that is nearly right is told: %s', (text, told) => {
  expect(faultOf(`version: 1\n${text}\n`)).toContain(told)
})

test('nothing in a fault commands a terminal', () => {
  const text = faultOf('version: 1\n"\\e[31mred\\u009b2J\\u202e": 1\n')
  expect(text).toContain('red')
  for (const character of ['\u001b', '\u009b', '\u202e']) expect(text).not.toContain(character)
})

test('a file that is no text, no file, or a link to nowhere is named, and nothing is changed', async () => {
  await put('a.yaml', shop('one'))
  expect((await run()).result).toBe('applied')
  const cases: readonly (readonly [what: string, make: () => Promise<unknown>, reason: string])[] = [
    [
      'bytes',
      () => put('b.yaml', Buffer.from('version: 1\nx-a: 1\nx-b: "\xff"\n', 'latin1')),
      'b.yaml:3:1: The file is no',
    ],
    ['UTF-16', () => put('b.yaml', Buffer.from(`\ufeff${shop('two')}`, 'utf16le')), 'b.yaml:1:1: The file is no'],
    ['a pipe', async () => spawnSync('mkfifo', [join(directory, 'b.yaml')]), 'b.yaml:1:1: It is no regular file.'],
    ['a link to itself', () => symlink('b.yaml', join(directory, 'b.yaml')), 'links lead in a circle'],
    ['a link to nowhere', () => symlink('gone', join(directory, 'b.yaml')), 'a link to a file that does not exist'],
    ['a device', () => symlink('/dev/zero', join(directory, 'b.yaml')), 'a link to a file outside of the directory'],
    ['a folder elsewhere', () => symlink('/', join(directory, 'b')), 'a link to a file outside of the directory'],
    ['a circle of folders', () => symlink('.', join(directory, 'b')), 'levels deep'],
  ]
  for (const [what, make, reason] of cases) {
    await make()
    const report = await run()
    expect([what, ['refused', 'unreadable'].includes(report.result), textsOf(report).join('\n')]).toEqual([
      ...[what, true],
      expect.stringContaining(reason),
    ])
    await rm(join(directory, 'b.yaml'), { force: true })
    await rm(join(directory, 'b'), { force: true })
  }
  expect((await run()).result).toBe('applied')
  expect(await namesNow()).toEqual(['one'])
})

test('a file with a mark of its byte order is read as one without', async () => {
  await put('a.yaml', `\ufeff${shop('one')}`)
  expect((await run()).result).toBe('applied')
})

test('a link that is turned while files are read never lets one from elsewhere in', { timeout: 120_000 }, async () => {
  await writeFile(join(folder, 'secret.yaml'), 'version: 1\nx-a: marker-of-a-file\n')
  await mkdir(join(directory, 'sub'))
  await put('sub/a.yaml', shop('one'))
  const link = join(directory, 'turned.yaml')
  let isTurning = true
  let turns = 0
  const turning = (async () => {
    while (isTurning) {
      for (const target of ['sub/a.yaml', join(folder, 'secret.yaml')]) {
        await symlink(target, `${link}.new`)
        await rename(`${link}.new`, link)
        turns += 1
      }
    }
  })()
  let readings = 0
  for (let reading = 0; reading < 300; reading += 1) {
    const read = await readDirectory(directory).catch((error: unknown) => error)
    expect(JSON.stringify(read)).not.toContain('marker-of-a-file')
    readings += 1
  }
  isTurning = false
  await turning
  expect([readings, turns > 100]).toEqual([300, true])
})

test('thousands of files: two thousand are read, more are refused, and other names do not count', {
  timeout: 240_000,
}, async () => {
  await Promise.all(times(2000, (at) => put(`f${at}.yaml`, at === 0 ? shop('one') : 'version: 1\n')))
  await Promise.all(times(3000, (at) => put(`picture${at}.png`, '')))
  expect(await run()).toMatchObject({ result: 'applied', files: 2000, changed: 1 })
  await put('g.yaml', 'version: 1\n')
  const report = await run()
  expect([report.result, textsOf(report).join()]).toEqual(['refused', expect.stringContaining('more than 2000 files')])
  expect(await namesNow()).toEqual(['one'])
})

test('files that come and go while the directory is looked at are no failure', { timeout: 120_000 }, async () => {
  await put('a.yaml', shop('one'))
  let isChanging = true
  let changes = 0
  const changing = (async () => {
    for (; isChanging; changes += 1) {
      await put('b.yaml', 'version: 1\n')
      await unlink(join(directory, 'b.yaml'))
    }
  })()
  for (let look = 0; look < 500; look += 1) await lookAt(directory)
  isChanging = false
  await changing
  expect(changes).toBeGreaterThan(50)
})

test('all files together have a bound, and so has what they put in', { timeout: 120_000 }, async () => {
  const large = `version: 1\nx-a: "${'a'.repeat(7.9 * 1024 * 1024)}"\n`
  for (let at = 0; at < 9; at += 1) await put(`f${at}.yaml`, large)
  expect(textsOf(await run()).join()).toContain('All files have at most 64 MiB')
  for (let at = 0; at < 9; at += 1) await rm(join(directory, `f${at}.yaml`))
  await put('text', 'a'.repeat(1024 * 1024))
  await put('a.yaml', shop('one').replace('name: one', `name: "${`\${file:text}`.repeat(100)}"`))
  expect(textsOf(await run()).join()).toContain('at most 4 MiB of what is put in')
  const often = times(100, (at) => service(`s${at}`, `, description: "\${file:text}"`)).join('')
  await put('a.yaml', `version: 1\nservices:\n${often}`)
  expect(textsOf(await run()).join()).toContain('have at most 64 MiB in all')
})

test('the command reads pipes that a person names, up to the bound of a file', async () => {
  async function* input(text: string, count: number) {
    for (let at = 0; at < count; at += 1) yield Buffer.from(text)
  }
  const [file] = await readFiles(['-'], input('version: 1\n', 1))
  expect(file).toEqual({ path: 'standard input', text: 'version: 1\n' })
  const endless = readFiles(['-'], input('a'.repeat(1024 * 1024), 1_000_000))
  await expect(endless).rejects.toThrow('at most 8 MiB')
  await expect(readFiles(['/dev/zero'], input('', 0))).rejects.toThrow('at most 8 MiB')
})
