import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../support/api.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { gatherGarbage } from '../support/garbage.ts'
import { type Callers, otherCallers, servedCallers } from '../support/hostile-callers.ts'
import { hostileRequest } from '../support/hostile-requests.ts'
import { names, type Person } from '../support/people.ts'
import { bytesOf, converse, listenAlone, type RawRequest, replyOf } from '../support/raw-http.ts'
import { bodyOf, resolvedIn, type Schema } from '../support/schema-values.ts'

/**
 * FUZZ_SEED repeats a run, FUZZ_RUNS sets the requests per operation, FUZZ_REQUESTS the hostile ones over all of them.
 * `FUZZ_REQUESTS=20000 npx vitest run test/contract/any-request.test.ts` takes a quarter of an hour and reports the
 * results.
 */

interface Described {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, unknown>>; readonly $ref?: string }>
  >
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Entry {
  readonly path: string
  readonly method: Method
  readonly operation: Described
}

interface Sent {
  readonly person: Person | null
  readonly path: string
  readonly body: unknown
}

const runs = Number(process.env['FUZZ_RUNS'] ?? 12)
const hostileRequests = Number(process.env['FUZZ_REQUESTS'] ?? 420)
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

let world: FurnishedWorld
let document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> }
let ajv: Ajv2020

beforeAll(async () => {
  world = await furnishedWorld()
  document = (await world.call(null, 'GET', '/public/swagger.json')).body as typeof document
  ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
})

afterAll(() => world.drop())

/** With the schema of its body written out. */
function withWholeBody(operation: Described): Described {
  const content = operation.requestBody?.content['application/json']
  if (content === undefined) return operation
  const schema = resolvedIn(document as unknown as Schema, content.schema)
  return { ...operation, requestBody: { content: { 'application/json': { ...content, schema } } } }
}

/** Streams have no end: test/rest/event-stream.test.ts asks for them. */
const streams = ['/event_stream']

function entries(): readonly Entry[] {
  const paths = Object.entries(document.paths).filter(([path]) => !streams.includes(path))
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase() as Method,
      operation: withWholeBody(operation),
    })),
  )
}

const identifiers = fc.constantFrom(
  '1',
  '2',
  '7',
  '8',
  '0',
  '999999',
  'my_account',
  'http',
  'email',
  'last_analysis',
  'content',
  'x',
  '%00',
  '-1',
  '1e3',
  '9'.repeat(30),
)

/** An administrator must not do away with the people of the world. */
const nobodys = fc.constantFrom('0', '999999', 'x', '%00', '-1', '9'.repeat(30))

function pathOf({ path, method }: Entry): Arbitrary<string> {
  const ids = path.startsWith('/admin/accounts/') && method !== 'GET' ? nobodys : identifiers
  const parameters = path.match(/\{\w+\}/g) ?? []
  return fc
    .array(ids, { minLength: parameters.length, maxLength: parameters.length })
    .map((values) => parameters.reduce((filled, name, index) => filled.replace(name, values[index] ?? '1'), path))
}

function queryOf(operation: Described): Arbitrary<string> {
  const known = operation.parameters.filter((parameter) => parameter.in === 'query')
  const values = fc.constantFrom(
    '',
    '1',
    '-1',
    'null',
    'true',
    'id',
    '-id,name',
    'permissions',
    'x,y',
    'Żółć',
    '2026-11-21',
    '%00',
    '~',
  )
  const one = fc.oneof(
    ...known.map(({ name, example }) =>
      fc.oneof(values, fc.constant(String(example ?? '1'))).map((value) => [name, value] as const),
    ),
    fc.tuple(fc.constantFrom('unknown', 'a.b', '__proto__', 'name~~', 'permissions.', 'owner.owner.id'), values),
  )
  return fc.array(one, { maxLength: 3 }).map((pairs) => {
    const text = pairs.map(
      ([name, value]) => `${encodeURIComponent(name)}=${value === '%00' ? value : encodeURIComponent(value)}`,
    )
    return text.length === 0 ? '' : `?${text.join('&')}`
  })
}

function requestOf(entry: Entry): Arbitrary<Sent> {
  const { operation } = entry
  const schema = operation.requestBody?.content['application/json']?.schema
  return fc.record({
    person: fc.constantFrom(null, ...names),
    path: fc.tuple(pathOf(entry), queryOf(operation)).map((parts) => parts.join('')),
    body: schema === undefined ? fc.constant(undefined) : bodyOf(schema),
  })
}

function pointer(...parts: readonly string[]): string {
  return parts
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/')
}

const validators = new Map<string, ValidateFunction>()

