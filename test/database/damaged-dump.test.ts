import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import tar from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Checked, checkDump } from '../../src/database/dump/check.ts'
import { DumpRefused } from '../../src/database/dump/refused.ts'
import { emptyDatabase, type TestDatabase, urlOf } from '../support/database.ts'
import { contentOf, type DumpPlace, dumpPlace, load, silent, write } from '../support/dumping.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

let world: FurnishedWorld
let place: DumpPlace
let empty: TestDatabase
let whole: Buffer
let right: Checked

beforeAll(async () => {
  world = await furnishedWorld()
  place = await dumpPlace()
  empty = await emptyDatabase()
  const file = place.path('whole.tar')
  await write({ file, url: await urlOf(world.database), artifacts: world.artifacts })
  whole = readFileSync(file)
  right = await check(file)
})
afterAll(async () => {
  await world.drop()
  await empty.drop()
  await place.remove()
})

function check(file: string): Promise<Checked> {
  return checkDump({ file, progress: silent, signal: new AbortController().signal })
}

function fileOf(bytes: Buffer): string {
  const file = place.path('damaged.tar')
  writeFileSync(file, bytes)
  return file
}

function outcomeOf(bytes: Buffer): Promise<unknown> {
  return check(fileOf(bytes)).catch((error: unknown) => error)
}

/** The file with its entries changed. */
async function rewritten(change: (name: string, bytes: Buffer) => readonly [string, Buffer][]): Promise<Buffer> {
  const extract = tar.extract()
  extract.end(whole)
  const pack = tar.pack()
  const digests = new Map<string, string>()
  const sealed = (name: string, bytes: Buffer): Buffer => {
    // A file that is changed on purpose gets a new seal.
    if (name === 'manifest.sha256') return Buffer.from(digests.get('manifest.json') ?? '')
    if (name !== 'manifest.json') return bytes
    const manifest = JSON.parse(bytes.toString()) as Checked['manifest']
    return Buffer.from(JSON.stringify({ ...manifest, header_sha256: digests.get('latarnik.json') ?? '' }))
  }
  for await (const entry of extract) {
    for (const [name, written] of change(entry.header.name, await buffer(entry))) {
      const bytes = sealed(name, written)
      digests.set(name, createHash('sha256').update(bytes).digest('hex'))
      pack.entry({ name }, bytes)
    }
  }
  pack.finalize()
  return buffer(pack)
}

async function refusalOf(bytes: Buffer): Promise<string> {
  const file = fileOf(bytes)
  const choice = { file, url: empty.url, artifacts: place.artifacts('nothing') }
  const error = await load(choice).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DumpRefused)
  expect(await contentOf(empty.database)).toEqual({})
  return error instanceof Error ? error.message.replace(file, 'FILE') : ''
}

test('a file that is cut short anywhere is refused', async () => {
  // The last kilobyte is zeros.
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1025 }), async (length) => {
      const outcome = await outcomeOf(whole.subarray(0, length))
      expect(outcome).toBeInstanceOf(DumpRefused)
      expect(String(outcome)).toMatch(/is damaged: .*Nothing was changed\.$|is no backup or export of Latarnik\.$/)
    }),
    { numRuns: 60 },
  )
})

test('a byte that changed anywhere is found, unless it means nothing', async () => {
  const flip = fc.record({ at: fc.nat(whole.length - 1), bit: fc.nat(7) })
  let refused = 0
  await fc.assert(
    fc.asyncProperty(flip, async ({ at, bit }) => {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      const outcome = await outcomeOf(bytes)
      if (outcome instanceof DumpRefused) refused += 1
      else expect(outcome).toEqual(right)
    }),
    { numRuns: 150 },
  )
  expect(refused).toBeGreaterThan(40)
})

test.each([
  ['a part is missing', (name: string) => !name.startsWith('tables/accounts/'), /accounts.*was changed/],
  [
    'an artifact is missing',
    (name: string) => !name.startsWith('artifacts/'),
    /artifacts are missing or were replaced/,
  ],
  ['the manifest is missing', (name: string) => !name.startsWith('manifest.'), /it ends too early/],
  [
    'the beginning is missing',
    (name: string) => name !== 'latarnik.json',
    /^FILE is no backup or export of Latarnik\.$/,
  ],
])('%s', async (_what, isKept, sentence) => {
  expect(await refusalOf(await rewritten((name, bytes) => (isKept(name) ? [[name, bytes]] : [])))).toMatch(sentence)
})

test('something that was not written is in it', async () => {
  const more = await rewritten((name, bytes) =>
    name === 'manifest.json'
      ? [
          ['tables/extra.gz', Buffer.from('x')],
          [name, bytes],
        ]
      : [[name, bytes]],
  )
  expect(await refusalOf(more)).toBe('FILE is damaged: it holds more than its manifest names. Nothing was changed.')
  const after = await rewritten((name, bytes) =>
    name === 'manifest.sha256'
      ? [
          [name, bytes],
          ['tables/extra.gz', Buffer.from('x')],
        ]
      : [[name, bytes]],
  )
  expect(await refusalOf(after)).toBe('FILE is damaged: something was added to its end. Nothing was changed.')
})

