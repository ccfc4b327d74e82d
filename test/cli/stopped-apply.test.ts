import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, request as forwarded, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { forgetAll } from '../support/configuring.ts'
import { wholeProgram } from '../support/own-program.ts'
import { passwordOf } from '../support/people.ts'

/** `latarnik apply` that somebody stops in the middle. */

let world: ApiWorld
let server: string

beforeAll(async () => {
  world = await apiWorld()
  server = await world.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.drop())

const count = 40

async function manyServices(): Promise<string> {
  const lines = Array.from(
    { length: count },
    (_none, at) => `  s${at}: { name: S${at}, type_id: http, address: a.test, notification_channel_ids: [] }\n`,
  )
  const path = join(await mkdtemp(join(tmpdir(), 'latarnik-files-')), 'many.yaml')
  await writeFile(path, `version: 1\nservices:\n${lines.join('')}`)
  return path
}

function apply(args: readonly string[], url: string) {
  const login = { LATARNIK_URL: url, LATARNIK_USERNAME: 'alice', LATARNIK_PASSWORD: passwordOf('alice') }
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [wholeProgram('cli'), 'apply', ...args], {
    env: { PATH, HOME, LANG: 'C.UTF-8', ...login },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code]]) => ({ stdout, stderr, code }),
  )
  return { child, ended }
}

function passOn(request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request
  const to = forwarded(`${server}${request.url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(response)
  })
  request.pipe(to)
  to.on('error', () => response.destroy())
}

/** Stands before the installation, and keeps the creations after the tenth until they are let through. */
async function front(full: () => void) {
  const kept: (() => void)[] = []
  let isOpen = false
  let writes = 0
  const gate = createServer((request, response) => {
    if (request.method === 'POST' && request.url?.includes('/services')) writes += 1
    if (writes <= 10 || isOpen) return passOn(request, response)
    kept.push(() => passOn(request, response))
    full()
  })
  await once(gate.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    open() {
      isOpen = true
      for (const pass of kept.splice(0)) pass()
    },
    async close() {
      gate.close()
      gate.closeAllConnections()
    },
  }
}

async function stoppedBy(signal: 'SIGINT' | 'SIGTERM', args: readonly string[]) {
  const path = await manyServices()
  let full: () => void = () => undefined
  const isFull = new Promise<void>((resolve) => {
    full = resolve
  })
  const before = await front(full)
  const { child, ended } = apply([...args, path], before.url)
  await isFull
  const heard = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => String(chunk).includes(signal) && resolve())
  })
  child.kill(signal)
  await heard
  before.open()
  const outcome = await ended
  await before.close()
  return { ...outcome, path }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends what is under way, tells how far it came and how to go on, and the same command makes the rest',
  async (signal) => {
    await forgetAll(world.database)
    const { code, stdout, stderr, path } = await stoppedBy(signal, [])
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^latarnik: ${signal}: the changes under way end, and no other begins\\.`))
    const [, created, left] =
      /It was stopped: (\d+) created, 0 changed, 0 deleted or released; (\d+) not begun\. .* the same command makes the rest\.\n$/.exec(
        stderr,
      ) ?? []
    expect(Number(created)).toBeGreaterThan(10)
    expect(Number(created) + Number(left)).toBe(count)
    expect(stdout).toContain(`\n${created} changed, ${left} not; 0 were as they should be.\n`)
    const made = await world.call('alice', 'GET', '/services?managed_by=latarnik&limit=0')
    expect(made.headers['x-total-count']).toBe(created)
    expect(await apply([path], server).ended).toMatchObject({
      ...{ code: 0, stderr: '' },
      stdout: expect.stringContaining(`${left} changed, 0 not; ${created} were as they should be.`),
    })
  },
)

test('a program hears of each change that was not begun', async () => {
  await forgetAll(world.database)
  const { code, stdout } = await stoppedBy('SIGTERM', ['--json'])
  const { changes } = JSON.parse(stdout) as { readonly changes: readonly { readonly result: string }[] }
  const results = new Set(changes.map(({ result }) => result))
  expect([code, changes.length, [...results].toSorted()]).toEqual([1, count, ['done', 'not tried']])
})