function validatorOf({ path, method, operation }: Entry, status: string): ValidateFunction | null {
  const answer = operation.responses[status]
  if (answer?.$ref === undefined && answer?.content?.['application/json'] === undefined) return null
  const place =
    answer.$ref === undefined
      ? pointer('paths', path, method.toLowerCase(), 'responses', status, 'content', 'application/json', 'schema')
      : pointer('components', 'responses', status, 'content', 'application/json', 'schema')
  const known = validators.get(place) ?? ajv.compile({ $ref: `openapi#/${place}` })
  validators.set(place, known)
  return known
}

function expectAnswer(entry: Entry, what: string, reply: Reply): void {
  expect(reply.status, what).toBeLessThan(500)
  // A parameter that the router cannot decode is refused before any operation is chosen.
  const declared = [...Object.keys(entry.operation.responses), '400', '404']
  expect(declared, what).toContain(String(reply.status))
  const validate = validatorOf(entry, String(reply.status))
  // An answer of another declared type, such as lines, is no JSON body.
  const type = String(reply.headers['content-type'])
  const isOther = type in ((entry.operation.responses[String(reply.status)]?.content ?? {}) as object)
  if (validate === null || (type !== 'application/json' && isOther)) return
  validate(reply.body)
  // With `fields` the others are not there, required or not.
  const isWhole = !/[?&](fields|embed)=/.test(what)
  const faults = (validate.errors ?? []).filter(({ keyword }) => isWhole || keyword !== 'required')
  expect(faults, what).toEqual([])
}

function expectDeclared(entry: Entry, sent: Sent, reply: Reply): void {
  const what = `${sent.person} ${entry.method} ${sent.path} ${JSON.stringify(sent.body)} → ${reply.status} ${reply.text.slice(0, 300)}`
  expectAnswer(entry, what, reply)
  const isSecured = entry.operation.security?.length !== 0
  if (isSecured && sent.person === null) expect([400, 401, 404], what).toContain(reply.status)
  if (reply.status === 401) expect(reply.headers['www-authenticate'], what).toBeDefined()
}

describe(`any request, right or wrong (FUZZ_SEED=${seed})`, () => {
  it('gets a declared status, a body of the declared shape, and never a fault of the server', async () => {
    for (const entry of entries()) {
      const check = fc.asyncProperty(requestOf(entry), async (sent) => {
        expectDeclared(entry, sent, await world.call(sent.person, entry.method, sent.path, sent.body))
      })
      await fc.assert(check, { numRuns: runs, seed, endOnFailure: true })
    }
  }, 240_000)

  it('without credentials reads nothing that is not public', async () => {
    const guarded = entries().filter(({ operation }) => operation.security?.length !== 0)
    expect(guarded.length).toBeGreaterThan(100)
    for (const { path, method, operation } of guarded) {
      const reply = await world.call(null, method, path.replaceAll(/\{\w+\}/g, '1'), method === 'GET' ? undefined : {})
      expect(reply.status, operation.operationId).toBe(401)
    }
  })
})

/** Of Alice's things, of Charlie's, and of nobody's. */
function everybodysIds(): readonly string[] {
  const { serviceIds, groupIds, addressIds, sessionIds, history, people } = world
  const aliases = [
    'my_account',
    'my_session',
    'my_user_data',
    'my_default_group',
    'my_package',
    'last_analysis',
    'last_failure_analysis',
  ]
  const keys = ['content', 'http', 'email', 'console.theme', '2026', '11', history.failureId, history.changeIds.ok]
  const numbers = [serviceIds, groupIds, addressIds, people.ids].flatMap((ids) => Object.values(ids).map(String))
  return ['1', '2', '3', ...numbers, ...aliases, ...keys, ...Object.values(sessionIds)]
}

/** After these there is less to ask for: they are tried rightly only when a world is about to end. */
function endsSomething({ path, method }: Entry): boolean {
  return method === 'DELETE' || /bulk_|archive|block|restore|change_password|2fa/.test(path)
}

/** Callers with the right to the operation: an administrator where only those may. */
function rightCallers({ path, operation }: Entry, callers: Callers): readonly string[] {
  if (path.startsWith('/admin/') || path === '/system/state') return callers.administrators
  return operation.security?.length === 0 ? [''] : callers.customers
}

function hostileTo(entry: Entry, callers: Callers, isLast: boolean): Arbitrary<RawRequest> {
  const { path, method, operation } = entry
  const content = operation.requestBody?.content['application/json']
  const right = {
    path: path.startsWith('/accounts/{_id}/activate') ? path : world.fill(path),
    ...{ body: content?.example, authorizations: rightCallers(entry, callers) },
  }
  return hostileRequest({
    ...{
      method,
      path,
      authorizations: [...callers.customers, ...callers.customers, ...callers.administrators, ...callers.others],
    },
    queryNames: operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    schema: content?.schema,
    ids: path.startsWith('/admin/accounts/') && method !== 'GET' ? ['0', '999999', 'x'] : everybodysIds(),
    right: endsSomething(entry) && !isLast ? null : right,
  })
}

