import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import { contractOf } from '../support/contract.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { ownerFor } from '../support/people.ts'

/** Writing a read object back unchanged changes nothing; tested from the declarations alone. */
const registry = declaredResources()
const description = descriptionOf(interfaceDescription())
let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
  for (const service of withSecrets) expect((await world.call('alice', 'POST', '/services', service)).status).toBe(201)
})
afterAll(() => world.drop())

const recording = JSON.stringify({
  title: 'Zakupy',
  steps: [
    { type: 'navigate', url: 'https://shop.example.com/' },
    { type: 'change', value: '{{code}}', selectors: ['#code'] },
  ],
})

/** Fields that a GET never shows are the first that a PUT of it would lose. */
const withSecrets = [
  {
    type_id: 'http',
    name: 'Intranet',
    address: 'intranet.example.com',
    extended_settings: { username: 'alice', password: 'kept' },
  },
  {
    type_id: 'webappcheck',
    name: 'Zakupy',
    address: 'shop.example.com',
    extended_settings: { scenario: recording, secrets: 'code=kept' },
  },
]

const changeable = registry.all
  .filter(({ operations }) => operations.some((known) => known === 'update'))
  .map((resource) => [resource.name, resource] as const)

type Contents = Readonly<Record<string, readonly string[]>>

/** Every row of every table. */
async function contents(): Promise<Contents> {
  const tables = await world.database.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`)
  const entries: [string, readonly string[]][] = []
  for (const { name } of tables) {
    const rows = await world.database.query<{ row: string }>(
      sql`select to_jsonb(t)::text as row from ${raw(`"${name}"`)} t order by 1`,
    )
    entries.push([name, rows.map(({ row }) => row)])
  }
  return Object.fromEntries(entries)
}

test.each(changeable)(
  'each of %s written back as it was read changes nothing, in no table',
  async (_name, resource) => {
    const { objects, flagsOf } = contractOf(world, registry, resource, description)
    const paths: string[] = []
    for (const { path } of await objects()) if ((await flagsOf(path))['update']) paths.push(path)
    expect(paths.length, `the furnished world needs one of ${resource.name} that may change`).toBeGreaterThan(0)
    const owner = ownerFor(resource)
    for (const path of paths) {
      // A write that sets a time sets a different one than before.
      world.clock.advance(3000)
      const before = await world.call(owner, 'GET', path)
      const kept = await contents()
      const written = await world.call(owner, 'PUT', path, before.body)
      expect([path, written.status, written.text]).toEqual([path, 204, ''])
      const now = await contents()
      const after = await world.call(owner, 'GET', path)
      expect(after.body).toEqual(before.body)
      expect(after.headers['etag']).toBe(before.headers['etag'])
      expect(now).toEqual(kept)
    }
  },
)

test('a name from before it was refused turns nothing around, and can be written back', async () => {
  const id = world.serviceIds.shared
  await world.database.execute(sql`update services set name = ${'invoice\u202egpj.exe'} where id = ${id}`)
  const shown = await world.call('alice', 'GET', `/services/${id}?fields=id,name`)
  expect(shown.body).toEqual({ id, name: 'invoicegpj.exe' })
  expect((await world.call('alice', 'PUT', `/services/${id}`, { name: 'invoicegpj.exe' })).status).toBe(204)
  const [kept] = await world.database.query(sql`select name from services where id = ${id}`)
  expect(kept).toEqual({ name: 'invoicegpj.exe' })
})
