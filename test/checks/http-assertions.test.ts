import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import type { Assertion } from '../../src/domain/services/assertion.ts'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { trialServiceId } from '../../src/sensor/protocol.ts'
import { clock, createChecker, jobFor, neverBlind, verdictOf } from '../support/check.ts'
import { cpuOfThisThread } from '../support/cpu-time.ts'
import { createNastyServers, say } from '../support/nasty-server.ts'

const dayMs = 86_400_000
const servers = createNastyServers()
const root = createAuthority('Test root')
const checker = createChecker({ certificateAuthorities: [root.certificate] })
const bench = { equipment: createEquipment({ allow: 'all' }), watch: neverBlind, clock }

const health = {
  status: 'ok',
  version: '2.10',
  queue: 12,
  services: [
    { name: 'web', state: 'up', load: 0.5 },
    { name: 'database', state: 'up', load: 0.25 },
  ],
  errors: [],
  note: null,
}
const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x">
  <title>News</title><entry><title>One</title><x:rank>3</x:rank></entry><entry><title>Two</title></entry></feed>`

const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/health': ['application/json', JSON.stringify(health)],
  '/feed': ['application/atom+xml', feed],
  '/page': ['text/html; charset=utf-8', '<html><p>Sklep otwarty</p></html>'],
  '/empty': ['text/plain', ''],
  '/deep-json': ['application/json', `${'['.repeat(200_000)}1${']'.repeat(200_000)}`],
  '/deep-xml': ['application/xml', `${'<a>'.repeat(60_000)}${'</a>'.repeat(60_000)}`],
  '/wide-xml': ['application/xml', `<r>${'<a/>'.repeat(200_000)}</r>`],
  '/wide-json': ['application/json', JSON.stringify(Array.from({ length: 150_000 }, (_none, index) => index % 10))],
  '/nested-json': ['application/json', JSON.stringify(nested(9))],
  '/bomb': [
    'application/xml',
    `<!DOCTYPE a [<!ENTITY l0 "lol">${Array.from({ length: 20 }, (_none, index) => `<!ENTITY l${index + 1} "&l${index};&l${index};">`).join('')}]><a>&l20;</a>`,
  ],
  '/outside': ['application/xml', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'],
  '/too-long': ['application/json', `{"a":"${'x'.repeat(2_000_000)}"}`],
}

function nested(depth: number): unknown {
  return depth === 0 ? 1 : Array.from({ length: 5 }, () => nested(depth - 1)).slice(0, depth > 6 ? 2 : 5)
}

let port = 0
beforeAll(async () => {
  port = await servers.good((request, response) => {
    const [type, body] = bodies[request.url ?? ''] ?? ['text/plain', 'nothing here']
    response.setHeader('Content-Type', type).setHeader('X-Cache', 'HIT').setHeader('Set-Cookie', ['a=1', 'b=2'])
    response.end(body)
  })
})
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

type Given = Partial<Assertion> & Pick<Assertion, 'source' | 'comparison'>

function settingOf(given: readonly Given[]): string {
  return JSON.stringify(given.map((one) => ({ path: null, value: null, severity: 'failure', ...one })))
}

function check(path: string, ...given: readonly Given[]) {
  return checker.check('http', `127.0.0.1:${port}${path}`, { assertions: settingOf(given) })
}

const of = (source: Assertion['source'], path: string | null = null) => {
  return (comparison: Assertion['comparison'], value: Assertion['value'] = null): Given => ({
    ...{ source, path, comparison, value },
  })
}

const cases: readonly (readonly [path: string, assertion: Given, verdict: string])[] = [
  ['/health', of('status')('equals', 200), 'ok'],
  ['/health', of('status')('less', 200), 'assertion_failed'],
  ['/health', of('header', 'Content-Type')('equals', 'application/json'), 'ok'],
  ['/health', of('header', 'x-cache')('not_equals', 'HIT'), 'assertion_failed'],
  ['/health', of('header', 'X-None')('exists'), 'assertion_value_missing'],
  ['/health', of('header', 'X-None')('not_exists'), 'ok'],
  ['/health', of('header', 'Set-Cookie')('matches', '^a=\\d, b=\\d$'), 'ok'],
  ['/page', of('body')('contains', 'otwarty'), 'ok'],
  ['/page', of('body')('not_contains', 'otwarty'), 'assertion_failed'],
  ['/page', of('body')('matches', '(?i)SKLEP \\w+'), 'ok'],
  ['/page', of('body')('is_empty'), 'assertion_failed'],
  ['/empty', of('body')('is_empty'), 'ok'],
  ['/health', of('json', '$.status')('equals', 'ok'), 'ok'],
  ['/health', of('json', '$.version')('equals', '2.1'), 'assertion_failed'],
  ['/health', of('json', '$.queue')('equals', '12.0'), 'ok'],
  ['/health', of('json', '$.queue')('less', 12), 'assertion_failed'],
  ['/health', of('json', '$.queue')('greater', 11.5), 'ok'],
  ['/health', of('json', '$.status')('greater', 1), 'assertion_failed'],
  ['/health', of('json', '$.services[*].state')('equals', 'up'), 'ok'],
  ['/health', of('json', '$.services[*].name')('equals', 'web'), 'assertion_failed'],
  ['/health', of('json', "$.services[?@.name=='database'].load")('less', 1), 'ok'],
  ['/health', of('json', '$..state')('not_equals', 'down'), 'ok'],
  ['/health', of('json', '$.services[*].state')('matches', '^(up|ok)$'), 'ok'],
  ['/health', of('json', '$.services[*].name')('not_matches', '^data'), 'assertion_failed'],
  ['/health', of('json', '$.errors')('is_empty'), 'ok'],
  ['/health', of('json', '$.errors[*]')('is_empty'), 'ok'],
  ['/health', of('json', '$.errors[*]')('not_contains', 'fatal'), 'ok'],
  ['/health', of('json', '$.errors[*]')('equals', 'fatal'), 'assertion_value_missing'],
  ['/health', of('json', '$.note')('exists'), 'ok'],
  ['/health', of('json', '$.note')('is_not_empty'), 'assertion_failed'],
  ['/health', of('json', '$.missing')('exists'), 'assertion_value_missing'],
  ['/page', of('json', '$.status')('equals', 'ok'), 'body_not_json'],
  ['/empty', of('json', '$.status')('not_exists'), 'body_not_json'],
  ['/feed', of('xml', '/feed/title')('equals', 'News'), 'ok'],
  ['/feed', of('xml', '//entry/title')('not_contains', 'Two'), 'assertion_failed'],
  ['/feed', of('xml', 'count(//entry)')('equals', 2), 'ok'],
  ['/feed', of('xml', 'string(//entry[1]/x:rank)')('greater', 2), 'ok'],
  ['/feed', of('xml', '//y:rank')('exists'), 'assertion_value_missing'],
  ['/feed', of('xml', 'count(//entry) > 5')('equals', 'false'), 'ok'],
  ['/health', of('xml', '/a')('exists'), 'body_not_xml'],
  ['/page', of('time')('less', 60_000), 'ok'],
  ['/page', of('time')('greater', 60_000), 'assertion_failed'],
  ['/page', of('ip')('equals', '127.0.0.1'), 'ok'],
  ['/page', of('ip')('matches', '^10\\.'), 'assertion_failed'],
  ['/page', of('certificate', 'issuer')('contains', 'Test'), 'assertion_value_missing'],
]

test.each(cases)('%s %j: %s', async (path, assertion, verdict) => {
  const result = await check(path, assertion)
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
})

test('a certificate is read from the connection', async () => {
  const issued = root.issue({ names: ['127.0.0.1'], notAfter: Date.now() + 40 * dayMs + 3_600_000 })
  const secure = await servers.tls(issued, say('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'))
  const ask = async (...given: readonly Given[]) =>
    checker.check('https', `127.0.0.1:${secure}/`, { assertions: settingOf(given) })
  const days = of('certificate', 'days_left')
  expect(verdictOf(await ask(days('equals', 40), of('certificate', 'issuer')('contains', 'CN=Test root')))).toBe('ok')
  const result = await ask(days('greater', 45))
  expect(verdictOf(result)).toBe('assertion_failed')
  expect(result.errorMessage).toBe('assertion 1: expected certificate days_left greater 45, came 40')
  expect(result.evidence?.facts['failed_by_clock']).toBe(true)
  const both = await ask(days('greater', 45), of('status')('equals', 201))
  expect(both.errorMessage).toBe('assertion 2: expected status equals 201, came 200; 1 more of 2')
  expect(both.evidence?.facts['failed_by_clock']).toBeUndefined()
})

test('the message says what was expected and what came, cut, and counts the others', async () => {
  const result = await check(
    '/health',
    of('json', '$.status')('equals', 'ok'),
    of('json', '$.version')('equals', '3'),
    of('body')('matches', '^<html'),
  )
  expect(result.errorMessage).toBe('assertion 2: expected json $.version equals "3", came "2.10"; 1 more of 3')
  expect(result.evidence?.facts['failed_assertions']).toMatch(/^assertion 2: .*\nassertion 3: expected body matches/)
  const long = await check('/wide-json', of('body')('contains', 'zzz'))
  expect((long.errorMessage ?? '').length).toBeLessThan(400)
})

test('severity degraded leaves the check ok and tells its sentence', async () => {
  const failing: Given = { ...of('json', '$.queue')('less', 5), severity: 'degraded' }
  const result = await check('/health', failing, of('status')('equals', 200))
  expect([result.result, result.errorMessage]).toEqual(['ok', null])
  expect(result.evidence?.facts).toEqual({
    failed_assertions: 'assertion 1: expected json $.queue less 5, came 12',
  })
  expect((await check('/health', of('status')('equals', 200))).evidence).toBeNull()
  expect(verdictOf(await check('/health', failing, of('status')('equals', 201)))).toBe('assertion_failed')
})

test('a trial tells what each assertion said', async () => {
  const given = [of('status')('equals', 200), { ...of('json', '$.queue')('less', 5), severity: 'degraded' } as const]
  const job = jobFor('http', `127.0.0.1:${port}/health`, { assertions: settingOf(given) })
  const result = await runCheck({ ...job, serviceId: trialServiceId }, bench)
  expect(result.result).toBe('ok')
  expect(result.evidence?.facts).toMatchObject({
    ...{ assertion_1_result: 'ok', assertion_1_expected: 'status equals 200', assertion_1_came: '200' },
    ...{ assertion_2_result: 'degraded', assertion_2_expected: 'json $.queue less 5', assertion_2_came: '12' },
  })
})

test('a secret that the target repeats is shown nowhere', async () => {
  const echo = await servers.good((request, response) => {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
    response.end(JSON.stringify({ token: `${'x'.repeat(195)}${token}`, status: 'down' }))
  })
  const secret = 'very-secret-token'
  const given = [of('json', '$.token')('equals', 'no'), of('json', '$.status')('equals', 'ok')]
  const settings = { bearer_token: secret, assertions: settingOf(given) }
  const job = jobFor('http', `127.0.0.1:${echo}/`, settings)
  const result = await runCheck({ ...job, serviceId: trialServiceId }, bench)
  expect(verdictOf(result)).toBe('assertion_failed')
  const artifacts = result.evidence?.artifacts.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join('')
  const shown = JSON.stringify({ ...result, evidence: { ...result.evidence, artifacts } })
  expect(shown).toContain('xxx***')
  expect(shown).not.toMatch(/very-/)
})

const hostile: readonly (readonly [path: string, assertion: Given, verdict: string])[] = [
  ['/deep-json', of('json', '$..a')('exists'), 'assertion_not_evaluated'],
  ['/deep-json', of('json', '$[0]')('exists'), 'ok'],
  ['/deep-xml', of('xml', '//b')('exists'), 'assertion_value_missing'],
  ['/wide-xml', of('xml', '//a[last()]')('exists'), 'assertion_not_evaluated'],
  ['/nested-json', of('json', '$..*..*..*..*..*..nothing')('exists'), 'assertion_not_evaluated'],
  ['/wide-json', of('json', '$[*]')('less', 10), 'assertion_not_evaluated'],
  ['/wide-json', of('json', '$[*]')('less', 5), 'assertion_failed'],
  ['/wide-json', of('json', '$[*]')('exists'), 'ok'],
  ['/bomb', of('xml', '/a')('exists'), 'assertion_not_evaluated'],
  ['/outside', of('xml', '/a')('exists'), 'assertion_not_evaluated'],
  ['/too-long', of('json', '$.a')('exists'), 'assertion_not_evaluated'],
  ['/too-long', of('body')('contains', 'xxx'), 'ok'],
  ['/too-long', of('body')('not_contains', 'yyy'), 'assertion_not_evaluated'],
]

test.each(hostile)('a hostile body holds nobody: %s %j: %s', async (path, assertion, verdict) => {
  const ownCpuMs = cpuOfThisThread()
  const result = await check(path, assertion)
  // A machine that others keep busy gives a search too little of its processor: then the station says so, and knows as
  // little.
  const isUnknown = verdict === 'assertion_not_evaluated'
  expect(isUnknown ? [verdict, 'pattern_late'] : [verdict], result.errorMessage ?? '').toContain(verdictOf(result))
  if (isUnknown) expect(result.result).toBe('unknown')
  expect(ownCpuMs()).toBeLessThan(2000)
})

test('a failure that is certain counts more than what could not be evaluated', async () => {
  const unclear = of('json', '$.a')('exists')
  expect(verdictOf(await check('/too-long', unclear, of('status')('equals', 201)))).toBe('assertion_failed')
  expect(verdictOf(await check('/too-long', { ...unclear, severity: 'degraded' }))).toBe('ok')
})

test('an answer that this station itself delayed is unknown, however short the limit', async () => {
  const held = createChecker({
    watch: { heldMsSince: () => 5000, starvedMs: () => 0, begin: () => () => {}, stop: () => {} },
  })
  const slow = await servers.good((_request, response) => void setTimeout(() => response.end('late'), 30))
  const given = { assertions: settingOf([of('time')('less', 5)]), timeout: 20_000 }
  const result = await held.check('http', `127.0.0.1:${slow}/`, given)
  expect([result.result, verdictOf(result)]).toEqual(['unknown', 'sensor_held'])
  expect(verdictOf(await checker.check('http', `127.0.0.1:${slow}/`, given))).toBe('assertion_failed')
})

test.each([
  '[{"source":"json","path":"$[","comparison":"exists","severity":"failure"}]',
  '{}',
  'x',
  '[{"source":"moon"}]',
])('a definition that only a core of another version accepts is a fault of the setting: %s', async (assertions) => {
  const result = await checker.check('http', `127.0.0.1:${port}/health`, { assertions })
  expect(result.result).toBe('unknown')
})
