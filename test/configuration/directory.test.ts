import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Api } from '../../src/configuration/api.ts'
import { applyDirectory } from '../../src/configuration/directory/apply-directory.ts'
import type { DirectoryReport, DirectoryTask } from '../../src/configuration/directory/directory-task.ts'
import { lookAt } from '../../src/configuration/directory/read-directory.ts'
import { faultText } from '../../src/configuration/fault.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { apiFor, forgetAll, model } from '../support/configuring.ts'

/** One run over a directory, as git-sync, Kubernetes and people change it. */

let world: ApiWorld
let alice: Api
let folder: string
let directory: string

beforeAll(async () => {
  world = await apiWorld({ mustConfirmAddresses: true })
  alice = apiFor(await world.server.listen({ host: '127.0.0.1', port: 0 }), 'alice')
})
afterAll(() => world.drop())
beforeEach(async () => {
  await forgetAll(world.database)
  folder = await mkdtemp(join(tmpdir(), 'latarnik-directory-'))
  directory = join(folder, 'config')
  await mkdir(directory)
})

const shop = (...keys: readonly string[]) =>
  [
    'version: 1',
    'managed_by: shop',
    'services:',
    ...keys.map((key) => `  ${key}: { name: ${key}, type_id: http, address: ${key}.example.com }`),
    '',
  ].join('\n')

function run(more: Partial<DirectoryTask> = {}, api = alice): Promise<DirectoryReport> {
  const task = { directory, secretsDirectory: null, environment: {}, isPruning: true, ...more }
  return applyDirectory(task, { model, api })
}

async function names(): Promise<readonly string[]> {
  const { body } = await world.call('alice', 'GET', '/services?managed_by=shop&fields=name&sort=name')
  return (body as readonly { name: string }[]).map(({ name }) => name)
}

const texts = ({ faults }: DirectoryReport) => faults.map(faultText)

test('files are applied, changed and pruned; a run after that changes nothing', async () => {
  await writeFile(join(directory, 'a.yaml'), shop('one', 'two'))
  expect(await run()).toMatchObject({ result: 'applied', mark: 'shop', files: 1, changed: 2, unchanged: 0, failed: 0 })
  expect(await run()).toMatchObject({ result: 'applied', changed: 0, unchanged: 2 })
  expect((await run()).untold).toMatch(
    /^2 services tell nobody of a failure: 2 in the group ".+" \((one, two|two, one)\)\. /,
  )
  await writeFile(join(directory, 'a.yaml'), shop('two', 'three'))
  expect(await run({ isPruning: false })).toMatchObject({ result: 'applied', changed: 1, left: 1 })
  expect(await names()).toEqual(['one', 'three', 'two'])
  expect(await run()).toMatchObject({ result: 'applied', changed: 1, left: 0, changes: ['delete services.one'] })
  expect(await names()).toEqual(['three', 'two'])
})

test('the link of git-sync: all of one commit, under the name that the operator gave', async () => {
  await mkdir(join(folder, 'first'))
  await mkdir(join(folder, 'second'))
  await writeFile(join(folder, 'first', 'a.yaml'), shop('one'))
  await writeFile(join(folder, 'second', 'a.yaml'), `${shop('one')}  Two: {}\n`)
  const link = join(folder, 'current')
  await symlink('first', link)
  expect(await run({ directory: link })).toMatchObject({ result: 'applied', changed: 1 })
  const before = await lookAt(link)
  await symlink('second', `${link}.new`)
  await rename(`${link}.new`, link)
  expect((await lookAt(link)).stamp).not.toBe(before.stamp)
  const refused = await run({ directory: link })
  expect(refused.result).toBe('refused')
  expect(texts(refused)).toEqual([expect.stringMatching(`^${link}/a.yaml:5:3: services.Two: A key has`)])
  expect(await names()).toEqual(['one'])
})

test('the ..data of a ConfigMap', async () => {
  for (const [name, key] of [
    ['..1', 'one'],
    ['..2', 'two'],
  ] as const) {
    await mkdir(join(directory, name))
    await writeFile(join(directory, name, 'a.yaml'), shop(key))
  }
  await symlink('..1', join(directory, '..data'))
  await symlink('..data/a.yaml', join(directory, 'a.yaml'))
  expect(await run()).toMatchObject({ result: 'applied', files: 1, changed: 1 })
  const before = await lookAt(directory)
  await symlink('..2', join(directory, '..data_tmp'))
  await rename(join(directory, '..data_tmp'), join(directory, '..data'))
  expect((await lookAt(directory)).stamp).not.toBe(before.stamp)
  await rm(join(directory, '..1'), { recursive: true })
  expect(await run()).toMatchObject({ result: 'applied', changed: 2 })
  expect(await names()).toEqual(['two'])
})

