import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { forgetAll } from '../support/configuring.ts'
import { wholeProgram } from '../support/own-program.ts'
import { passwordOf } from '../support/people.ts'

/** The commands as people run them, against a server. */

let world: ApiWorld
let server: string
let folder: string

beforeAll(async () => {
  world = await apiWorld()
  server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(join(tmpdir(), 'latarnik-files-'))
})
afterAll(() => world.drop())
beforeEach(() => forgetAll(world.database))

async function latarnik(args: readonly string[], variables: Readonly<Record<string, string>> = {}, input = '') {
  const login = { LATARNIK_URL: server, LATARNIK_USERNAME: 'alice', LATARNIK_PASSWORD: passwordOf('alice') }
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [wholeProgram('cli'), ...args], {
    env: { PATH, HOME, LANG: 'C.UTF-8', ...login, ...variables },
  })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

const shop = 'version: 1\nservices:\n  shop: { name: Shop, type_id: http, address: shop.example.com, interval: 300 }\n'

async function fileOf(name: string, yaml: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, yaml)
  return path
}

test('the audit log tells that a change came by apply', async () => {
  const path = await fileOf('told.yaml', shop.replace('Shop', 'Told'))
  expect((await latarnik(['apply', path])).code).toBe(0)
  const told = await world.call('alice', 'GET', '/accounts/my_account/logs/audit?operation=services.create&sort=-id')
  expect((told.body as readonly { source: string }[])[0]).toMatchObject({ source: 'apply', after: { name: 'Told' } })
})

test('plan, apply and export, with their exit codes', async () => {
  const path = await fileOf('shop.yaml', shop)
  const planned = await latarnik(['plan', path])
  expect(planned).toMatchObject({ code: 2, stderr: '' })
  expect(planned.stdout).toContain('+ services.shop\n    name: "Shop"\n')
  expect(planned.stdout).toContain('1 to create, 0 to change, 0 to delete, 0 as they should be (mark latarnik).\n')
  expect(await latarnik(['apply', path])).toEqual({
    code: 0,
    stderr: '',
    stdout: '+ services.shop\n\n1 changed, 0 not; 0 were as they should be.\n',
  })
  expect(await latarnik(['plan', path])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^0 to create, .* 1 as they should be/),
  })
  expect(await latarnik(['apply', path])).toMatchObject({
    code: 0,
    stdout: '0 changed, 0 not; 1 were as they should be.\n',
  })
  const out = join(folder, 'export.yaml')
  expect(await latarnik(['export', '-o', out])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('2 objects'),
  })
  const yaml = await readFile(out, 'utf8')
  expect(yaml).toContain(`# yaml-language-server: $schema=${server}/v3/public/configuration.schema.json\n`)
  await latarnik(['apply', out])
  expect(await latarnik(['plan', out])).toMatchObject({ code: 0 })
  expect(await latarnik(['export', '-o', out])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is there already'),
  })
})

test('an export says how many objects of other marks it leaves out', async () => {
  const other = await fileOf(
    'other.yaml',
    'version: 1\nmanaged_by: shop\nservices:\n  one: { name: One, type_id: http, address: shop.example.com }\n',
  )
  expect(await latarnik(['apply', other])).toMatchObject({ code: 0 })
  const { stdout, stderr } = await latarnik(['export'])
  expect(stderr).toContain('1 objects with the mark shop are not in it; --managed-by shop exports them.')
  expect(stdout).not.toContain('shop.example.com')
  expect((await latarnik(['export', '--managed-by', 'shop'])).stdout).toContain('shop.example.com')
})

test('faults of the files end with 1, each with its place; so does a refused login', async () => {
  const wrong = await fileOf(
    'wrong.yaml',
    'version: 1\nservices:\n  shop:\n    name: Shop\n    type_id: telepathy\n    colour: red\n  Shop: {}\nserices: {}\n',
  )
  const { code, stdout, stderr } = await latarnik(['plan', wrong])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.split('\n').map((line) => line.replace(`latarnik: ${wrong}:`, '').slice(0, 40))).toEqual([
    expect.stringMatching(/^5:5: services\.shop\.type_id: /),
    expect.stringMatching(/^6:5: services\.shop\.colour: /),
    expect.stringMatching(/^3:3: services\.shop\.address: /),
    expect.stringMatching(/^7:3: services\.Shop: /),
    expect.stringMatching(/^8:1: serices: /),
    '',
  ])
  const twice = await fileOf('twice.yaml', `${shop}  shop: {}\n`)
  expect(await latarnik(['apply', twice])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/twice\.yaml:4:3: The key shop stands twice/),
  })
  const path = await fileOf('shop.yaml', shop)
  expect(await latarnik(['plan', path], { LATARNIK_PASSWORD: 'wrong' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('401'),
  })
  expect(await latarnik(['plan', join(folder, 'none.yaml')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no such file'),
  })
})