/** With a further table of that name, whose one part is these bytes. */
function withTable(name: string, columns: readonly string[], bytes: Buffer): Promise<Buffer> {
  const path = 'tables/strange/000001.gz'
  return rewritten((entry, written) => {
    if (entry !== 'manifest.json') return [[entry, written]]
    const manifest = JSON.parse(written.toString()) as Checked['manifest']
    const part = { path, sha256: createHash('sha256').update(bytes).digest('hex') }
    const tables = [...manifest.tables, { name, columns, rows: 1, parts: [part] }]
    return [
      [path, bytes],
      [entry, Buffer.from(JSON.stringify({ ...manifest, tables }))],
    ]
  })
}

test.each(['pg_authid', 'nowhere'])(
  'a file that would fill %s is refused: that is none of our tables',
  async (name) => {
    expect(await refusalOf(await withTable(name, ['oid'], gzipSync('1\n')))).toBe(
      `FILE is damaged: it holds an unknown table, ${name}. Nothing was changed.`,
    )
  },
)

test('a part that unpacks without end is refused, in little memory', async () => {
  const before = process.memoryUsage().rss
  const bomb = await withTable('accounts', ['id'], gzipSync(Buffer.alloc(300 * 1_048_576)))
  expect(await refusalOf(bomb)).toMatch(/^FILE is damaged: tables\/strange\/000001\.gz cannot be unpacked\. Nothing/)
  expect(process.memoryUsage().rss - before).toBeLessThan(900 * 1_048_576)
})

test.each(['artifacts/../../../escaped.gz', '../../escaped', '/tmp/escaped', 'artifacts/20261121/1/../../x.gz'])(
  'an entry called %s is put nowhere',
  async (name) => {
    const more = await rewritten((entry, bytes) =>
      entry === 'manifest.json'
        ? [
            [name, gzipSync('x')],
            [entry, bytes],
          ]
        : [[entry, bytes]],
    )
    expect(await refusalOf(more)).toBe('FILE is damaged: it holds more than its manifest names. Nothing was changed.')
  },
)

type Strange = Parameters<tar.Pack['entry']>[0]

/** The file with an entry of this kind in front of its manifest. */
async function withEntry(header: Strange): Promise<Buffer> {
  const extract = tar.extract()
  extract.end(whole)
  const pack = tar.pack()
  for await (const entry of extract) {
    if (entry.header.name === 'manifest.json') pack.entry(header, Buffer.alloc(0))
    pack.entry({ name: entry.header.name }, await buffer(entry))
  }
  pack.finalize()
  return buffer(pack)
}

test.each<readonly [string, Strange]>([
  ['a link', { name: 'tables/link', type: 'symlink', linkname: '/etc/passwd' }],
  ['a hard link', { name: 'tables/link', type: 'link', linkname: 'latarnik.json' }],
  ['a directory', { name: 'tables/', type: 'directory' }],
  ['a device', { name: 'tables/device', type: 'character-device' }],
  ['a name of a megabyte', { name: 'tables/x', pax: { path: `tables/${'x'.repeat(1_048_576)}` } }],
  ['a header that says more', { name: 'tables/x', pax: { comment: 'more' } }],
])('%s in the file is refused where it is met', async (_what, header) => {
  expect(await refusalOf(await withEntry(header))).toBe(
    'FILE is damaged: it holds something that no backup has: a link, or a very long name. Nothing was changed.',
  )
})

test('a name that says it is longer than any memory is not waited for', async () => {
  const [first] = [Buffer.from(whole.subarray(0, 512))]
  first.write('77777777777\0', 124, 'latin1')
  first.write('L', 156, 'latin1')
  first.write('        ', 148, 'latin1')
  const sum = first.reduce((total, byte) => total + byte, 0)
  first.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  expect(await refusalOf(Buffer.concat([first, whole]))).toBe(
    'FILE is damaged: it is not a tar file of Latarnik. Nothing was changed.',
  )
})

function withHeader(change: object): Promise<Buffer> {
  return rewritten((name, bytes) => [
    [
      name,
      name === 'latarnik.json' ? Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), ...change })) : bytes,
    ],
  ])
}

test('a later format or a later schema is refused', async () => {
  expect(await refusalOf(await withHeader({ format_version: 2, days: undefined }))).toBe(
    'FILE has the format 2, and this program reads up to 1: use the version that wrote it or a later one.',
  )
  expect(await refusalOf(await withHeader({ schema: 999 }))).toMatch(
    /^FILE was written by Latarnik 1\.2\.3 \(its schema is 999, this program knows \d+\): use that version or a later one\.$/,
  )
})

test('rows that the manifest does not count are refused', async () => {
  const counted = await rewritten((name, bytes) => {
    if (name !== 'manifest.json') return [[name, bytes]]
    const manifest = JSON.parse(bytes.toString()) as Checked['manifest']
    const tables = manifest.tables.map((table) =>
      table.name === 'groups' ? { ...table, rows: table.rows + 1 } : table,
    )
    return [[name, Buffer.from(JSON.stringify({ ...manifest, tables }))]]
  })
  expect(await refusalOf(counted)).toMatch(/^FILE is damaged: groups has \d+ rows, not \d+\. Nothing was changed\.$/)
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('select 1;\n'.repeat(200))],
  ['zeros', Buffer.alloc(4096)],
])('%s is no backup', async (_what, bytes) => {
  expect(await refusalOf(bytes)).toMatch(/^FILE is (no backup or export of Latarnik|damaged)/)
})

test('a file that is not there', async () => {
  await expect(check(place.path('nowhere.tar'))).rejects.toThrow(/nowhere\.tar cannot be read: ENOENT/)
  await expect(check(place.directory)).rejects.toThrow(/cannot be read: EISDIR/)
})