test('a directory that is away, empty or cut to nothing deletes nothing', async () => {
  await writeFile(join(directory, 'a.yaml'), shop('one'))
  await run()
  await writeFile(join(directory, 'a.yaml'), '')
  expect(texts(await run())).toEqual([expect.stringContaining('a.yaml:1:1: The file is empty')])
  await writeFile(join(directory, 'a.yaml'), 'version: 1\nmanaged_by: shop\n')
  expect(await run()).toMatchObject({
    result: 'refused',
    faults: [{ message: expect.stringContaining('delete all 1') }],
  })
  await rm(join(directory, 'a.yaml'))
  expect(await run()).toMatchObject({
    result: 'unreadable',
    faults: [{ message: expect.stringContaining('no YAML file') }],
  })
  await rm(directory, { recursive: true })
  expect(await run()).toMatchObject({
    result: 'unreadable',
    faults: [{ message: expect.stringContaining('no such file') }],
  })
  await writeFile(directory, 'a file')
  expect((await run()).result).toBe('unreadable')
  expect(await names()).toEqual(['one'])
})

test('a fault in one file keeps all of them from being applied', async () => {
  await writeFile(join(directory, 'a.yaml'), shop('one'))
  await writeFile(join(directory, 'b.yaml'), 'version: 1\nservices: [\n')
  await writeFile(join(directory, 'c.yaml'), shop('one'))
  const report = await run()
  expect(report).toMatchObject({ result: 'refused', files: 3, changed: 0 })
  expect(texts(report)).toEqual([
    expect.stringMatching(/b\.yaml:3:1: /),
    expect.stringMatching(
      /c\.yaml:4:3: services\.one: This service is defined twice; the other one is in .*a\.yaml, line 4/,
    ),
  ])
  expect(await names()).toEqual([])
})

test('what the API refuses is told at its place, and the rest is made', async () => {
  await writeFile(
    join(directory, 'a.yaml'),
    `${shop('one')}  two: { name: Two, type_id: http, address: a.test, extended_settings: { colour: 1 } }\n`,
  )
  const report = await run()
  expect(report).toMatchObject({ result: 'incomplete', changed: 1, failed: 1 })
  expect(texts(report)).toEqual([expect.stringMatching(/a\.yaml:5:\d+: services\.two\.extended_settings\.colour: /)])
})

test('an address that the type never takes is told before anything is made', async () => {
  await writeFile(
    join(directory, 'a.yaml'),
    `${shop('one')}  two: { name: Two, type_id: redis, address: '127.0.0.1:23714' }\n`,
  )
  const report = await run()
  expect(report).toMatchObject({ result: 'refused' })
  expect(texts(report)).toEqual([
    expect.stringMatching(/a\.yaml:5:\d+: services\.two\.address: .*Port \(extended_settings\.port\)/),
  ])
  expect(await names()).toEqual([])
})

test('the run that makes an address says that it is not confirmed, and what the files want of one refused tells nobody', async () => {
  const address = (more: string) =>
    `${shop('one')}notification_addresses:\n  me: { notification_channel_id: ${more} }\n`
  const told = /^1 service tells nobody of a failure: .+ \(one\)\. /
  await writeFile(join(directory, 'a.yaml'), address('webhook, settings: { url: not an address }'))
  expect(await run()).toMatchObject({ result: 'incomplete', untold: expect.stringMatching(told) })
  await writeFile(join(directory, 'a.yaml'), address('email, address: me@example.com'))
  expect(await run()).toMatchObject({
    result: 'applied',
    untold: expect.stringContaining('once its holder confirms it'),
  })
})

