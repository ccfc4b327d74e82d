import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesMet } from '../../../test/support/cases-met.ts'
import { serviceTypeOf, serviceTypes } from '../../checks/index.ts'
import { addressProblems } from './monitored-address.ts'
import type { ServiceType } from './service-types.ts'

const valid = casesMet('addresses that are taken')

function typeOf(id: string): ServiceType {
  const type = serviceTypeOf(id)
  if (type === undefined) throw new Error(`no type ${id}`)
  return type
}

describe('a monitored address', () => {
  test.each([
    ['http', 'example.com', 'example.com'],
    ['http', '  example.com ', 'example.com'],
    ['http', 'http://example.com/a?b=c', 'example.com/a?b=c'],
    ['http', 'HTTP://example.com', 'example.com'],
    ['https', 'https://example.com:8443', 'example.com:8443'],
    ['http', 'user:p@ss@example.com:81/', 'user:p@ss@example.com:81/'],
    ['http', '[::1]:8080/x', '[::1]:8080/x'],
    ['http', 'żółć.pl/ścieżka?q={a|b}', 'żółć.pl/ścieżka?q={a|b}'],
    ['http', 'localhost', 'localhost'],
    ['http', 'a_b.example.com.', 'a_b.example.com.'],
    ['http', '192.0.2.1', '192.0.2.1'],
    ['http_ipv6', '[2001:db8::192.0.2.1]', '[2001:db8::192.0.2.1]'],
    ['http', 'example.com?next=http://other', 'example.com?next=http://other'],
    ['ping', '2001:db8::1', '2001:db8::1'],
    ['ping', '[2001:db8::1]', '2001:db8::1'],
    ['dns', '192.0.2.53', '192.0.2.53'],
    ['smtp_helo', 'smtp://mx.example.com', 'mx.example.com'],
    ['tcp_connect', 'example.com:22', 'example.com:22'],
    ['tcp_connect', '[::1]:22', '[::1]:22'],
    ['webappcheck', 'https://example.com/login', 'example.com/login'],
  ])('%s takes %j', (type, input, address) => {
    expect(addressProblems(typeOf(type), input, 'data.address')).toEqual({ address, problems: [] })
  })

  test.each([
    ['http', 'https://example.com', 'address_protocol'],
    ['ping', 'http://example.com', 'address_protocol'],
    ['http', 'exa mple.com', 'address_characters'],
    ['http', 'example.com/a b', 'address_characters'],
    ['http', 'example.com\\a', 'address_characters'],
    ['http', 'example.com\u0000', 'address_characters'],
    ['http', '/path', 'address_host'],
    ['http', ':80', 'address_host'],
    ['http', 'a..b', 'address_host'],
    ['http', '-a.pl', 'address_host'],
    ['http', `${'a'.repeat(64)}.pl`, 'address_host'],
    ['http', '*.example.com', 'address_host'],
    ['http', '256.1.1.1', 'address_host'],
    ['http', '127.1', 'address_host'],
    ['http', '0x7f000001', 'address_host'],
    ['http', '2130706433', 'address_host'],
    ['http', '[::1', 'address_host'],
    ['http', '[:::1]', 'address_host'],
    ['http', '[1:2:3:4:5:6:7:8:9]', 'address_host'],
    ['http', '::1', 'address_host'],
    ['http', 'example.com:', 'address_port'],
    ['http', 'example.com:0', 'address_port'],
    ['http', 'example.com:65536', 'address_port'],
    ['http_ipv6', '192.0.2.1', 'address_ipv4_only'],
    ['ping_ipv6', '192.0.2.1', 'address_ipv4_only'],
    ['ping', 'example.com/path', 'address_host_only'],
    ['ping', 'example.com:80', 'address_host_only'],
    ['dns', '[::1]:53', 'address_port_apart'],
    ['redis', '127.0.0.1:23714', 'address_port_apart'],
    ['redis', 'redis://cache.example.com:6380', 'address_port_apart'],
    ['redis', 'cache.example.com:6380/0', 'address_host_only'],
    ['tcp_connect', 'example.com', 'address_port_missing'],
    ['tcp_connect', '::1', 'address_port_missing'],
    ['tcp_connect', 'example.com:99999', 'address_port'],
    ['tcp_connect', 'example.com:22/x', 'address_host'],
  ])('%s refuses %j: %s', (type, input, detail) => {
    const { problems } = addressProblems(typeOf(type), input, 'data.address')
    expect(problems).toEqual([{ error: 'incorrect_value', field: 'data.address', facts: { detail } }])
  })

  test.each(['', '   ', 'http://'])('%j is missing', (input) => {
    expect(addressProblems(typeOf('http'), input, 'data.address').problems).toEqual([
      { error: 'missing_value', field: 'data.address' },
    ])
  })

  test('an address that is too long says how long it may be', () => {
    const { problems } = addressProblems(typeOf('http'), `a.pl/${'x'.repeat(2048)}`, 'data.address')
    expect(problems).toEqual([{ error: 'value_too_long', field: 'data.address', facts: { maximum: 2048 } }])
  })

  test('what was taken once is taken again unchanged', () => {
    const type = fc.constantFrom(...serviceTypes)
    const input = fc.oneof(
      fc.webUrl({ validSchemes: ['http', 'https'] }),
      fc.ipV6(),
      fc.ipV4(),
      fc.domain(),
      fc.string(),
    )
    fc.assert(
      fc.property(type, input, (kind, text) => {
        const first = addressProblems(kind, text, 'data.address')
        if (!valid(first.problems.length === 0)) return
        expect(addressProblems(kind, first.address, 'data.address')).toEqual(first)
      }),
    )
  })

  test('every valid IP address is taken where it makes sense', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        expect(addressProblems(typeOf('ping_ipv6'), ip, '').problems).toEqual([])
        expect(addressProblems(typeOf('tcp_connect'), `[${ip}]:1`, '').problems).toEqual([])
      }),
    )
    fc.assert(fc.property(fc.ipV4(), (ip) => void expect(addressProblems(typeOf('dns'), ip, '').problems).toEqual([])))
  })
})
