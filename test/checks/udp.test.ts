import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createChecker, verdictOf } from '../support/check.ts'

type Answer = (message: Buffer, times: number) => readonly (Buffer | string)[]

/** A port that answers as it is told, and keeps what came. */
async function answering(answer: Answer, family: 4 | 6 = 4) {
  const heard: Buffer[] = []
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6')
  socket.on('message', (message, { port, address }) => {
    heard.push(message)
    for (const one of answer(message, heard.length)) socket.send(one, port, address)
  })
  socket.bind(0, family === 4 ? '127.0.0.1' : '::1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { heard, port: (socket.address() as AddressInfo).port }
}

const checker = createChecker()
const check = (port: number, settings: object = {}) =>
  checker.check('udp', `127.0.0.1:${port}`, { timeout: 3000, ...settings })

test('a port that answers is up, and gets the bytes that were written', async () => {
  const { heard, port } = await answering(() => ['fine'])
  const result = await check(port, { text_to_send: 'PING\\r\\n\\xff' })
  expect([verdictOf(result), result.dataSize]).toEqual(['ok', 4])
  expect(heard.map((message) => message.toString('latin1'))).toEqual(['PING\r\n\xff'])
  expect(result.phases?.first_byte).toBeGreaterThan(0)
})

test.each([
  ['^fine$', 'ok'],
  ['^ok', 'content_missing'],
  ['f.n', 'ok'],
])('an answer is held to %j: %s', async (expected_answer_regex, verdict) => {
  const { port } = await answering(() => ['fine'])
  expect(verdictOf(await check(port, { expected_answer_regex }))).toBe(verdict)
})

test('any byte can be named', async () => {
  const { port } = await answering(() => [Buffer.from([0xc0, 0x00, 0x02, 0x0a])])
  expect(verdictOf(await check(port, { expected_answer_regex: '\\xC0\\x00\\x02\\x0A' }))).toBe('ok')
})

test('a datagram that gets lost is sent once more', async () => {
  const { heard, port } = await answering((_, times) => (times === 1 ? [] : ['late']))
  expect(verdictOf(await check(port, { timeout: 1000 }))).toBe('ok')
  expect(heard).toHaveLength(2)
})

test('silence is a failure with its limit, a closed port one at once', async () => {
  const { heard, port } = await answering(() => [])
  expect(verdictOf(await check(port, { timeout: 400 }))).toBe('udp_no_answer')
  expect(heard).toHaveLength(2)
  const closed = createSocket('udp4')
  closed.bind(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port: closedPort } = closed.address()
  closed.close()
  expect(verdictOf(await check(closedPort))).toBe('connection_refused')
})

test('a thousand answers are one, and leave nothing behind', async () => {
  const { port } = await answering(() => Array.from({ length: 1000 }, () => 'fine'))
  expect(verdictOf(await check(port))).toBe('ok')
  expect(verdictOf(await check(port))).toBe('ok')
})

test('what somebody else sends is no answer', async () => {
  const { port } = await answering((_, times) => (times === 1 ? [] : ['mine']))
  const stranger = createSocket('udp4')
  onTestFinished(() => void stranger.close())
  const checked = check(port, { timeout: 1000, expected_answer_regex: 'mine' })
  // Nobody but the port itself knows where the question came from: the ports nearby are tried.
  for (let offset = -5; offset < 5; offset += 1) stranger.send('theirs', port + offset, '127.0.0.1')
  expect(verdictOf(await checked)).toBe('ok')
})

test.each(['127.0.0.1', 'host:0', ':80'])('%s names no port of a host', async (address) => {
  expect(verdictOf(await checker.check('udp', address))).toBe('address_invalid')
})

test('over IPv6 alone', async (context) => {
  const bound = await answering(() => ['six'], 6).catch(() => null)
  if (bound === null) return context.skip('this machine has no IPv6')
  expect(verdictOf(await checker.check('udp_ipv6', `[::1]:${bound.port}`, { timeout: 3000 }))).toBe('ok')
  expect(verdictOf(await checker.check('udp_ipv6', `127.0.0.1:${bound.port}`, { timeout: 3000 }))).toBe(
    'address_not_ipv6',
  )
})
