import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import type { Person } from '../support/people.ts'

/** Services report in by the clients that Healthchecks and Uptime Kuma document. */

interface Made {
  readonly id: number
  readonly ping_url: string | null
  readonly ping_slug: string | null
  readonly address: string
}

interface Ping {
  readonly id: number
  readonly kind: string
  readonly exit_status: number | null
  readonly method: string
  readonly user_agent: string
  readonly body_size: number
}

let api: ApiWorld
let base: string
beforeAll(async () => {
  api = await apiWorld()
  base = await api.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => api.drop())

async function made(body: object = {}, person: Person = 'alice'): Promise<Made> {
  const answer = await api.call(person, 'POST', '/services', { type_id: 'heartbeat', name: 'Backup', ...body })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  const { id } = answer.answer
  return (await api.call(person, 'GET', `/services/${id}?fields=id,ping_url,ping_slug,address`)).body as Made
}

function localUrl({ ping_url }: Made): string {
  return (ping_url ?? '').replace('http://api.test', base)
}

async function pingsOf({ id }: Made): Promise<Ping[]> {
  return (await api.call('alice', 'GET', `/services/${id}/pings`)).body as Ping[]
}

const run = promisify(execFile)

/** A shell as a user's crontab has it. */
async function shell(script: string, url: string): Promise<string> {
  const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env['PATH'], URL: url } })
  return stdout
}

function isThere(command: string): boolean {
  const isFound = spawnSync(command, ['--version']).status === 0
  if (!isFound) process.stderr.write(`skipped: this machine has no ${command}\n`)
  return isFound
}

test('a heartbeat has no address, a ping address, and a slug of its name', async () => {
  const service = await made({ name: 'Kopia bazy (Łódź)' })
  expect(service).toMatchObject({ address: '', ping_slug: 'kopia-bazy-lodz' })
  expect(service.ping_url).toMatch(/^http:\/\/api\.test\/ping\/[0-9a-f-]{36}$/)
  const path = `/services/${service.id}`
  const shown = await api.call('alice', 'GET', path)
  expect((await api.call('alice', 'PUT', path, shown.body as object)).status).toBe(204)
  expect((await api.call('alice', 'PUT', path, { ping_slug: 'other', address: '' })).status).toBe(204)
  const told = async (body: object) => {
    const { body: answer, status } = await api.call('alice', 'PUT', path, body)
    return [status, JSON.stringify(answer)]
  }
  expect(await told({ address: 'example.com' })).toEqual([422, expect.stringContaining('data.address')])
  expect(await told({ ping_slug: 'Not a slug' })).toEqual([422, expect.stringContaining('data.ping_slug')])
  for (const settings of [{ cron: '0 0 30 2 *' }, { time_zone: 'mars' }, { period: 9 }, { grace: 2_592_001 }]) {
    const pointer = `data.extended_settings.${Object.keys(settings).join('')}`
    expect(await told({ extended_settings: settings })).toEqual([422, expect.stringContaining(pointer)])
  }
  const other = await api.call('alice', 'POST', '/services', { type_id: 'https', name: 'Shop' })
  expect([other.status, other.text]).toEqual([422, expect.stringContaining('data.address')])
})

describe.runIf(isThere('curl'))('curl as Healthchecks documents it', () => {
  test('success, start, fail, log, exit status, body', async () => {
    const service = await made()
    const url = localUrl(service)
    expect(await shell('curl -fsS -m 10 --retry 5 -o /dev/null $URL && echo done', url)).toBe('done\n')
    expect(await shell('curl -m 10 --retry 5 $URL/start', url)).toBe('OK')
    await shell('curl -fsS --retry 3 --data-raw "some log" $URL/log', url)
    await shell('m=$(echo "disk is full" 2>&1); curl -fsS -m 10 --retry 5 --data-raw "$m" $URL/1', url)
    await shell('curl -fsS -I -o /dev/null $URL/fail', url)
    await shell('false; curl -fsS -m 10 --retry 5 -o /dev/null $URL/$?', url)
    const pings = await pingsOf(service)
    expect(pings.map(({ kind, exit_status, method, body_size }) => [kind, exit_status, method, body_size])).toEqual([
      ['fail', 1, 'GET', 0],
      ['fail', null, 'HEAD', 0],
      ['fail', 1, 'POST', 12],
      ['log', null, 'POST', 8],
      ['start', null, 'GET', 0],
      ['success', null, 'GET', 0],
    ])
    expect(pings.every(({ user_agent }) => user_agent.startsWith('curl/'))).toBe(true)
    const path = (ping: Ping | undefined) => `/services/${service.id}/pings/${ping?.id}/body`
    const body = await api.call('alice', 'GET', path(pings[2]))
    expect([body.status, body.text]).toEqual([200, 'disk is full'])
    expect(body.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': expect.stringContaining('attachment'),
    })
    expect((await api.call('alice', 'GET', path(pings[0]))).status).toBe(404)
    expect((await api.call('bob', 'GET', path(pings[2]))).status).toBe(404)
  })

  test('of a long body the first 100 kB are kept', async () => {
    const service = await made()
    const script = 'head -c 300000 /dev/zero | tr "\\0" x | curl -fsS --data-binary @- $URL'
    expect(await shell(script, localUrl(service))).toBe('OK')
    expect(await pingsOf(service)).toMatchObject([{ body_size: 100_000 }])
  })

  test('the push of Uptime Kuma', async () => {
    const service = await made()
    const url = `${base}/api/push/${service.ping_url?.split('/').at(-1)}`
    expect(await shell('curl -fsS "$URL?status=up&msg=OK&ping=12"', url)).toBe('{"ok":true}')
    expect(await shell('curl -fsS "$URL?status=down&msg=full"', url)).toBe('{"ok":true}')
    expect(await pingsOf(service)).toMatchObject([
      { kind: 'fail', body_size: 4 },
      { kind: 'success', body_size: 13 },
    ])
    const unknown = await shell('curl -s -w " %{http_code}" "$URL"', `${base}/api/push/${randomUUID()}`)
    expect(unknown).toBe('{"ok":false,"msg":"not found"} 404')
  })
})

