import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import sqlite from 'node-sqlite3-wasm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FaultyConfiguration } from '../../src/configuration/fault.ts'
import { Draft } from '../../src/importers/draft.ts'
import { importers } from '../../src/importers/index.ts'
import { inputOf, inputOfBytes, inputOfStream } from '../../src/importers/input.ts'
import { commitSeed } from '../support/commit-seed.ts'

/** Files that are damaged, cut, huge or something else: each ends with its reason, and nothing of it is left behind. */

let folder: string
let whole: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latarnik-hostile-'))
  whole = join(folder, 'kuma.db')
  const database = new sqlite.Database(whole)
  database.exec(readFileSync('test/importers/fixtures/uptime-kuma/kuma.sql', 'utf8'))
  database.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function draftOf(product: string): Draft {
  return new Draft({ product, mark: 'test', nowAt: 0, minimumInterval: 60, environment: {} })
}

async function kumaFrom(path: string): Promise<Draft> {
  const draft = draftOf('Uptime Kuma')
  await importers.find(({ kind }) => kind === 'uptime-kuma')?.read([await inputOf(path)], draft)
  return draft
}

test('a database that is cut or damaged is refused by its name', async () => {
  const cut = join(folder, 'cut.db')
  copyFileSync(whole, cut)
  truncateSync(cut, 60_000)
  await expect(kumaFrom(cut)).rejects.toThrow(/cut\.db:1:1: The database cannot be read: .*malformed/)
  const damaged = join(folder, 'damaged.db')
  const bytes = readFileSync(whole)
  bytes.fill(0xa5, 4096, 40_000)
  writeFileSync(damaged, bytes)
  await expect(kumaFrom(damaged)).rejects.toThrow(FaultyConfiguration)
})

test('a dump with more rows of a table than any configuration has is refused; rows of other tables are passed by', async () => {
  const dump = readFileSync('test/importers/fixtures/uptime-kuma.mariadb/kuma.xml', 'utf8')
  const rows = (table: string) => `<table_data name="${table}">${'<row/>'.repeat(100_001)}</table_data></database>`
  const [beats, tags] = [join(folder, 'beats.xml'), join(folder, 'tags.xml')]
  writeFileSync(beats, dump.replace('</database>', rows('heartbeat')))
  const [plain, withBeats] = [
    await kumaFrom('test/importers/fixtures/uptime-kuma.mariadb/kuma.xml'),
    await kumaFrom(beats),
  ]
  expect(withBeats.finish()).toEqual(plain.finish())
  writeFileSync(tags, dump.replace('</database>', rows('tag')))
  await expect(kumaFrom(tags)).rejects.toThrow('The table tag has more than 100000 rows.')
})

test('a database of something else, and an empty one, are refused', async () => {
  const other = join(folder, 'other.db')
  const database = new sqlite.Database(other)
  database.exec('create table monitor (a int); create table x (y text)')
  database.close()
  await expect(kumaFrom(other)).rejects.toThrow('There are no monitors of Uptime Kuma in it.')
  const empty = join(folder, 'empty.db')
  writeFileSync(empty, '')
  await expect(kumaFrom(empty)).rejects.toThrow('Expected kuma.db')
})

test('a table with more rows than any configuration has is refused', async () => {
  const full = join(folder, 'full.db')
  const database = new sqlite.Database(full)
  database.exec(
    'create table monitor as with recursive n(id) as (select 1 union all select id + 1 from n where id < 100001) select id from n',
  )
  database.close()
  await expect(kumaFrom(full)).rejects.toThrow('The table monitor has more than 100000 rows.')
})

test('the database is read in its place: nothing beside it is made or changed, nor anything left in the temporary folder', async () => {
  const before = readFileSync(whole)
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('latarnik-import-copy-'))
  const there = readdirSync(folder).toSorted()
  await kumaFrom(whole)
  expect(readFileSync(whole).equals(before)).toBe(true)
  expect(readdirSync(folder).toSorted()).toEqual(there)
  expect(left()).toEqual([])
})

test('a dump that is cut, and one of statements, say what is wrong', async () => {
  const dump = readFileSync('test/importers/fixtures/uptime-kuma.mariadb/kuma.xml', 'utf8')
  const cut = join(folder, 'cut.xml')
  writeFileSync(cut, dump.slice(0, dump.length / 2))
  await expect(kumaFrom(cut)).rejects.toThrow('The dump is cut: it does not end with </mysqldump>.')
  const statements = join(folder, 'kuma.sql')
  writeFileSync(statements, '-- MariaDB dump 10.19\nINSERT INTO `monitor` VALUES (1);\n')
  await expect(kumaFrom(statements)).rejects.toThrow('A dump of statements is made anew with --xml.')
})

