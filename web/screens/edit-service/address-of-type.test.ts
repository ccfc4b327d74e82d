import { describe, expect, test } from 'vitest'
import type { SettingFormat } from '../../api/answers.ts'
import { ofOtherType, pastedInto, portMoved } from './address-of-type.ts'
import { emptyDraft } from './draft.ts'

function formats(...settings: readonly (readonly [id: string, standard: number | null])[]) {
  return settings.map(([setting_id, standard]) => ({ setting_id, default: standard }) as SettingFormat)
}

const redis = formats(['port', 6379])
const web = formats(['port', null])
const dns = formats(['port', 53], ['query_name', null])

function draft(type_id: string, address: string, settings: Readonly<Record<string, string>> = {}) {
  return { ...emptyDraft, type_id, address, settings }
}

describe('another type', () => {
  test.each([
    ['127.0.0.1:23714', 'tcp_connect', '127.0.0.1'],
    ['[2001:db8::7]:23714', 'tcp_connect_ipv6', '2001:db8::7'],
    ['me:secret@cache.example.com:23714/0', 'https', 'cache.example.com'],
  ])('whose port is a setting takes it out of %s', (address, typeId, host) => {
    expect(ofOtherType(draft(typeId, address), address, 'redis', redis)).toEqual({
      address: host,
      settings: { port: '23714' },
    })
  })

  test('leaves out the usual port', () => {
    const address = 'cache.example.com:6379'
    expect(ofOtherType(draft('tcp_connect', address), '', 'redis', redis)).toEqual({
      address: 'cache.example.com',
      settings: {},
    })
  })

  test.each([
    ['tcp_connect', formats(), '127.0.0.1', '127.0.0.1:23714'],
    ['https', web, '127.0.0.1', '127.0.0.1:23714'],
    ['udp_ipv6', formats(), '2001:db8::7', '[2001:db8::7]:23714'],
    ['ping', formats(['timeout', 3000]), '127.0.0.1', '127.0.0.1'],
    ['mysql', formats(['port', 3306]), '127.0.0.1', '127.0.0.1'],
  ])('%s takes the port of the setting', (typeId, ofType, host, address) => {
    const settings = typeId === 'mysql' ? { port: '23714' } : {}
    const before = draft('redis', host, { port: '23714', tls: 'tls' })
    expect(ofOtherType(before, `${host}:23714`, typeId, ofType)).toEqual({ address, settings })
  })

  test('of a web address leaves the path alone, unless the type has none', () => {
    const before = draft('https', 'shop.example.com:8443/cart')
    expect(ofOtherType(before, '', 'http', web).address).toBe('shop.example.com:8443/cart')
    expect(ofOtherType(before, '', 'ping', formats()).address).toBe('shop.example.com')
  })

  test('which the text was pasted for has all that it says', () => {
    const pasted = 'rediss://cache.example.com:6380'
    expect(ofOtherType(draft('heartbeat', ''), pasted, 'redis', redis)).toEqual({
      address: 'cache.example.com',
      settings: { port: '6380', tls: 'tls' },
    })
  })

  test('of DNS takes the port of a name server, not that of a name', () => {
    const at = (address: string) => ofOtherType(draft('https', address), address, 'dns', dns)
    expect(at('192.0.2.53:5353')).toEqual({ address: '192.0.2.53', settings: { port: '5353' } })
    expect(at('shop.example.com:8443')).toEqual({ address: '', settings: { query_name: 'shop.example.com' } })
  })
})

describe('a text pasted once the type is chosen', () => {
  test.each(['127.0.0.1:23714', 'redis://127.0.0.1:23714'])('%s is split', (pasted) => {
    expect(pastedInto(draft('redis', '', { tls: 'tls' }), pasted, redis)).toEqual({
      address: '127.0.0.1',
      settings: { tls: 'tls', port: '23714' },
    })
  })

  test('keeps the port of a setting when it has none, and that of DNS is of the name server', () => {
    const before = draft('redis', 'old.example.com', { port: '23714' })
    expect(pastedInto(before, 'cache.example.com', redis)).toEqual({
      address: 'cache.example.com',
      settings: { port: '23714' },
    })
    expect(pastedInto(draft('dns', ''), '192.0.2.53:5353', dns)).toEqual({
      address: '192.0.2.53',
      settings: { port: '5353' },
    })
    expect(pastedInto(draft('dns', ''), 'shop.example.com:8443', dns).settings).toEqual({
      query_name: 'shop.example.com',
    })
  })
})

describe('a port typed into the address', () => {
  test.each([
    ['cache.example.com:23130', 'cache.example.com', { port: '23130', timeout: '900' }],
    ['[2001:db8::7]:23130', '2001:db8::7', { port: '23130', timeout: '900' }],
    ['cache.example.com:6379', 'cache.example.com', { timeout: '900' }],
  ])('%s moves to its setting, in place of the one before', (address, host, settings) => {
    const before = draft('redis', address, { port: '1', timeout: '900' })
    expect(portMoved(before, redis)).toEqual({ ...before, address: host, settings })
  })

  test.each([
    ['redis', redis, 'cache.example.com'],
    ['redis', redis, '2001:db8::7'],
    ['https', web, 'shop.example.com:8443/basket'],
    ['tcp_connect', formats(), 'shop.example.com:8443'],
  ])('nothing moves for %s', (typeId, of, address) => {
    const before = draft(typeId, address, { timeout: '900' })
    expect(portMoved(before, of)).toBe(before)
  })
})