interface Met {
  readonly statuses: Map<number, number>
  /** CPU of the whole process, client and all; and until the answer was there. */
  readonly slowest: { readonly cpuMs: number; readonly ms: number; readonly what: string }[]
  readonly faults: string[]
  /** Of those that were done as they were asked for: how many, by operation. */
  readonly done: Map<string, number>
  sent: number
}

/** A second of one core for one request is an attack. */
const maximumCpuMs = 1000

interface Sending {
  readonly port: number
  readonly callers: Callers
  readonly isLast: boolean
  readonly met: Met
}

async function send(entry: Entry, seedOfOne: number, { port, callers, isLast, met }: Sending): Promise<void> {
  const [request] = fc.sample(hostileTo(entry, callers, isLast), { numRuns: 1, seed: seedOfOne })
  if (request === undefined) return
  const bytes = bytesOf(request)
  const [before, startedAt] = [process.cpuUsage(), performance.now()]
  const reply = replyOf(await converse(port, bytes))
  const { user, system } = process.cpuUsage(before)
  const [cpuMs, ms] = [(user + system) / 1000, performance.now() - startedAt]
  const what = `${reply.status} ${reply.text.slice(0, 300)} to ${bytes.subarray(0, 1500).toString('latin1')}`
  met.sent += 1
  met.statuses.set(reply.status, (met.statuses.get(reply.status) ?? 0) + 1)
  const isDone = (reply.status >= 200 && reply.status < 300) || reply.status === 304
  const { operationId } = entry.operation
  if (isDone && request.method === entry.method) met.done.set(operationId, (met.done.get(operationId) ?? 0) + 1)
  met.slowest.push({ cpuMs: Math.round(cpuMs), ms: Math.round(ms), what: what.slice(0, 400) })
  met.slowest.sort((one, other) => other.cpuMs - one.cpuMs).splice(10)
  try {
    expectUnharmed(entry, request, reply, { what, cpuMs })
  } catch (fault) {
    met.faults.push(String(fault).slice(0, 2500))
  }
}

function expectUnharmed(
  entry: Entry,
  request: RawRequest,
  reply: Reply,
  { what, cpuMs }: { readonly what: string; readonly cpuMs: number },
): void {
  expect(reply.status, what).not.toBe(0)
  expect(reply.text, what).not.toMatch(/\.[jt]s:\d+|node_modules|\bat \w+ \(/)
  expect(cpuMs, what).toBeLessThan(maximumCpuMs)
  // Node itself answers an Expect that it does not know.
  if (request.method === entry.method && reply.status !== 417) expectAnswer(entry, what, reply)
  else expect(reply.status, what).toBeLessThan(500)
}

/** Rounds of all operations after which little is left of a world. */
const worldsRounds = 9

describe(`a hostile program (FUZZ_SEED=${seed})`, () => {
  it('gets an answer to everything that it sends, at once, and leaves nothing behind', async () => {
    const met: Met = { statuses: new Map(), slowest: [], faults: [], done: new Map(), sent: 0 }
    let [port, others] = [await listenAlone(world.server), await otherCallers(world)]
    gatherGarbage()
    const before = process.memoryUsage().heapUsed
    const all = entries()
    for (let round = 1; met.sent < hostileRequests; round += 1) {
      const callers = { ...(await servedCallers(world)), others }
      const isLast = round % worldsRounds === 0 || met.sent + all.length >= hostileRequests
      for (const [index, entry] of all.entries())
        await send(entry, seed + met.sent + index, { port, callers, isLast, met })
      // Wrong passwords of a minute ago are forgotten.
      world.clock.advance(61_000)
      if (round % worldsRounds !== 0 && met.sent < hostileRequests) continue
      await world.drop()
      world = await furnishedWorld()
      ;[port, others] = [await listenAlone(world.server), await otherCallers(world)]
    }
    gatherGarbage()
    const grownBytes = process.memoryUsage().heapUsed - before
    const undone = all.map(({ operation }) => operation.operationId).filter((id) => !met.done.has(id))
    const doneOf = [...met.done.values()].reduce((sum, count) => sum + count, 0)
    const told = { ...met, done: doneOf, statuses: Object.fromEntries(met.statuses), undone, grownBytes }
    if (process.env['FUZZ_REQUESTS'] !== undefined) process.stdout.write(`${JSON.stringify(told, null, 2)}\n`)
    expect(met.faults).toEqual([])
    expect(grownBytes).toBeLessThan(64 * 1024 * 1024)
    expect((await world.call('charlie', 'GET', '/groups')).status).toBe(200)
  }, 3_600_000)
})
