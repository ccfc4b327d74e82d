// Floods of what each protocol allows: a server that says nothing forbidden, but too often, or in too many parts.
import type { Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { GatheredBytes } from '../../src/outgoing/gathered-bytes.ts'
import { newScram } from '../../src/outgoing/scram.ts'
import { bodyCapPieces, isFull, newReceived } from '../../src/sensor/http/received.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers, flood } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

function many(piece: Buffer): Buffer {
  return Buffer.alloc(Math.ceil(65_536 / piece.length) * piece.length, piece)
}

/** Says its words one after another, each after something was said, and then floods. */
function afterWords(words: readonly Buffer[], piece: Buffer): (socket: Socket) => void {
  return (socket) => {
    const left = [...words]
    socket.on('error', () => undefined)
    socket.on('data', () => {
      const word = left.shift()
      if (word === undefined) return
      socket.write(word)
      if (left.length === 0) flood('', many(piece))(socket, '')
    })
  }
}

const ofPostgresql = (type: string, body: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

const [connack, suback] = [Buffer.from([0x20, 2, 0, 0]), Buffer.from([0x90, 0])]
const letIn = ofPostgresql('R', Buffer.alloc(4))

const floods: readonly (readonly [string, string, (socket: Socket) => void, Settings])[] = [
  ['subscriptions that nobody asked for', 'mqtt', afterWords([connack, suback], suback), { topic: 'a' }],
  [
    'commands that are complete, again and again',
    'postgresql',
    afterWords([letIn], ofPostgresql('C')),
    { username: 'jan', password: 'x' },
  ],
]

test.each(floods)('%s end the check before its time is up', async (_what, typeId, play, settings) => {
  const port = await servers.tcp(play)
  const result = await checker.check(typeId, '127.0.0.1', { port, timeout: 60_000, ...settings })
  expect([verdictOf(result), result.errorMessage]).toEqual([
    'protocol_answer_too_large',
    expect.stringMatching(/^more than \d+ pieces$/),
  ])
})

/** A document of so many nulls, and of what makes it an answer. */
function answerOfFields(question: Buffer, fields: number): Buffer {
  const nulls = Array.from({ length: fields }, (_none, index) => Buffer.from(`\x0a${index.toString(36)}\0`, 'latin1'))
  const body = Buffer.concat([...nulls, Buffer.from('\x10ok\0\x01\0\0\0\0', 'latin1')])
  const head = Buffer.alloc(25)
  head.writeInt32LE(head.length + body.length)
  head.writeInt32LE(question.readInt32LE(4), 8)
  head.writeInt32LE(2013, 12)
  head.writeInt32LE(4 + body.length, 21)
  return Buffer.concat([head, body])
}

test.each([
  [500, 'ok'],
  [50_000, 'protocol_answer_too_large'],
] as const)('a MongoDB server whose greeting has %i fields: %s', async (fields, verdict) => {
  const port = await servers.tcp((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (question: Buffer) => socket.write(answerOfFields(question, fields)))
  })
  expect(verdictOf(await checker.check('mongodb', '127.0.0.1', { port, timeout: 60_000 }))).toBe(verdict)
})

test('a body in pieces of one byte keeps no memory of the reads that they came in', () => {
  const received = newReceived()
  const read = Buffer.alloc(65_536, 'x')
  for (let at = 0; at < 3000; at += 1) expect(isFull(received, read.subarray(at, at + 1))).toBe(false)
  const whole = received.body.whole()
  expect(whole.toString()).toBe('x'.repeat(3000))
  expect(whole.buffer).not.toBe(read.buffer)
  expect(whole.buffer.byteLength).toBeLessThanOrEqual(2 * 3000)
})

test('a body of more pieces than a check reads is cut, like one of more bytes', async () => {
  const piece = many(Buffer.from('1\r\nx\r\n'))
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n'
  const port = await servers.http(flood(head, piece))
  const result = await checker.check('http', `127.0.0.1:${port}/`, { content_regex: 'y', timeout: 60_000 })
  expect(verdictOf(result)).toBe('content_missing')
  expect(result.evidence?.facts['content_is_cut']).toBe(true)
  // The rest of the read in which it was cut is counted too.
  expect(result.dataSize).toBeGreaterThan(bodyCapPieces)
  expect(result.dataSize).toBeLessThan(2 * bodyCapPieces)
})

test('pieces are put together in their order, whatever their sizes', () => {
  const gathered = new GatheredBytes()
  const pieces = ['a', '', 'bc', 'd'.repeat(5000), 'e']
  for (const piece of pieces) gathered.add(Buffer.from(piece))
  expect(gathered.whole().toString()).toBe(pieces.join(''))
  expect(gathered.length).toBe(5004)
})

test('a challenge of a million attributes is not read', async () => {
  const scram = newScram('SCRAM-SHA-256', 'jan', 'x')
  await expect(scram.proof('a=,'.repeat(1_000_000))).rejects.toThrow('too long')
})
