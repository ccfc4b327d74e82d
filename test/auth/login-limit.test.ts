import { expect, test } from 'vitest'
import { LoginLimit } from '../../src/auth/login-limit.ts'

function limitOf(attemptsPerMinute: number) {
  const clock = { time: 1_000_000, now: () => clock.time }
  return { clock, limit: new LoginLimit({ attemptsPerMinute, clock }) }
}

test('an address has its attempts a minute, whatever usernames it tries', () => {
  const { clock, limit } = limitOf(3)
  for (const username of ['alice', 'bob', 'carol']) expect(limit.begin('192.0.2.1', username)).toBeNull()
  clock.time += 20_500
  expect(limit.begin('192.0.2.1', 'dora')).toBe(40)
  expect(limit.begin('192.0.2.2', 'dora')).toBeNull()
  clock.time += 39_500
  expect(limit.begin('192.0.2.1', 'dora')).toBeNull()
})

test('a username has its attempts a minute, whatever addresses they come from', () => {
  const { limit } = limitOf(2)
  expect(limit.begin('192.0.2.1', 'alice')).toBeNull()
  expect(limit.begin('192.0.2.2', 'ALICE')).toBeNull()
  expect(limit.begin('192.0.2.3', 'Alice')).toBe(60)
})

test('a right password gives its attempt back, but not the failures before it', () => {
  const { limit } = limitOf(2)
  for (let times = 0; times < 10; times += 1) {
    expect(limit.begin('192.0.2.1', 'alice')).toBeNull()
    limit.succeed('192.0.2.1', 'alice')
  }
  expect(limit.begin('192.0.2.1', 'alice')).toBeNull()
  expect(limit.begin('192.0.2.1', 'alice')).toBeNull()
  expect(limit.begin('192.0.2.1', 'alice')).toBe(60)
})

test('a refused attempt does not lengthen the wait', () => {
  const { clock, limit } = limitOf(1)
  limit.begin('192.0.2.1', 'alice')
  clock.time += 59_000
  expect(limit.begin('192.0.2.1', 'alice')).toBe(1)
  clock.time += 1000
  expect(limit.begin('192.0.2.1', 'alice')).toBeNull()
})

test.each([
  ['2001:db8::1', '2001:db8::ffff:1', true],
  ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::1', '::2', true],
])('%s and %s count as one address: %s', (first, second, same) => {
  const { limit } = limitOf(1)
  limit.begin(first, 'alice')
  expect(limit.begin(second, 'bob') !== null).toBe(same)
})

test('very many addresses are forgotten oldest first', () => {
  const { limit } = limitOf(1)
  limit.begin('192.0.2.1', 'alice')
  for (let index = 0; index < 20_000; index += 1) limit.begin(`host-${index}`, `user-${index}`)
  expect(limit.begin('192.0.2.1', 'alice')).toBeNull()
  expect(limit.begin('host-19999', 'someone')).not.toBeNull()
})
