import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer, request as forwarded } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  world = await apiWorld({ mustConfirmAddresses: true })
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

/** It tells nobody by choice. */
const shop =
  'version: 1\nservices:\n  shop: { name: Shop, type_id: http, address: shop.example.com, interval: 300, notification_channel_ids: [] }\n'

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
  const adopting = await latarnik(['plan', out])
  expect(adopting.code).toBe(2)
  expect(adopting.stdout).toMatch(/^~ groups\.\S+ {2}\(adopted: \d+ ".*"; only the mark changes\)\n\n/)
  expect(adopting.stdout).toContain(
    '\n0 to create, 0 to change, 0 to delete, 1 as they should be (mark latarnik). 1 stays as it is but for the mark.\n',
  )
  expect(await latarnik(['apply', out])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('\n1 changed (1 in the mark alone), 0 not; 1 were as they should be.\n'),
  })
  expect(await latarnik(['plan', out])).toMatchObject({ code: 0 })
  expect(await latarnik(['export', '-o', out])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is there already'),
  })
})

test('plan and apply end with the services that tell nobody, also for programs', async () => {
  const path = await fileOf('silent.yaml', shop.replace(', notification_channel_ids: []', ''))
  const told = /^latarnik: 1 service tells nobody of a failure: 1 in the group "[^"]+" \(shop\)\. Give each group .*\n$/
  const json = [{ key: 'shop', group: expect.any(String) }]
  expect(await latarnik(['plan', path])).toMatchObject({ code: 2, stderr: expect.stringMatching(told) })
  expect(JSON.parse((await latarnik(['plan', '--json', path])).stdout)).toMatchObject({ nobody_told: json })
  expect(await latarnik(['apply', path])).toMatchObject({ code: 0, stderr: expect.stringMatching(told) })
  expect(JSON.parse((await latarnik(['apply', '--json', path])).stdout)).toMatchObject({ nobody_told: json })
  const mail = 'notification_addresses:\n  me: { notification_channel_id: email, address: me@example.com }\n'
  await fileOf('silent.yaml', shop.replace(', notification_channel_ids: []', '') + mail)
  expect(await latarnik(['plan', path])).toMatchObject({ code: 2, stderr: '' })
  const waiting =
    /^latarnik: 1 service tells nobody.* 1 of them will tell an address once its holder confirms it\. Give /
  expect(await latarnik(['apply', path])).toMatchObject({ code: 0, stderr: expect.stringMatching(waiting) })
})

