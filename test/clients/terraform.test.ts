import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, authorizationOf, type Reply } from '../support/api.ts'
import { keepConnection } from '../support/kept-connection.ts'
import { listenAlone } from '../support/raw-http.ts'

/**
 * The exchanges of the acceptance tests of the public Terraform provider, and of its fork. `public.json` was recorded
 * between Terraform and this program; `fork.json` follows the fork's source, which names, defaults and orders its
 * members. Numbers of objects are placeholders. The fork expects that a maker changes and deletes a dependent account
 * whose flags forbid it, and calls that unverified. Here the API refuses it (choices, *A dependent account*).
 */
interface Exchange {
  /** Method and path. */
  readonly request: string
  /** Without the line feed that Go's encoder adds. */
  readonly body?: string
  readonly status: number
  /** The members that the provider reads. */
  readonly answer?: string
}

type Recording = Readonly<Record<string, readonly Exchange[]>>

function recording(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`./terraform/${name}.json`, import.meta.url), 'utf8')) as Recording
}

const recordings = { public: recording('public'), fork: recording('fork') }

let api: ApiWorld
let port: number

beforeAll(async () => {
  api = await apiWorld()
  port = await listenAlone(api.server)
})
afterAll(() => api.drop())

/** The bytes that Go's HTTP client sends. */
function bytesOf({ request, body }: Exchange): Buffer {
  const [method = '', path = ''] = request.split(' ')
  const content = Buffer.from(body === undefined ? '' : `${body}\n`)
  const lines = [
    `${method} /v3${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'User-Agent: Go-http-client/1.1',
    ...(content.length === 0 ? [] : [`Content-Length: ${content.length}`]),
    `Authorization: ${authorizationOf('alice')}`,
    'Content-Type: application/json',
    'Accept-Encoding: gzip',
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content])
}

/** `/notification_addresses` makes a `notification_address`. */
function madeBy(request: string): string {
  const [, resource = ''] = /^POST \/(\w+)/.exec(request) ?? []
  return resource === 'notification_addresses' || resource === 'periodic_report_addresses'
    ? resource.slice(0, -2)
    : resource.slice(0, -1)
}

/** Values that later requests name. */
class Placeholders {
  readonly #values: Map<string, string>

  constructor(values: Readonly<Record<string, number>>) {
    this.#values = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]))
  }

  fill(text: string): string {
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => this.#values.get(name) ?? whole)
  }

  note({ request, status }: Exchange, body: unknown): void {
    const { id, start_time: startTime } = Object(body) as { readonly id?: unknown; readonly start_time?: unknown }
    if (status === 201) this.#values.set(madeBy(request), String(id))
    if (typeof startTime === 'string') this.#values.set('start_time', startTime)
  }
}

function check(exchange: Exchange, reply: Reply, placeholders: Placeholders): void {
  const told = `${exchange.request} ${placeholders.fill(exchange.body ?? '')} → ${reply.text}`
  expect(reply.status, told).toBe(exchange.status)
  placeholders.note(exchange, reply.body)
  if (exchange.answer === undefined) return
  const expected: unknown = JSON.parse(placeholders.fill(exchange.answer))
  if (typeof expected === 'object') expect(reply.body, told).toMatchObject(Object(expected))
  else expect(reply.body, told).toBe(expected)
}

describe.each(Object.entries(recordings))('the %s provider', (_, tests) => {
  test.each(Object.entries(tests))('%s', async (_name, exchanges) => {
    const placeholders = new Placeholders({ owner: api.people.ids.alice, other: api.people.ids.bob })
    const connection = await keepConnection(port)
    for (const exchange of exchanges) {
      const { request, body } = exchange
      const filled = {
        ...exchange,
        request: placeholders.fill(request),
        ...(body === undefined ? {} : { body: placeholders.fill(body) }),
      }
      expect(filled.request).not.toContain('{')
      check(exchange, await connection.ask(bytesOf(filled)), placeholders)
    }
    connection.close()
  })
})

test('every exchange is there', () => {
  const count = (tests: Recording) => Object.values(tests).flat().length
  expect([count(recordings.public), count(recordings.fork)]).toEqual([97, 288])
})
