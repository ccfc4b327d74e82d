import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkHere } from '../../src/cli/check/here.ts'
import { linesOf, type ShownCheck } from '../../src/cli/check/shown.ts'
import { targetOf, typeMeant } from '../../src/cli/check/target.ts'
import { selfSigned } from '../../src/demo/targets/certificates.ts'
import { errorType } from '../../src/domain/judging/error-types.ts'
import { findBrowser } from '../../src/sensor/browser/find-browser.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { browserChoice } from '../support/browser.ts'
import { wholeProgram } from '../support/own-program.ts'
import { passwordOf } from '../support/people.ts'
import { freePort } from '../support/real-server.ts'
import { describedDomain, json, openRegistry, type Registry } from '../support/registry.ts'

let target: Server
let address: string

beforeAll(async () => {
  target = createServer((request, response) => {
    response.writeHead(request.url === '/broken' ? 503 : 200).end('hello')
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  address = `127.0.0.1:${(target.address() as AddressInfo).port}`
})
afterAll(() => void target.close())

async function latarnik(args: readonly string[], variables: Readonly<Record<string, string>> = {}, input = '') {
  const child = spawn(process.execPath, [wholeProgram('cli'), 'check', ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8', ...variables },
  })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

describe('what an address means', () => {
  test.each([
    ['https://shop.example.com/cart', 'https'],
    ['HTTP://shop.example.com', 'http'],
    ['shop.example.com', 'https'],
    ['shop.example.com/cart', 'https'],
    ['db.example.com:5432', 'tcp_connect'],
    ['[2001:db8::1]:5432', 'tcp_connect_ipv6'],
    ['192.0.2.7', 'ping'],
    ['2001:db8::1', 'ping_ipv6'],
    ['udp://192.0.2.7:53', 'udp'],
    ['tls://mail.example.com:465', 'tls'],
    ['redis://cache.example.com', 'redis'],
    ['postgres://db.example.com', 'postgresql'],
    ['wss://live.example.com/socket', 'websocket_tls'],
    ['dns://192.0.2.53', 'dns'],
    ['domain://example.com', 'domain'],
  ])('%s is %s', (given, type) => {
    expect(typeMeant(given)).toBe(type)
    const settings = type === 'dns' ? { query_name: 'example.com', query_type: 'A' } : {}
    expect(targetOf({ address: given, typeId: undefined, settings, texts: {} }, 'en').type.id).toBe(type)
  })

  test('a port is of the address or a setting, as the type has it; settings have the types of their formats', () => {
    const redis = {
      address: 'redis://cache.example.com:6380',
      typeId: undefined,
      settings: {},
      texts: { password: '12' },
    }
    expect(targetOf(redis, 'en')).toMatchObject({
      address: 'cache.example.com',
      settings: { port: 6380, password: '12' },
    })
    const web = { address: 'shop.example.com', typeId: 'http', settings: { timeout: 1000 }, texts: { timeout: '9000' } }
    expect(targetOf(web, 'en')).toMatchObject({ address: 'shop.example.com', settings: { timeout: 9000 } })
  })

  test.each([
    ['gopher://old.example.com', undefined, {}, /Nothing is known that begins with gopher:/],
    ['shop.example.com', 'telepathy', {}, /There is no type telepathy\. Types: /],
    ['shop.example.com', 'htps', {}, /There is no type htps\. Did you mean https\? Types: /],
    ['shop.example.com', undefined, { timeout: 'soon' }, /^--set timeout: /],
    ['shop.example.com', undefined, { colour: 'red' }, /^--set colour: /],
    ['', undefined, {}, /^--address: /],
  ])('%j as %s with %j is refused', (given, typeId, texts, message) => {
    expect(() => targetOf({ address: given, typeId, settings: {}, texts }, 'en')).toThrow(message)
    const inFile = { address: 'shop.example.com', typeId: undefined, settings: { colour: 'red' }, texts: {} }
    expect(() => targetOf(inFile, 'en')).toThrow(/^--settings\.colour: /)
  })
})

describe('on this machine', () => {
  test('what works exits with 0 and shows its phases', async () => {
    const { code, stdout, stderr } = await latarnik([`http://${address}/`])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^OK · \d+ ms\n {2}connect [\d.]+ ms · sent .* · first byte .* · transfer .*\n$/)
  })

  test('what fails exits with 1, with the reason and the advice in the language of the machine', async () => {
    const english = await latarnik([`http://${address}/broken`])
    expect(english.code).toBe(1)
    expect(english.stdout).toMatch(/^Error · .*HTTP 503 · 127\.0\.0\.1\n/)
    expect(english.stdout).toMatch(/status 503.*\n {2}What to do: \S/)
    const polish = await latarnik([`http://${address}/broken`], { LANG: 'pl_PL.UTF-8' })
    expect(polish.stdout).toMatch(/^Błąd · /)
    expect(polish.stdout).toMatch(/Co zrobić: \S/)
  })

  test('as JSON it is one object', async () => {
    const port = await freePort()
    const { code, stdout } = await latarnik([`127.0.0.1:${port}`, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      type_id: 'tcp_connect',
      result: 'error',
      error_type: { symbol: 'connection_refused', name: 'Connection refused' },
    })
  })

  test('a wrong order exits with 2', async () => {
    expect(await latarnik(['gopher://x'])).toMatchObject({ code: 2, stdout: '' })
    expect(await latarnik([`http://${address}/`, '--set', 'nonsense'])).toMatchObject({ code: 2 })
    expect(await latarnik([`http://${address}/`, '--settings', '-'], {}, '[1]')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must be a JSON object'),
    })
  })

  test('an address that stations may not dial is not dialled, and nobody knows how it is', async () => {
    const definition = targetOf({ address: `http://${address}/`, typeId: undefined, settings: {}, texts: {} }, 'en')
    const browser = { isolation: 'none' } as Parameters<typeof checkHere>[1]['browser']
    const refused = await checkHere(definition, {
      allowPrivateTargets: [],
      browser,
      rdapBootstrapUrl: 'http://127.0.0.1:9/',
      whoisServer: null,
    })
    expect(refused).toMatchObject({ result: 'unknown', errorTypeId: errorType('sensor_address_refused').id })
    const { code, stdout } = await latarnik([`http://${address}/`], { ALLOW_PRIVATE_TARGETS: '10.0.0.0/8' })
    expect(code).toBe(2)
    expect(stdout).toContain('ALLOW_PRIVATE_TARGETS')
  })
})

test('a target cannot write to the terminal', () => {
  const check: ShownCheck = {
    ...{ station: 'a\u001b[2Jb', result: 'error', responseTime: null, errorTypeId: 4001, phases: null },
    ...{ errorMessage: 'x\u001b]0;owned\u0007\ny', statusCode: null, ipAddress: null, reasons: [], expiresAt: null },
    steps: [{ name: 'a\u001b[2Jb', result: 'error', responseTime: null }],
    facts: { assertion_1_result: 'failed', assertion_1_came: 'x\u001b[2J', domain_registrar: '\u001b[2J' },
  }
  expect(linesOf(check, 'en').join('')).not.toMatch(/\p{Cc}/u)
})

describe('a good check that would leave the service degraded', () => {
  const days = 86_400_000
  let secure: Server
  let place: string

  beforeAll(async () => {
    const soon = selfSigned({ names: ['127.0.0.1'], notAfter: Date.now() + 5.5 * days })
    secure = createSecureServer(soon, (_request, response) => response.end('{"queue":900}'))
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    place = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`
  })
  afterAll(() => void secure.close())

  const assertions = [
    { source: 'json', path: '$.queue', comparison: 'less', value: 500, severity: 'degraded' },
    { source: 'status', comparison: 'equals', value: 200, severity: 'failure' },
  ]
  const settings = JSON.stringify({ assertions, verify_certificate: false, degraded_response_time: 1 })

  test('says each reason, the end, and the assertion with what came; it exits with 0', async () => {
    const { code, stdout } = await latarnik([place, '--settings', '-'], {}, settings)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^OK · /)
    expect(stdout).toMatch(/would be degraded: .*the certificate ends soon, an assertion does not hold\.\n/)
    expect(stdout).toMatch(/valid until 20[\dT:-]+Z \(5 days\)\n/)
    expect(stdout).toMatch(/Assertion 1: expected .*500, came 900\n/)
    expect(stdout).not.toContain('Assertion 2')
    const polish = await latarnik([place, '--settings', '-'], { LANG: 'pl_PL.UTF-8' }, settings)
    expect(polish.stdout).toMatch(/stan byłby pogorszony: .*certyfikat wkrótce wygaśnie/)
  })

  test('has the reasons in JSON', async () => {
    const { stdout } = await latarnik([place, '--settings', '-', '--json'], {}, settings)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ result: 'ok', expires_at: expect.stringMatching(/^20/) },
      degraded_reasons: expect.arrayContaining(['certificate', 'assertion']),
    })
  })
})

describe('a domain on this machine', () => {
  let registry: Registry
  beforeAll(async () => {
    registry = await openRegistry()
    const described = describedDomain('shop.example', { end: Date.now() + 5.5 * 86_400_000 })
    registry.answers.set('/rdap/domain/shop.example', json(described))
  })
  afterAll(() => registry.close())

  const ask = (address: string) => latarnik([address], { RDAP_BOOTSTRAP_URL: registry.bootstrapUrl, WHOIS_SERVER: '' })

  test('is asked for at its registry', async () => {
    const { code, stdout } = await ask('domain://www.shop.example')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^OK\n {2}registrar Good Names Ltd · name servers ns1\.shop\.example/)
    expect(stdout).toContain('would be degraded: the domain ends soon.')
    expect((await ask('domain://mill.example')).code).toBe(1)
    const nobody = await ask('domain://shop.invalid')
    expect(nobody).toMatchObject({ code: 2, stdout: expect.stringContaining('No registry is known') })
  })
})

const browserHere = findBrowser(browserChoice) !== null

describe.skipIf(!browserHere)(`in a browser${browserHere ? '' : ' (none is here)'}`, () => {
  const ofBrowser = browserChoice.chromiumPath === null ? {} : { CHROMIUM_PATH: browserChoice.chromiumPath }
  const slowly = ['--set', 'timeout=100000']
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'latarnik-check-'))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  async function play(steps: readonly object[]) {
    const file = join(directory, 'recording.json')
    await writeFile(file, JSON.stringify({ title: 'Shop', steps }))
    return latarnik([`http://${address}/`, '--scenario', file, ...slowly], ofBrowser)
  }

  test.each(['fullpage', 'mobilepage'])('a page as %s', async (type) => {
    const good = await latarnik([`http://${address}/`, '--type', type, ...slowly], ofBrowser)
    expect(good, good.stdout).toMatchObject({ code: 0, stdout: expect.stringMatching(/^OK · .*\n {2}connect /) })
    const broken = await latarnik([`http://${address}/broken`, '--type', type, ...slowly], ofBrowser)
    expect(broken).toMatchObject({ code: 1, stdout: expect.stringMatching(/HTTP 503.*What to do: /s) })
  })

  test('a recording of Chrome, step by step', async () => {
    const visit = { type: 'navigate', url: `http://${address}/` }
    const good = await play([visit])
    expect(good, good.stdout).toMatchObject({ code: 0, stdout: expect.stringMatching(/^OK · .*\n.*done · /s) })
    const lost = await play([visit, { type: 'waitForElement', selectors: ['#gone'], timeout: 500 }])
    expect(lost, lost.stdout).toMatchObject({ code: 1, stdout: expect.stringMatching(/failed · .*What to do: /s) })
  })

  test('a recording that is none is refused', async () => {
    expect(await latarnik([`http://${address}/`, '--scenario', join(directory, 'gone.json')])).toMatchObject({
      code: 2,
    })
    expect(await latarnik([`http://${address}/`, '--type', 'webappcheck'])).toMatchObject({ code: 2 })
  })
})

describe('with the stations of an installation', () => {
  let api: ApiWorld
  let login: Readonly<Record<string, string>>

  beforeAll(async () => {
    api = await apiWorld()
    const server = await api.server.listen({ host: '127.0.0.1', port: 0 })
    login = { SERVER: server, LATARNIK_USERNAME: 'alice', LATARNIK_PASSWORD: passwordOf('alice') }
  })
  afterAll(() => api.drop())
  beforeEach(async () => {
    await api.database.execute(sql`truncate forced_analyses`)
    api.stations.answer = () => 'ok'
  })

  const asking = (args: readonly string[]) =>
    latarnik(['shop.example.com', '--server', login['SERVER'] ?? '', ...args], login)

  test('each answers in lines of its own, and the verdict is the last line', async () => {
    const [first] = api.people.sensorIds
    api.stations.answer = ({ sensorId }) =>
      sensorId === first ? { errorTypeId: 4001, errorMessage: 'HTTP status 503' } : 'ok'
    const { code, stdout } = await asking([])
    expect(code).toBe(0)
    expect(stdout).toMatch(/ · Error\n.*HTTP status 503\n {2}What to do: /s)
    expect(stdout.match(/ · OK · 12 ms/g)).toHaveLength(2)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('It works, but would be degraded: some stations see a failure.')
  })

  test('a good verdict says why the service would be degraded', async () => {
    const [first, second] = api.people.sensorIds
    const expiry = {
      kind: 'certificate',
      id: 'a',
      name: 'shop.example',
      endsAt: Date.now() + 5.5 * 86_400_000,
    } as const
    const good = { result: 'ok', errorTypeId: null, errorMessage: null } as const
    api.stations.answer = ({ sensorId }) => {
      if (sensorId === first) return { ...good, degraded: ['slow'] }
      return sensorId === second ? { ...good, degraded: ['slow'], expiry } : good
    }
    const { code, stdout } = await asking([])
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      'It works, but would be degraded: it answers slowly, the certificate ends soon.',
    )
    expect(stdout.match(/would be degraded: it answers slowly/g)).toHaveLength(3)
    const lines = (await asking(['--json'])).stdout.trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ verdict: 'ok', degraded_reasons: ['slow', 'certificate'] })
  })

  test.each([
    ['error', 1, 'failure'],
    ['unknown', 2, 'none'],
  ] as const)('if all say %s, it exits with %i', async (answer, code, verdict) => {
    api.stations.answer = () => answer
    const reply = await asking(['--json'])
    expect(reply.code).toBe(code)
    const lines = reply.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ verdict })
  })

  test('a login that is refused is told', async () => {
    const reply = await latarnik(['shop.example.com', '--server', login['SERVER'] ?? '', '--token', 'wrong'])
    expect(reply).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('refuses (401)') })
  })
})