test('several files and folders are one configuration; the same key in two of them is refused with both places', async () => {
  const group = await fileOf('group.yaml', 'version: 1\ngroups: { g: { name: G } }\n')
  const more = await fileOf(
    'more.json',
    '{"version": 1, "services": {"cart": {"name": "Cart", "type_id": "http", "address": "a.example.com", "group_id": "g"}}}',
  )
  expect(await latarnik(['apply', group, more])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 changed'),
  })
  const other = await fileOf('other.yaml', 'version: 1\ngroups: { g: { name: H } }\n')
  const { code, stderr } = await latarnik(['plan', group, other])
  expect([code, stderr]).toEqual([
    1,
    `latarnik: ${other}:2:11: groups.g: This group is defined twice; the other one is in ${group}, line 2.\n`,
  ])
})

test('pruning needs --yes where nobody can be asked; a plan for programs is JSON', async () => {
  await latarnik(['apply', await fileOf('shop.yaml', shop)])
  const gone = await latarnik(['apply', '-', '--prune'], {}, 'version: 1\n')
  expect(gone).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('say --yes') })
  const { stdout } = await latarnik(['plan', '-', '--prune', '--json'], {}, 'version: 1\n')
  expect(JSON.parse(stdout)).toMatchObject({
    managed_by: 'latarnik',
    changes: [{ action: 'delete', kind: 'services', key: 'shop' }],
  })
  expect(await latarnik(['apply', '-', '--prune', '--yes'], {}, 'version: 1\n')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('- services.shop "Shop"'),
  })
})

test('a key needs no scope `account` to export, plan and apply', async () => {
  const path = await fileOf('keyed.yaml', shop)
  const scopes = ['read', 'write', 'notifications', 'reports']
  const made = await world.call('alice', 'POST', '/api_keys', { name: 'Configuration', scopes })
  const { key } = made.body as { readonly key: string }
  const login = { LATARNIK_USERNAME: '', LATARNIK_PASSWORD: '', LATARNIK_TOKEN: key }
  expect(await latarnik(['apply', path], login)).toMatchObject({ code: 0, stderr: '' })
  const { code, stdout, stderr } = await latarnik(['export'], login)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toBe((await latarnik(['export'])).stdout)
})

test('an installation is exported to a file by -o', async () => {
  expect(await latarnik(['export', join(folder, 'x.yaml'), '--server', server])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('write -o FILE to export the configuration of an installation'),
  })
})

test('a dump of all data is not written to a file named YAML', async () => {
  const path = join(folder, 'all.yaml')
  expect(await latarnik(['export', path])).toMatchObject({
    ...{ code: 2, stdout: '' },
    stderr: expect.stringContaining(`write -o ${path}`),
  })
  expect(existsSync(path)).toBe(false)
})

test('a secret is never printed', async () => {
  const path = await fileOf(
    'secret.yaml',
    `version: 1\nservices:\n  shop: { name: Shop, type_id: http, address: shop.example.com, description: "by \${WHO}", extended_settings: { username: a, password: "\${SECRET_P}" } }\n`,
  )
  const variables = { SECRET_P: 'geheim-1', WHO: 'geheim-2' }
  for (const command of [['plan'], ['plan', '--json'], ['apply'], ['apply', '--json']] as const) {
    const { stdout, stderr } = await latarnik([...command, path], variables)
    expect(stdout + stderr).not.toContain('geheim')
  }
  const { stdout, stderr } = await latarnik(['plan', path], { ...variables, SECRET_P: 'geheim-3', WHO: 'geheim-4' })
  expect(stdout + stderr).not.toContain('geheim')
  expect(stdout).toContain(`extended_settings.password: \${SECRET_P} (differs)`)
})
