import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MetricsListener, startListener } from '../../src/telemetry/listener.ts'
import { Readiness } from '../../src/telemetry/readiness.ts'

const readiness = new Readiness()
let listener: MetricsListener
let isBroken = false

beforeAll(async () => {
  listener = await startListener({
    ...{ host: '127.0.0.1', port: 0, readiness },
    metrics: async (accepted) => {
      if (isBroken) throw new Error('the secret is 42')
      return { contentType: 'text/plain', text: accepted }
    },
  })
})
afterAll(() => listener.stop())

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${listener.port}${path}`, init)
}

test('it lives from the beginning, and is ready when it says so', async () => {
  expect((await ask('/healthz')).status).toBe(200)
  const starting = await ask('/readyz')
  expect([starting.status, starting.headers.get('cache-control')]).toEqual([503, 'no-store'])
  expect(await starting.json()).toEqual({ status: 'unavailable', reasons: ['starting'] })
  readiness.started()
  const ready = await ask('/readyz?verbose')
  expect([ready.status, ready.headers.get('content-type'), await ready.json()]).toEqual([
    ...[200, 'application/json', { status: 'ok' }],
  ])
})

test('it answers nothing but what it is for', async () => {
  expect((await ask('/v3/accounts')).status).toBe(404)
  const posted = await ask('/metrics', { method: 'POST', body: 'x' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  const head = await ask('/healthz', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('metrics that cannot be had end the connection and nothing else', async () => {
  expect(await (await ask('/metrics', { headers: { accept: 'text/x' } })).text()).toBe('text/x')
  isBroken = true
  await expect(ask('/metrics')).rejects.toThrow()
  isBroken = false
  expect((await ask('/metrics')).status).toBe(200)
})
