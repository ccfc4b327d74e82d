import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import sqlite from 'node-sqlite3-wasm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Api } from '../../src/configuration/api.ts'
import { yamlOf } from '../../src/configuration/show.ts'
import { Draft, type Drawn } from '../../src/importers/draft.ts'
import { importers } from '../../src/importers/index.ts'
import { inputOf } from '../../src/importers/input.ts'
import { reportMarkdown } from '../../src/importers/report.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { apiFor, applied, changesOf, forgetAll, planned } from '../support/configuring.ts'

/** Every export among the fixtures becomes a file that an installation takes whole, and that then changes nothing. */

const root = 'test/importers/fixtures'
const nowAt = Date.parse('2026-11-25T12:00:00Z')

let world: ApiWorld
let folder: string
let alice: Api

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latarnik-imported-'))
  world = await apiWorld()
  alice = apiFor(await world.server.listen({ host: '127.0.0.1', port: 0 }), 'alice')
})
afterAll(async () => {
  await world.drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => forgetAll(world.database))

/** `gatus`, or `uptime-kuma.v1` for another export of the same product. */
function kindOf(fixture: string): string {
  return fixture.replace(/\..*$/, '')
}

/** A database stands among the fixtures as the statements that make it, a big dump is packed. */
function fileOf(path: string): string {
  if (path.endsWith('.gz')) {
    const unpacked = join(folder, path.replaceAll('/', '-').replace(/\.gz$/, ''))
    writeFileSync(unpacked, gunzipSync(readFileSync(path)))
    return unpacked
  }
  if (!path.endsWith('.sql')) return path
  const made = join(folder, path.replaceAll('/', '-').replace(/sql$/, 'db'))
  const database = new sqlite.Database(made)
  if (database.all('select 1 from sqlite_master limit 1').length === 0) database.exec(readFileSync(path, 'utf8'))
  database.close()
  return made
}

async function drawn(fixture: string): Promise<Drawn> {
  const importer = importers.find(({ kind }) => kind === kindOf(fixture))
  if (importer === undefined) throw new Error(`no importer for ${fixture}`)
  const { product, kind: mark } = importer
  const draft = new Draft({ product, mark, nowAt, minimumInterval: 60, environment: { GATUS_TEAM: 'blue' } })
  const files = readdirSync(join(root, fixture)).toSorted()
  await importer.read(await Promise.all(files.map((file) => inputOf(fileOf(join(root, fixture, file))))), draft)
  return draft.finish()
}

/** Variables that a person sets by hand, because the export does not hold their values. */
const byHand: readonly (readonly [RegExp, string])[] = [
  [/SLACK/, 'https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx'],
  [/PUSHOVER_TOKEN/, 'a23456789012345678901234567890'],
  [/BOT_TOKEN/, '123456789:AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIII'],
]

function valueToSet(name: string, known: string): string {
  return known === '' ? (byHand.find(([pattern]) => pattern.test(name))?.[1] ?? 'set-by-hand') : known
}

const fixtures = readdirSync(root).filter((name) => !name.endsWith('.md'))

test('every kind has a fixture', () => {
  expect(importers.map(({ kind }) => kind).filter((kind) => !fixtures.some((name) => kindOf(name) === kind))).toEqual(
    [],
  )
})

test.each(fixtures)('%s becomes a file that changes nothing once it is applied', async (fixture) => {
  const { document, report, secrets } = await drawn(fixture)
  const yaml = yamlOf(document, ` Imported from ${report.product}.`)
  const environment = Object.fromEntries([...secrets].map(([name, value]) => [name, valueToSet(name, value)]))
  await expect(yaml).toMatchFileSnapshot(`expected/${fixture}.yaml`)
  await expect(reportMarkdown(report)).toMatchFileSnapshot(`expected/${fixture}.md`)
  const files = { 'imported.yaml': yaml }
  expect((await applied(alice, files, { environment })).filter((line) => !line.endsWith(' done'))).toEqual([])
  const again = await planned(alice, files, { environment })
  expect(changesOf(again.plan)).toEqual([])
  expect(again.plan.unchanged.length).toBeGreaterThan(0)
})

test('Uptime Kuma becomes the same file from SQLite and from MariaDB', async () => {
  const [sqliteFile, mariadbFile] = [await drawn('uptime-kuma.v2'), await drawn('uptime-kuma.v2-mariadb')]
  expect(mariadbFile.document).toEqual(sqliteFile.document)
  expect(mariadbFile.report).toEqual(sqliteFile.report)
  expect(mariadbFile.report.items.length).toBeGreaterThan(80)
})

test.each(fixtures)('no secret of %s stands in its file or its report', async (fixture) => {
  const { document, report, secrets } = await drawn(fixture)
  const told = yamlOf(document, '') + reportMarkdown(report)
  const known = [...secrets.values()].filter((value) => value.length > 5)
  expect(known.filter((value) => told.includes(value))).toEqual([])
})