test('files name only their own secrets, and no message repeats one', async () => {
  const marker = 'marker-of-a-secret'
  const secrets = join(folder, 'secrets')
  await mkdir(secrets)
  await writeFile(join(secrets, 'hook'), `https://hooks.slack.com/services/T0/B0/${marker}\n`)
  await writeFile(join(folder, 'foreign'), marker)
  const hook = (url: string) =>
    `version: 1\nmanaged_by: shop\nnotification_addresses:\n  hook: { notification_channel_id: slack, settings: { url: '${url}' } }\n`
  const environment = {
    SECRET_HOOK: `https://hooks.slack.com/services/T0/B0/${marker}`,
    DATABASE_URL: marker,
    SECRET_WRONG: `not a url ${marker}`,
  }
  const task = { environment, secretsDirectory: secrets }
  const tried: DirectoryReport[] = []
  for (const url of [
    `\${DATABASE_URL}`,
    `file:${folder}/foreign`,
    'file:../foreign',
    'file:link',
    `\${SECRET_WRONG}`,
    `\${SECRET_HOOK}`,
    `file:${secrets}/hook`,
  ]) {
    await symlink(join(folder, 'foreign'), join(directory, 'link')).catch(() => undefined)
    await writeFile(join(directory, 'a.yaml'), hook(url))
    tried.push(await run(task))
  }
  expect(tried.map(({ result }) => result)).toEqual([
    'refused',
    'refused',
    'refused',
    'refused',
    'incomplete',
    'applied',
    'applied',
  ])
  expect(texts(tried[0] as DirectoryReport)).toEqual([
    expect.stringContaining('Only variables that begin with SECRET_'),
  ])
  expect(JSON.stringify(tried)).not.toContain(marker)
})

test('a link out of the directory is not read', async () => {
  await writeFile(join(folder, 'passwd.yaml'), 'root: marker-of-a-file')
  await symlink(join(folder, 'passwd.yaml'), join(directory, 'a.yaml'))
  const report = await run()
  expect(texts(report)).toEqual([expect.stringMatching(/config\/a\.yaml:1:1: It is a link to a file outside/)])
  expect(JSON.stringify(report)).not.toContain('marker')
})

test('hostile files are refused with their reason: bombs of aliases, depth, size, circles', async () => {
  const bomb = [
    'version: 1',
    'x-a0: &a0 [1,1,1,1,1,1,1,1,1,1]',
    ...Array.from({ length: 9 }, (_none, at) => `x-a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(',')}]`),
  ]
  const circle =
    'version: 1\nservices:\n  a: { name: a, type_id: http, address: a.example.com, parent_ids: [b] }\n  b: { name: b, type_id: http, address: b.example.com, parent_ids: [a] }\n'
  const cases: readonly [string, RegExp][] = [
    [bomb.join('\n'), /alias/i],
    [`version: 1\nx-a: ${'['.repeat(200)}${']'.repeat(200)}\n`, /levels deep/],
    [`version: 1\nx-a: "${'a'.repeat(9 * 1024 * 1024)}"\n`, /at most 8 MiB/],
    ['version: 1\nx-a: &a [*a]\n', /./],
    [circle, /which needs it/],
    [`version: 1\nservices: {\u0000}`, /./],
  ]
  for (const [text, reason] of cases) {
    await writeFile(join(directory, 'a.yaml'), text)
    const startedAt = performance.now()
    const report = await run()
    expect([report.result, texts(report).join('\n')]).toEqual(['refused', expect.stringMatching(reason)])
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  }
})

test('files that are replaced while they are read are read as one state', async () => {
  const path = join(directory, 'a.yaml')
  await writeFile(path, shop('one'))
  let isWriting = true
  const writing = (async () => {
    for (let turn = 0; isWriting && turn < 2000; turn += 1) {
      await writeFile(`${path}.new`, shop(turn % 2 === 0 ? 'two' : 'one'))
      await rename(`${path}.new`, path)
    }
  })()
  const report = await run({ isPruning: false })
  isWriting = false
  await writing
  expect(['applied', 'unreadable']).toContain(report.result)
  if (report.result === 'applied') expect(report.changed).toBe(1)
})

test('a read-only account changes nothing', async () => {
  await writeFile(join(directory, 'a.yaml'), shop('one'))
  const reader = {
    ...alice,
    send: (request: Parameters<Api['send']>[0]) =>
      request.method === 'GET'
        ? alice.send(request)
        : Promise.resolve({ status: 403, etag: null, body: [{ error: 'forbidden', message: 'No.' }] }),
  }
  expect(await run({}, reader)).toMatchObject({ result: 'incomplete', changed: 0, failed: 1 })
})
