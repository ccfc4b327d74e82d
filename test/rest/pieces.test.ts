// Bodies in pieces of one byte: what waits for the end of a body takes about as much memory as its bytes.
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { newStartReader } from '../../src/pings/read-body.ts'
import { readBody } from '../../src/rest/read-body.ts'
import { gatherGarbage } from '../support/garbage.ts'

function memory(): number {
  gatherGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

class Payload extends EventEmitter {
  resume(): this {
    return this
  }

  destroy(): this {
    return this
  }
}

type Done = (error: Error | null, body?: Buffer) => void
type Read = (payload: IncomingMessage, done: Done) => void

const requestWith = (bodyLimit: number, headers = {}) =>
  ({ routeOptions: { bodyLimit }, headers }) as unknown as FastifyRequest
const ofPings: Read = (payload, done) => newStartReader()({ ip: '192.0.2.1' }, payload, done)
const ofApi: Read = (payload, done) => readBody(requestWith(1_048_576), payload, done)

/** The body that a reader hands over after so many pieces, and the memory that it held before their end. */
function fed(read: Read, pieces: number) {
  const payload = new Payload()
  let told: { readonly error: unknown; readonly body: Buffer | undefined } | undefined
  read(payload as unknown as IncomingMessage, (error, body) => {
    told = { error, body }
  })
  const before = memory()
  for (let count = 0; count < pieces; count += 1) payload.emit('data', Buffer.from('x'))
  const held = memory() - before
  payload.emit('end')
  return { held, ...told }
}

test.each([
  ['a report of a heartbeat', ofPings, 100_000],
  ['a body of the API', ofApi, 500_000],
] as const)('%s in pieces of one byte', (_what, read, pieces) => {
  const { held, error, body } = fed(read, pieces)
  expect(error).toBe(null)
  expect(body?.length).toBe(pieces)
  expect(held).toBeLessThan(5 * pieces + 4_000_000)
})

test('what is longer than its route takes is refused, whether it says so or not', () => {
  const refusals = [
    fed((payload, done) => readBody(requestWith(10), payload, done), 11),
    fed((payload, done) => readBody(requestWith(10, { 'content-length': '11' }), payload, done), 0),
  ]
  for (const { error, body } of refusals) {
    expect(error).toMatchObject({ statusCode: 413 })
    expect(body).toBe(undefined)
  }
  expect(fed((payload, done) => readBody(requestWith(10), payload, done), 10).body?.toString()).toBe('xxxxxxxxxx')
})

test('a body that breaks off is the fault of who sent it', () => {
  const payload = new Payload()
  const errors: unknown[] = []
  ofApi(payload as unknown as IncomingMessage, (error) => errors.push(error))
  payload.emit('data', Buffer.from('x'))
  payload.emit('error', new Error('aborted'))
  payload.emit('end')
  expect(errors).toEqual([expect.objectContaining({ message: 'aborted', statusCode: 400 })])
})

describe('reports of heartbeats that are sent at once', () => {
  const room = 40
  const begun = (read: ReturnType<typeof newStartReader>, ip: string, text: string) => {
    const payload = new Payload()
    const bodies: string[] = []
    read({ ip }, payload as unknown as IncomingMessage, (_error, body) => bodies.push(String(body)))
    payload.emit('data', Buffer.from(text))
    return { payload, bodies }
  }

  test('keep the texts of one network up to its share, and those of others besides', () => {
    const read = newStartReader(room)
    const [first, second] = [begun(read, '192.0.2.1', 'x'.repeat(20)), begun(read, '192.0.2.1', 'lost')]
    const other = begun(read, '198.51.100.7', 'kept')
    for (const { payload } of [first, second, other]) payload.emit('end')
    expect([first, second, other].map(({ bodies }) => bodies)).toEqual([['x'.repeat(20)], [''], ['kept']])
  })

  test.each(['end', 'close'])('give their room back by their %s', (ending) => {
    const read = newStartReader(room)
    for (let count = 0; count < 10; count += 1) begun(read, '192.0.2.1', 'x'.repeat(20)).payload.emit(ending)
    const last = begun(read, '192.0.2.1', 'kept')
    last.payload.emit('end')
    expect(last.bodies).toEqual(['kept'])
  })
})
