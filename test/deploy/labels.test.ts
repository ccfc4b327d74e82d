import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Api } from '../../src/configuration/api.ts'
import { applyDirectory } from '../../src/configuration/directory/apply-directory.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { apiFor, model } from '../support/configuring.ts'

/**
 * Labels of containers and annotations of Kubernetes as files of configuration. The records are what the two clients
 * print: docker of an engine that stood in, kubectl of its own dry run.
 */

let world: ApiWorld
let alice: Api
let directory: string

beforeAll(async () => {
  world = await apiWorld()
  alice = apiFor(await world.server.listen({ host: '127.0.0.1', port: 0 }), 'alice')
})
afterAll(() => world.drop())
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'latarnik-labels-'))
})

function labels(input: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['deploy/labels/labels.mjs', ...args], {
    input,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const recorded = (name: string) => readFileSync(join('test/deploy/labels', name), 'utf8')
const container = (own: object, name = 'shop') =>
  JSON.stringify([{ Name: `/${name}`, Config: { Labels: { 'latarnik.address': 'shop.example.com', ...own } } }])

async function applied() {
  const task = { directory, secretsDirectory: null, environment: {}, isPruning: true }
  const { result, mark, changed, faults } = await applyDirectory(task, { model, api: alice })
  return { result, mark, changed, faults }
}

async function servicesOf(mark: string) {
  const fields = 'fields=managed_key,name,type_id,address,interval,tags'
  const { body } = await world.call('alice', 'GET', `/services?managed_by=${mark}&${fields}`)
  return (body as readonly { managed_key: string }[]).toSorted((one, other) =>
    one.managed_key < other.managed_key ? -1 : 1,
  )
}

test('labels that `docker ps` prints become services; containers without labels do not', async () => {
  const path = join(directory, 'docker.yaml')
  expect(labels(recorded('docker-ps.jsonl'), '--mark', 'docker', '-o', path)).toMatchObject({ status: 0, stderr: '' })
  expect(await applied()).toEqual({ result: 'applied', mark: 'docker', changed: 2, faults: [] })
  expect(await servicesOf('docker')).toMatchObject([
    { managed_key: 'shop-db-1', name: 'shop-db-1', type_id: 'tcp_connect', address: '192.0.2.15:5432' },
    { managed_key: 'shop-web-1', name: 'Shop, front page', type_id: 'https', interval: 300, tags: ['web', 'shop'] },
  ])
  expect(await applied()).toMatchObject({ result: 'applied', changed: 0 })
})

test('annotations that `kubectl get` prints become services: an address, or each host of an Ingress', async () => {
  const path = join(directory, 'kubernetes.yaml')
  expect(labels(recorded('kubectl-get.json'), '--mark', 'kubernetes', '-o', path).status).toBe(0)
  expect(await applied()).toEqual({ result: 'applied', mark: 'kubernetes', changed: 3, faults: [] })
  expect(await servicesOf('kubernetes')).toMatchObject([
    { managed_key: 'shop.db', name: 'shop/db', type_id: 'tcp_connect', address: 'db.shop.svc.cluster.local:5432' },
    { managed_key: 'shop.shop.shop.example.com', name: 'shop.example.com', interval: 300, tags: ['web'] },
    { managed_key: 'shop.shop.www.shop.example.com', name: 'www.shop.example.com', interval: 300 },
  ])
})

test('`docker inspect` says the same as `docker ps`', () => {
  const [first = ''] = recorded('docker-ps.jsonl').split('\n')
  const inspected = container({ 'latarnik.name': 'Shop, front page', 'latarnik.tags': 'web, shop' }, 'shop-web-1')
  const more = { 'latarnik.interval': '300', 'latarnik.extended_settings.timeout': '20000' }
  const whole = JSON.parse(inspected) as [{ Config: { Labels: object } }]
  Object.assign(whole[0].Config.Labels, more)
  expect(parse(labels(JSON.stringify(whole)).stdout)).toEqual(parse(labels(first).stdout))
})

test('a label reads no variable and no file of the machine that applies it', () => {
  const [variable, file] = ['{SECRET_A}', '{file:/etc/passwd}']
  const { stdout } = labels(container({ 'latarnik.name': `$${variable} and $${file}` }))
  expect(parse(stdout)).toMatchObject({ services: { shop: { name: `$$${variable} and $$${file}` } } })
  const refused = labels(container({ 'latarnik.extended_settings.password': 'file:/run/secrets/key' }))
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toBe('labels.mjs: shop: extended_settings.password: a label names no file\n')
})

test('a value stays a value, whatever it looks like', () => {
  const written = container({
    'latarnik.name': 'no: "x"\n  evil: 1',
    'latarnik.interval': '60',
    'latarnik.type': '007',
  })
  expect(parse(labels(written).stdout)).toEqual({
    version: 1,
    services: { shop: { name: 'no: "x"\n  evil: 1', type_id: '007', address: 'shop.example.com', interval: 60 } },
  })
})

test('a list of Kubernetes on one line, also without its kind, is read like an indented one', () => {
  const list = JSON.parse(recorded('kubectl-get.json')) as { readonly items: readonly object[] }
  expect(labels(JSON.stringify({ items: list.items }))).toEqual(labels(recorded('kubectl-get.json')))
})

test.each([
  ['nothing', '', /nothing was given/],
  ['half a text', '[{"Name":', /cannot be read/],
  ['what is neither', '{"a":1}', /neither a container of docker nor an object of Kubernetes: \{"a":1\}/],
  ['null', 'null', /neither a container/],
  [
    'a container without an address',
    container({ 'latarnik.address': undefined, 'latarnik.name': 'x' }),
    /shop: .*latarnik.address/,
  ],
  ['a name that is none', container({ 'latarnik.__proto__.x': '1' }), /no member/],
  ['two of one name', JSON.stringify([...JSON.parse(container({})), ...JSON.parse(container({}))]), /two objects/],
])('%s changes no file', (_what, input, message) => {
  const path = join(directory, 'docker.yaml')
  expect(labels(recorded('docker-ps.jsonl'), '-o', path).status).toBe(0)
  const before = readFileSync(path, 'utf8')
  const outcome = labels(input, '-o', path)
  expect(outcome.status).toBe(1)
  expect(outcome.stderr).toMatch(message)
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(readdirSync(directory)).toEqual(['docker.yaml'])
})

test('an equal file is left as it is, and one that changes is replaced whole', async () => {
  const path = join(directory, 'docker.yaml')
  labels(recorded('docker-ps.jsonl'), '-o', path)
  await utimes(path, 1, 1)
  labels(recorded('docker-ps.jsonl'), '-o', path)
  expect((await stat(path)).mtimeMs).toBe(1000)
  labels(container({}), '-o', path)
  expect(Object.keys((parse(readFileSync(path, 'utf8')) as { services: object }).services)).toEqual(['shop'])
  expect(existsSync(path)).toBe(true)
})