test('an export says how many objects of other marks it leaves out', async () => {
  const other = await fileOf(
    'other.yaml',
    'version: 1\nmanaged_by: shop\nservices:\n  one: { name: One, type_id: http, address: shop.example.com }\n',
  )
  expect(await latarnik(['apply', other])).toMatchObject({ code: 0 })
  const { stdout, stderr } = await latarnik(['export'])
  expect(stderr).toContain('Not in it: 1 object with the mark shop; --managed-by shop exports them.')
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

test('an installation that is away amid an apply is told with what was done, and the next apply makes the rest', async () => {
  const count = 40
  const lines = Array.from(
    { length: count },
    (_none, at) => `  s${at}: { name: S${at}, type_id: http, address: a.test, notification_channel_ids: [] }\n`,
  )
  const path = await fileOf('many.yaml', `version: 1\nservices:\n${lines.join('')}`)
  let writes = 0
  // In front of the installation: it takes some changes, and then nobody answers, nor listens.
  const front = createServer((request, response) => {
    if (request.method === 'POST') writes += 1
    if (writes > 10) {
      front.close()
      front.closeAllConnections()
      return
    }
    const to = forwarded(`${server}${request.url}`, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(to)
    to.on('error', () => response.destroy())
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  const { port } = front.address() as AddressInfo
  const broken = await latarnik(['apply', path], { LATARNIK_URL: `http://127.0.0.1:${port}` })
  expect(broken.code).toBe(1)
  expect(broken.stderr).toMatch(/^latarnik: It broke off: .*\nlatarnik: http:\S+ cannot be reached: .+\n$/)
  const [, changed = '', missed = ''] = /^(\d+) changed, (\d+) not; /m.exec(broken.stdout) ?? []
  expect(Number(changed) + Number(missed)).toBe(count)
  expect(Number(changed)).toBeGreaterThan(0)
  expect(Number(changed)).toBeLessThanOrEqual(10)
  expect(broken.stdout.match(/^\+ services\.s\d+$/gm)).toHaveLength(Number(changed))
  expect(await latarnik(['apply', path])).toMatchObject({ code: 0, stderr: '' })
  const { body } = await world.call('alice', 'GET', '/services?managed_by=latarnik&fields=managed_key&limit=1000')
  const keys = (body as readonly { readonly managed_key: string }[]).map(({ managed_key: key }) => key)
  expect(keys.toSorted()).toEqual(Array.from({ length: count }, (_none, at) => `s${at}`).toSorted())
})

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    'an address that is none',
    { LATARNIK_URL: 'shop' },
    /--server \(LATARNIK_URL\) is no address: shop\. Expected https:/,
  ],
  ['another scheme', { LATARNIK_URL: 'ftp://127.0.0.1/' }, /--server \(LATARNIK_URL\) must begin with https/],
  ['nobody there', { LATARNIK_URL: 'http://127.0.0.1:1' }, /http:\/\/127\.0\.0\.1:1 cannot be reached: \S+/],
  [
    'a token that is none',
    { LATARNIK_TOKEN: 'lat_nonsense' },
    /refuses \(401\)\. .*Is the token, or the password, right\?/,
  ],
  ['no login', { LATARNIK_USERNAME: '', LATARNIK_PASSWORD: '' }, /Set LATARNIK_TOKEN|refuses \(401\)/],
])('%s: plan, apply and export end with 1 and say so', async (_what, variables, told) => {
  const path = await fileOf('told.yaml', shop)
  for (const command of [['plan', path], ['apply', path], ['export']]) {
    const { code, stdout, stderr } = await latarnik(command, variables)
    expect([command[0], code, stdout, stderr]).toEqual([command[0], 1, '', expect.stringMatching(told)])
    expect(stderr).not.toMatch(/\n {4}at /)
  }
})

test.each<[string, string | Buffer, RegExp]>([
  ['nine megabytes', `version: 1\nx-a: "${'a'.repeat(9 * 1024 * 1024)}"\n`, /:1:1: A file has at most 8 MiB\./],
  [
    'a bomb of aliases',
    `version: 1\nx-a: &a [1]\nx-b: [${'*a,'.repeat(30_000)}]\n`,
    /:\d+:\d+: .*more than 20000 aliases/,
  ],
  [
    'a NUL',
    Buffer.from('version: 1\nservices:\n  a: { name: "A\\0", type_id: http, address: a.test }\n'),
    /:3:\d+: services\.a\.name/,
  ],
  ['bytes that are no text', Buffer.from([0x76, 0, 0xff, 0xfe]), /:1:1: The file is no/],
])('%s: refused at its place, and nothing is changed', async (_what, content, told) => {
  const path = join(folder, 'hostile.yaml')
  await writeFile(path, content)
  const before = await world.call('alice', 'GET', '/services?fields=id&limit=0')
  for (const command of ['plan', 'apply']) {
    const { code, stdout, stderr } = await latarnik([command, path])
    expect([command, code, stdout, stderr]).toEqual([command, 1, '', expect.stringMatching(told)])
    expect(stderr.length).toBeLessThan(2000)
  }
  const after = await world.call('alice', 'GET', '/services?fields=id&limit=0')
  expect(after.headers['x-total-count']).toEqual(before.headers['x-total-count'])
})

test('an option or a command that is nearly right is told', async () => {
  const option = await latarnik(['plan', '--jsn'])
  expect([option.code, option.stderr]).toEqual([2, expect.stringContaining('(Did you mean --json?)')])
  const command = await latarnik(['aply'])
  expect([command.code, command.stderr]).toEqual([2, expect.stringContaining('(Did you mean apply?)')])
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

test('a folder that has no file is a mistake, and never an empty configuration', async () => {
  const empty = join(folder, 'empty')
  await mkdir(empty)
  await writeFile(join(empty, 'shop.yaml.bak'), shop)
  for (const command of [['plan'], ['apply', '--prune', '--yes']])
    expect(await latarnik([...command, empty])).toMatchObject({
      code: 1,
      stderr: `latarnik: ${empty} cannot be read: it has no file that ends with .yaml, .yml, .json.\n`,
    })
})

test('pruning by an empty file, as a program that failed leaves it, deletes nothing', async () => {
  await latarnik(['apply', await fileOf('shop.yaml', shop)])
  const empty = await fileOf('cut.yaml', ' \n')
  expect(await latarnik(['apply', '--prune', '--yes', empty])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('cut.yaml:1:1: The file is empty, which would delete what it had.'),
  })
  expect(await latarnik(['plan', await fileOf('shop.yaml', shop)])).toMatchObject({ code: 0 })
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
