import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { missingRoles, watchRoles } from '../../src/program/missing-roles.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { silentLog } from '../support/monitoring.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

/** Each role in a process of its own. */
const patience = { timeout: 60_000, interval: 200 }
const directory = temporaryDirectory()
const page = createServer((_request, response) => response.end('ok'))
const launched: Launched[] = []
let db: TestDatabase

beforeAll(async () => {
  db = await testDatabase()
  await once(page.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  await Promise.all(launched.map(stop))
  page.close()
  await db.drop()
  directory.remove()
}, 60_000)

async function start(roles: string): Promise<Launched> {
  const variables = {
    DATABASE_URL: db.url,
    DATA_DIR: directory.path,
    ROLES: roles,
    ACCOUNT_PASSWORD: 'alice owns this',
  }
  const one = launch(variables)
  launched.push(one)
  await one.ready()
  return one
}

test('a process for each role is as good as one for all, and each says what is missing until the others are there', {
  timeout: 180_000,
}, async () => {
  const api = await start('api')
  expect(api.stdout()).toMatch(/^ {2}Missing +no process has the role monitoring: nothing is checked$/m)
  expect(api.stdout()).not.toMatch(/no process has the role sensor/)
  const monitoring = await start('monitoring')
  expect(monitoring.stdout()).toMatch(/^ {2}Missing +no process has the role notifier/m)
  expect(monitoring.stdout()).not.toMatch(/no process has the role monitoring/)
  await start('sensor')
  const [, rest] = [await start('notifier'), await start('reporter')]
  expect(rest.stdout()).not.toMatch(/Missing/)

  const url = await api.ready()
  const service = { type_id: 'http', name: 'Page', interval: 10 }
  const made = await fetch(`${url}/v3/services`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('user:alice owns this').toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...service, address: `127.0.0.1:${(page.address() as AddressInfo).port}/` }),
  })
  expect(made.status).toBe(201)
  await vi.waitFor(async () => {
    const analyses = await db.database.query(sql`select verdict, results from analyses_hot`)
    expect(analyses[0]).toEqual({ verdict: 'ok', results: ['o', 'o', 'o'] })
  }, patience)
  await vi.waitFor(() => expect(api.stderr()).toContain('A process has this role again'), patience)
})

test.each([
  [['api', 'monitoring', 'sensor', 'notifier', 'reporter'], []],
  [['api', 'monitoring', 'notifier', 'reporter'], []],
  [
    ['sensor'],
    [
      'no process has the role monitoring',
      'no process has the role notifier',
      'no process has the role reporter',
      'no process has the role api',
    ],
  ],
  [
    ['monitoring', 'notifier', 'reporter'],
    ['no process has the role sensor', 'no process has the role api'],
  ],
])('of %j it is said what is missing', (roles, sentences) => {
  expect(missingRoles(new Set(roles)).map((sentence) => sentence.split(/:| or/)[0])).toEqual(sentences)
})

test('who is alone with the embedded database says that nobody else can do it', () => {
  const watch = watchRoles({ own: ['api'], others: () => new Set(), isAlone: true, log: silentLog })
  expect(watch.missing()).toContain(
    'no process has the role monitoring: nothing is checked (the embedded database serves one process)',
  )
  watch.stop()
})
