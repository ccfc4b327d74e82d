import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { wholeProgram } from '../support/own-program.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

let directory: ReturnType<typeof temporaryDirectory>
const launched: Launched[] = []

beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(async () => {
  await Promise.all(launched.splice(0).map(stop))
  directory.remove()
}, 30_000)

function start(variables: Readonly<Record<string, string>>): Launched {
  const program = launch({ DATA_DIR: directory.path, LOCAL_SENSORS: '1', ...variables })
  launched.push(program)
  return program
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

interface Seen {
  readonly status: number
  readonly body: unknown
}

async function look(url: string): Promise<Seen | null> {
  try {
    const response = await fetch(url)
    return { status: response.status, body: await response.json() }
  } catch {
    return null
  }
}

const unready = (...reasons: string[]) => ({ status: 503, body: { status: 'unavailable', reasons } })

test('who looks from the beginning sees the process start, serve and drain', { timeout: 180_000 }, async () => {
  const port = await freePort()
  const program = start({ METRICS_PORT: String(port) })
  const readyz = `http://127.0.0.1:${port}/readyz`
  let seen: Seen | null = null
  while (seen === null) seen = await look(readyz)
  expect(seen).toEqual(unready('starting'))
  const api = await program.ready()
  expect(program.stdout()).toContain(`Metrics         http://127.0.0.1:${port}/metrics`)
  for (const url of [readyz, `${api}/readyz`]) expect(await look(url)).toEqual({ status: 200, body: { status: 'ok' } })
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(metrics).toContain('latarnik_database_up 1')
  expect((await fetch(`${api}/metrics`)).status).toBe(404)

  const client = connect(Number(new URL(api).port), '127.0.0.1')
  client.on('error', () => undefined)
  client.write('POST /v3/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
  // These requests come after the client's, which has begun by the time of their answers.
  for (let times = 0; times < 2; times += 1) expect((await look(`${api}/readyz`))?.status).toBe(200)
  program.child.kill('SIGTERM')
  await expect.poll(() => look(readyz)).toEqual(unready('draining'))
  client.destroy()
  expect(await program.ended()).toBe(0)
})

test('a station far away is ready while it is connected to its core', { timeout: 90_000 }, async () => {
  const port = await freePort()
  const station = launch(
    {
      ...{ DATA_DIR: directory.path, METRICS_PORT: String(port) },
      ...{ SENSOR_SERVER: 'http://127.0.0.1:1', SENSOR_TOKEN: 'x'.repeat(43) },
    },
    ['sensor'],
    wholeProgram('cli'),
  )
  launched.push(station)
  await expect
    .poll(() => look(`http://127.0.0.1:${port}/readyz`), { timeout: 60_000, interval: 100 })
    .toEqual(unready('core'))
  expect(await look(`http://127.0.0.1:${port}/healthz`)).toEqual({ status: 200, body: { status: 'ok' } })
})

test.each([
  [{ METRICS_PORT: '8080', PORT: '8080' }, 'METRICS_PORT: must differ from PORT'],
  [{ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' }, 'METRICS_HOST 192.0.2.1 is no address of this machine.'],
])('%j is refused in one sentence', async (variables, sentence) => {
  const program = start(variables)
  expect(await program.ended()).toBe(2)
  // Beside the log, whose lines are JSON.
  const said = program.stderr().trim().split('\n')
  expect(said.filter((line) => !line.startsWith('{'))).toEqual([expect.stringContaining(sentence)])
})
