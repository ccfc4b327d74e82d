import { expect, test } from 'vitest'
import { addressAt, serversOf, WrongServers } from './servers.ts'

const login = 'postgres://me:p,a%40ss@'

test.each([
  [`${login}a:5432,b:5433/latarnik?target_session_attrs=read-write`, ['a:5432', 'b:5433']],
  [`${login}a,b/latarnik?sslmode=require&target_session_attrs=primary`, ['a:5432', 'b:5432']],
  ['postgresql://[::1]:5432,127.0.0.1/latarnik', ['[::1]:5432', '127.0.0.1:5432']],
  ['postgres:///latarnik?host=a,b&port=6000', ['a:6000', 'b:6000']],
  ['postgres:///latarnik?host=a,::1&port=6000,6001', ['a:6000', '[::1]:6001']],
  ['postgres:///latarnik?host=/run/one,/run/two', ['/run/one:5432', '/run/two:5432']],
])('%s names %j, of which one accepts writes', (url, names) => {
  const { all, mustWrite } = serversOf(url)
  expect(all.map(({ name }) => name)).toEqual(names)
  expect(mustWrite).toBe(true)
})

test('each server has an address of its own, with the other parameters', () => {
  const { all } = serversOf(`${login}a:1,b:2/name?sslmode=require&target_session_attrs=read-write`)
  expect(all).toEqual([
    { url: `${login}a:1/name?sslmode=require`, place: { host: 'a', port: 1 }, name: 'a:1' },
    { url: `${login}b:2/name?sslmode=require`, place: { host: 'b', port: 2 }, name: 'b:2' },
  ])
  const [socket] = serversOf(`${login}/name?host=/run/one,/run/two`).all
  expect(socket).toMatchObject({ url: `${login}%2Frun%2Fone:5432/name`, place: { host: '/run/one' } })
})

test.each([
  ['postgres://a/name', false],
  ['postgres://a/name?target_session_attrs=any', false],
  ['postgres://a/name?target_session_attrs=read-write', true],
  ['postgres:///postgres?host=%2Frun%2Fone&user=latarnik', false],
])('%s is taken as it is', (url, mustWrite) => {
  expect(serversOf(url)).toMatchObject({ all: [{ url }], mustWrite })
})

test.each([
  ['postgres://a,b/name?target_session_attrs=any', /target_session_attrs=any/],
  ['postgres://a,b/name?target_session_attrs=standby', /must be read-write or primary/],
  ['postgres://a/name?target_session_attrs=read-only', /Latarnik writes/],
  ['postgres://a,,b/name', /without a host/],
  ['postgres://a:1,b:99999/name', /wrong port/],
  ['postgres://a:1,a:1/name', /twice/],
  ['postgres://a,b/name?host=c', /both/],
  ['postgres:///name?host=a,b,c&port=1,2', /3 hosts and 2 ports/],
  ['postgres://a/name?port=1,2', /one host and 2 ports/],
])('%s is refused', (url, message) => {
  expect(() => serversOf(url)).toThrow(WrongServers)
  expect(() => serversOf(url)).toThrow(message)
})

test.each([
  [`${login}a:1,b:2/name?sslmode=require&target_session_attrs=read-write`, `${login}w:6000/name?sslmode=require`],
  ['postgres:///name?host=/run/one&user=me', 'postgres://w:6000/name?user=me'],
  ['postgres://a/name', 'postgres://w:6000/name'],
])('%s on another server is %s', (url, there) => {
  expect(addressAt(url, { host: 'w', port: 6000 })).toBe(there)
})

test('another server by its IPv6 address', () => {
  expect(addressAt('postgres://a/name', { host: '::1', port: 6000 })).toBe('postgres://[::1]:6000/name')
})