/** Lengths for which the parser alone takes more than the half minute that a test has. */
test.each([
  ['a value in double quotes', '<table_data name="', 'a', 4096],
  ['a value in single quotes', "<table_data name='", 'a', 4096],
  ['a comment', '<!--', '-', 256],
  ['a declaration', '<!DOCTYPE x [', '<', 4096],
  ['a part of characters', '<![CDATA[', ']', 4096],
  ['a text', '<table_data>', '&', 4096],
  ['the name of a part', '<', 'a', 4096],
])(
  'a dump that leaves %s open is refused at once, however long it is',
  {
    timeout: 30_000,
  },
  async (_what, opened, filling, kibibytes) => {
    const dump = `<mysqldump>${opened}${filling.repeat(kibibytes * 1024)}`
    await expect(imported('uptime-kuma', dump)).rejects.toThrow('The dump is cut: it does not end with </mysqldump>.')
  },
)

test('entities of a dump are never expanded, and aliases of YAML count as what they repeat', async () => {
  const bomb = join(folder, 'bomb.xml')
  const entities = [...'bcdefghi'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefgh'[at]};`.repeat(20)}">`).join('')
  const dump = readFileSync('test/importers/fixtures/uptime-kuma.mariadb/kuma.xml', 'utf8')
  const head = `<?xml version="1.0"?><!DOCTYPE mysqldump [<!ENTITY a "${'a'.repeat(50)}">${entities}]>`
  writeFileSync(bomb, dump.replace(/<\?xml[^>]*\?>/, head).replace(/(<field name="name"[^>]*>)[^<]*/, '$1&i;'))
  await expect(kumaFrom(bomb)).rejects.toThrow(FaultyConfiguration)
  const gatus = importers.find(({ kind }) => kind === 'gatus')
  const lines = [...'bcdefghi'].map((name, at) => `- &${name} [${Array(10).fill(`*${'abcdefgh'[at]}`).join()}]\n`)
  const aliases = Buffer.from(`endpoints:\n- &a [x]\n${lines.join('')}`)
  const read = async () => gatus?.read([inputOfBytes('bomb.yaml', aliases)], draftOf('Gatus'))
  await expect(read()).rejects.toThrow('those of aliases included')
})

async function imported(kind: string, ...texts: readonly string[]): Promise<Draft> {
  const draft = draftOf(kind)
  const inputs = texts.map((text) => inputOfBytes('in', Buffer.from(text)))
  await importers.find((one) => one.kind === kind)?.read(inputs, draft)
  return draft
}

test('the files of Gatus are one configuration, also those that hold settings of Gatus alone', async () => {
  const hook = 'https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx'
  const alerts = 'alerts: [{ type: slack }], url: "http://127.0.0.1/"'
  const files = [
    'metrics: true\nui: { header: x }\n',
    `alerting: { slack: { webhook-url: "${hook}" } }\nendpoints: [{ name: a, ${alerts} }]\n`,
    `alerting: { slack: { default-alert: { failure-threshold: 1, send-on-resolved: true } } }\nendpoints: [{ name: b, ${alerts} }]\n`,
  ]
  const { document } = (await imported('gatus', ...files)).finish()
  expect(document['services']).toMatchObject({ a: { contact_ids: ['slack'] }, b: { contact_ids: ['slack'] } })
  expect(document['services']).not.toHaveProperty('a.notification_condition_ids')
  await expect(imported('gatus', 'metrics: true\n', 'ui: {}\n')).rejects.toThrow('This is no configuration of Gatus')
})

test('a text that is too large is refused before it is parsed, with the place of a fault where it is small enough', async () => {
  const endpoints = '- { name: a, url: "http://127.0.0.1/" }\n'.repeat(230_000)
  await expect(imported('gatus', `endpoints:\n${endpoints}`)).rejects.toThrow(
    'in:1:1: A file in YAML has at most 8 MiB. Split it into several.',
  )
  const json = `{"monitors": [\n${'{"id": 1, "url": "http://127.0.0.1/"},\n'.repeat(230_000)}`
  await expect(imported('uptimerobot', `${json}{"id": x}]}`)).rejects.toThrow(/^in:\d+:\d+: This is no JSON: /)
  await expect(imported('uptimerobot', json)).rejects.toThrow('in:230002:1: This is no JSON: ')
  await expect(imported('uptimerobot', '{"monitors": [}')).rejects.toThrow('in:1:15: ')
  async function* endless() {
    for (let at = 0; at < 10_000; at += 1) yield Buffer.alloc(1024 * 1024, 'a')
  }
  await expect(inputOfStream('standard input', endless())).rejects.toThrow('A text has at most 64 MiB')
})

test('lists of any length are read, and thousands of one name get keys of their own', async () => {
  const windows = Array.from({ length: 200_000 }, () => '{}').join()
  const monitors = Array.from(
    { length: 3000 },
    () => '{"friendly_name": "a", "url": "http://127.0.0.1/", "type": 1}',
  ).join()
  const { document } = (await imported('uptimerobot', `{"mwindows": [${windows}], "monitors": [${monitors}]}`)).finish()
  const keys = Object.keys(document['services'] as object)
  expect([keys.length, keys.slice(0, 3), keys.at(-1)]).toEqual([3000, ['a', 'a-2', 'a-3'], 'a-3000'])
  const alerts = Array.from({ length: 150_000 }, () => '{"type": "none"}').join()
  const one = `{"endpoints": [{"name": "a", "url": "http://127.0.0.1/", "alerts": [${alerts}]}]}`
  expect((await imported('gatus', one)).finish().document).toMatchObject({ services: { a: { name: 'a' } } })
})

test('columns that a database computes are not read', async () => {
  const path = join(folder, 'computed.db')
  const database = new sqlite.Database(path)
  database.exec(`create table monitor (id, name, type, hostname, description as ('computed'));
    insert into monitor values (1, 'a', 'ping', '127.0.0.1')`)
  database.close()
  const { document } = (await kumaFrom(path)).finish()
  expect(document['services']).toMatchObject({ a: { address: '127.0.0.1' } })
  expect(document['services']).not.toHaveProperty('a.description')
})

test.each([
  [
    'uptimerobot',
    (deep: string) => `{"monitors": [{"id": 1, "url": "http://127.0.0.1/", "type": 1, "post_value": ${deep}}]}`,
  ],
  ['gatus', (deep: string) => `{"endpoints": [{"name": "a", "url": "http://127.0.0.1/", "x": ${deep}}]}`],
  ['healthchecks', (deep: string) => `[{"model": "api.check", "fields": {"name": ${deep}}}]`],
] as const)('an export of %s that is too many levels deep is refused', async (kind, textOf) => {
  const deep = textOf('['.repeat(200_000) + ']'.repeat(200_000))
  await expect(imported(kind, deep)).rejects.toThrow('in:1:1: The file is more than 60 levels deep.')
  const within = textOf(JSON.stringify('['.repeat(200_000) + ']'.repeat(200_000)))
  expect((await imported(kind, within)).finish().document).toMatchObject({ version: 1 })
})

test('names that turn the order of reading around lose the signs for it', async () => {
  const file = 'endpoints:\n- { name: "a\\u202eb", group: "\\u2066g", url: "http://127.0.0.1/" }\n'
  const { document, report } = (await imported('gatus', file)).finish()
  expect(document).toMatchObject({ services: { ab: { name: 'ab' } }, groups: { g: { name: 'g' } } })
  expect(report.items.map(({ notes }) => notes)).toEqual([
    ['Its name is without the signs that turn the order of reading around.'],
  ])
})

test('names that had to change are told: characters that command a terminal, and what is too long', async () => {
  const long = 'x'.repeat(250)
  const file = `endpoints:\n- { name: "a\\0b", group: "g\\x1b[2J", url: "http://127.0.0.1/" }\n- { name: " ${long} ", url: "http://127.0.0.1/" }\n- { name: " c ", url: "http://127.0.0.1/" }\n`
  const { document, report } = (await imported('gatus', file)).finish()
  expect(document['services']).toMatchObject({ 'a-b': { name: 'a b' }, c: { name: 'c' } })
  expect(report.items.map(({ name, outcome, notes }) => [name, outcome, ...notes])).toEqual([
    ['a b', 'changed', 'Its name has spaces in place of control characters.'],
    ['x'.repeat(200), 'changed', 'Its name is cut to 200 characters.'],
    ['c', 'carried'],
  ])
  expect(report.notes).toContain('The name of the group “g [2J” has spaces in place of control characters.')
})

test('a folder and a file that is not there are refused', async () => {
  await expect(inputOf(folder)).rejects.toThrow('it is no file')
  await expect(inputOf(join(folder, 'none'))).rejects.toThrow('there is no such file')
})

/** Values where an export has others. */
const anything = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constantFrom(null, true, [], {}, `\${HOME}`, 'https://', '[1', '9'.repeat(400), { a: [1, { b: null }] }),
  // Members that objects have by themselves.
  fc.constantFrom('constructor', '__proto__', 'toString', 'constructor://127.0.0.1', '$constructor', {
    a: { toString: 1 },
  }),
)