test.runIf(isThere('wget'))('wget in a crontab', async () => {
  const service = await made()
  await shell('true && wget $URL -T 10 -t 5 -q -O /dev/null', localUrl(service))
  expect(await pingsOf(service)).toMatchObject([{ kind: 'success' }])
})

test.runIf(isThere('python3'))('Python without a package', async () => {
  const service = await made()
  const script = `
import socket, sys, urllib.request
url = sys.argv[1]
urllib.request.urlopen(url + "/start", timeout=10)
urllib.request.urlopen(url + "/fail", data=b"Traceback", timeout=10)
print(urllib.request.urlopen(url, timeout=10).read().decode())
`
  const { stdout } = await run('python3', ['-c', script, localUrl(service)])
  expect(stdout).toBe('OK\n')
  expect((await pingsOf(service)).map(({ kind }) => kind)).toEqual(['success', 'fail', 'start'])
})

describe('ping keys and slugs', () => {
  async function keyOf(person: Person): Promise<string> {
    const { body } = await api.call(person, 'POST', `/accounts/${api.people.ids[person]}/ping_key`)
    return (body as { ping_key: string }).ping_key
  }
  const ping = async (path: string, method: 'GET' | 'POST' = 'GET') => {
    const answer = await fetch(`${base}/ping/${path}`, { method })
    return `${answer.status} ${await answer.text()}`
  }

  test('a slug names one heartbeat of the account; two of them are ambiguous', async () => {
    const key = await keyOf('alice')
    await made({ name: 'Nightly' })
    expect(await ping(`${key}/nightly`)).toBe('200 OK')
    expect(await ping(`${key}/nightly/start`)).toBe('200 OK')
    expect(await ping(`${key}/nightly/256`)).toBe('400 invalid url format')
    expect(await ping(`${key}/nobody`)).toBe('404 not found')
    await made({ name: 'Nightly' })
    expect(await ping(`${key}/nightly`)).toBe('409 ambiguous slug')
    const again = await keyOf('alice')
    expect(await ping(`${key}/nightly`)).toBe('404 not found')
    expect(await ping(`${again}/nightly`)).toBe('409 ambiguous slug')
  })

  test('create=1 makes a heartbeat once, within the limits of the account', async () => {
    const key = await keyOf('alice')
    const answers = await Promise.all(Array.from({ length: 5 }, () => ping(`${key}/made-by-ping?create=1`)))
    expect(new Set(answers)).toEqual(new Set(['200 OK']))
    const list = await api.call('alice', 'GET', '/services?ping_slug=made-by-ping&fields=name,type_id')
    expect(list.body).toEqual([{ name: 'made-by-ping', type_id: 'heartbeat' }])
  })

  test('the key and the address are for those who may change things', async () => {
    const service = await made()
    const path = `/accounts/${api.people.ids.alice}/ping_key`
    expect((await api.call('bob', 'GET', path)).status).toBe(404)
    expect((await api.call('rita', 'GET', path)).status).not.toBe(200)
    expect((await api.call('rita', 'GET', `/services/${service.id}?fields=ping_url`)).body).toEqual({ ping_url: null })
    expect((await api.call('bob', 'GET', `/services/${service.id}/pings`)).status).toBe(404)
  })
})

test('what is no heartbeat, no uuid and no action is refused, and guessing is slowed down', async () => {
  const service = await made()
  const url = localUrl(service)
  const statusOf = async (address: string) => (await fetch(address)).status
  expect(await statusOf(`${url}?rid=123`)).toBe(400)
  expect(await statusOf(`${url}/300`)).toBe(400)
  expect(await statusOf(`${url}/stop`)).toBe(400)
  expect(await statusOf(`${url}/start/log`)).toBe(404)
  expect(await statusOf(`${base}/ping/1`)).toBe(404)
  const guesses = await Promise.all(Array.from({ length: 80 }, () => statusOf(`${base}/ping/${randomUUID()}`)))
  expect(guesses.filter((status) => status === 429).length).toBeGreaterThan(10)
  expect(await statusOf(url)).toBe(200)
  const flood = await Promise.all(Array.from({ length: 700 }, () => statusOf(url)))
  expect(new Set(flood)).toEqual(new Set([200, 429]))
})

test('a deleted heartbeat leaves nothing behind and is unknown', async () => {
  const service = await made()
  api.clock.advance(120_000)
  expect((await fetch(localUrl(service))).status).toBe(200)
  expect((await api.call('alice', 'DELETE', `/services/${service.id}`)).status).toBe(204)
  expect((await fetch(localUrl(service))).status).toBe(404)
  const left = await api.database.query(sql`
    select service_id from pings where service_id = ${service.id}
    union all select service_id from heartbeats where service_id = ${service.id}`)
  expect(left).toEqual([])
})
