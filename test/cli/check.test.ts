import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkHere } from '../../src/cli/check/here.ts'
import { linesOf, type ShownCheck } from '../../src/cli/check/shown.ts'
import { targetOf, typeMeant } from '../../src/cli/check/target.ts'
import { errorType } from '../../src/domain/error-types.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { passwordOf } from '../support/people.ts'
import { freePort } from '../support/real-server.ts'

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
  const child = spawn(process.execPath, ['dist/cli.js', 'check', ...args], {
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
    ['shop.example.com', undefined, { timeout: 'soon' }, /^--settings\.timeout: /],
    ['shop.example.com', undefined, { colour: 'red' }, /^--settings\.colour: /],
    ['', undefined, {}, /^--address: /],
  ])('%j as %s with %j is refused', (given, typeId, texts, message) => {
    expect(() => targetOf({ address: given, typeId, settings: {}, texts }, 'en')).toThrow(message)
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
    ...{ errorMessage: 'x\u001b]0;owned\u0007\ny', statusCode: null, ipAddress: null },
  }
  expect(linesOf(check, 'en').join('')).not.toMatch(/\p{Cc}/u)
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
  beforeEach(() => {
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
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('It works.')
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
