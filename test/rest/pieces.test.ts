// Bodies in pieces of one byte: what waits for the end of a body takes about as much memory as its bytes.
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readStart } from '../../src/pings/read-body.ts'
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
  ['a report of a heartbeat', readStart, 100_000],
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