const jsonFixtures = readdirSync('test/importers/fixtures', { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.json'),
)

/** Some members of the whole, at any depth, replaced. */
function spoiled(value: unknown, next: () => number, other: () => unknown): unknown {
  if (next() < 0.04) return other()
  if (Array.isArray(value)) return value.map((element: unknown) => spoiled(element, next, other))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, spoiled(member, next, other)]))
}

test('whatever stands in place of a value, an import ends with a configuration or with faults', {
  timeout: 120_000,
}, async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...jsonFixtures),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 50, maxLength: 50 }),
    fc.array(anything, { minLength: 10, maxLength: 10 }),
    async (path, dice, others) => {
      let turn = 0
      const next = () => dice[turn++ % dice.length] ?? 1
      const value = spoiled(
        JSON.parse(readFileSync(join('test/importers/fixtures', path), 'utf8')),
        next,
        () => others[turn % others.length],
      )
      const importer = importers.find(({ kind }) => path.startsWith(kind))
      const draft = draftOf(importer?.product ?? '')
      try {
        await importer?.read([inputOfBytes(path, Buffer.from(JSON.stringify(value)))], draft)
        expect(draft.finish().document).toMatchObject({ version: 1 })
      } catch (error) {
        if (!(error instanceof FaultyConfiguration)) throw error
      }
    },
  )
  await fc.assert(property, { seed: commitSeed(), numRuns: 600 })
})
