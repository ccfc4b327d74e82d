// Every way to write a forbidden address, at every place that dials a user's address. Nothing is dialled: the test
// asserts the refusal, with names that it resolves.
import { describe, expect, test } from 'vitest'
import { needsBrowser, serviceTypes } from '../../src/checks/index.ts'
import type { DiagnosticRequest } from '../../src/domain/services/diagnostic.ts'
import type { MonitoredAddressForm } from '../../src/domain/services/service-types.ts'
import { createDialler, type Dialler } from '../../src/outgoing/dial.ts'
import { createScreen } from '../../src/outgoing/screen.ts'
import { explainCertificate } from '../../src/sensor/browser/certificate-failure.ts'
import { openProxy } from '../../src/sensor/browser/proxy.ts'
import { runCheck } from '../../src/sensor/check.ts'
import { runDiagnostic } from '../../src/sensor/diagnose.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { clock, jobFor, neverBlind, verdictOf } from '../support/check.ts'
import { converse } from '../support/raw-http.ts'

/** Where names of the test lead. */
const names: Readonly<Record<string, string>> = {
  localhost: '127.0.0.1',
  'localhost.': '127.0.0.1',
  'localhost.localdomain': '127.0.0.1',
  'shop.localhost': '127.0.0.1',
  'localtest.example': '127.0.0.1',
  'inside.example': '10.0.0.1',
  'inside.example.': '10.0.0.1',
  'metadata.example': '169.254.169.254',
  'six.example': 'fd00::5',
  'mapped.example': '::ffff:192.168.0.1',
  'translated.example': '64:ff9b::a00:1',
  'linked.example': 'fe80::1%eth0',
  'xn--wski-2ta.example': '10.0.0.1',
}

const resolve = (name: string, family: 4 | 6): Promise<readonly string[]> => {
  const ip = names[name]
  return Promise.resolve(ip !== undefined && ip.includes(':') === (family === 6) ? [ip] : [])
}

/** 127.0.0.1 and 169.254.169.254 in the spellings of inet_aton, and as other alphabets write digits and dots. */
const spellingsOfIpv4 = [
  ...['127.0.0.1', '127.9.9.9', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7F.1', '0x7f.0x0.0x0.0x1'],
  ...['0177.0.0.1', '017700000001', '0000177.0.0.01', '0177.0x0.1', '127.0.0.1.', '127.0.0.0x1', '0x7f.00000001'],
  ...['１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '𝟏𝟐𝟕.0.0.1', '127.0.0.\u00ad1'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.16689662', '0xa9.254.0251.254'],
  ...['0', '0.0.0.0', '10.1.2.3', '012.1.2.3', '100.64.0.1', '100.100.100.200', '172.31.255.255', '192.0.0.192'],
  ...['192.88.99.1', '192.168.1.1', '3232235777', '198.19.0.1', '224.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['192.0.2.1', '198.51.100.7', '203.0.113.255'],
]

const spellingsOfIpv6 = [
  ...['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0001', 'fc00::1', 'FD00:EC2::254'],
  ...['fe80::1', 'fec0::1', 'ff02::1', '100::1', '::127.0.0.1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ...['::FFFF:10.0.0.1', '0:0:0:0:0:ffff:a9fe:a9fe', '::ffff:0:127.0.0.1', '::ffff:0:a00:1', '64:ff9b::127.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2001:0:7f00:1::', '2001::1'],
  ...['5f00::1', '2001:2::1', '100:0:0:1::5', '2001:db8::1', '3fff:fff::1', '2606:4700::5efe:10.0.0.1'],
  ...['2606:4700::200:5efe:a9fe:a9fe', '2606:4700:1:2:0:5efe:192.168.0.1'],
]

/** A browser or a system would accept these in its own way; here they are no addresses. */
const nonsense = ['[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1%lo]', '[::ffff:127.1]', '256.0.0.1', '127.0.0.1.1']

const hosts = [...spellingsOfIpv4, ...spellingsOfIpv6.map((ip) => `[${ip}]`), ...nonsense, ...Object.keys(names)]

/** A refusal before anything is dialled, by whichever rule. */
const refusals = ['sensor_address_refused', 'address_invalid', 'address_not_ipv6', 'name_without_ipv6_address']

/** Connections that would be made are recorded and lead nowhere. */
const dialled: string[] = []
const dialler: Dialler = {
  ...createDialler({ allow: [], resolve }),
  connect: (_attempt, addresses) => {
    dialled.push(...addresses.map(({ ip }) => ip))
    return Promise.reject(new Error('nothing is dialled here'))
  },
}
const equipment = { ...createEquipment({ allow: [], resolve }), dialler }

/** An address of the type's form with the settings that it needs to come as far as dialling. */
const forms: Readonly<Record<MonitoredAddressForm, (host: string) => readonly string[]>> = {
  web: (host) => [`${host}/`, `${host}:8080/path`, `user:secret@${host}/`, `public.example@${host}/`],
  host: (host) => [host],
  host_port: (host) => [`${host}:9`],
  domain: () => [],
  none: () => [],
}

const settings = { query_name: 'example.com', timeout: 500, reply_timeout: 500, port: null }

const checkedAlone = serviceTypes
  .filter(({ id }) => !needsBrowser(id))
  .map(({ id, addressForm }) => [id, addressForm] as const)

describe.each(checkedAlone)('a service of type %s', (typeId, addressForm) => {
  test('reaches no refused address, however it is written', async () => {
    for (const host of hosts) {
      for (const address of forms[addressForm](host)) {
        const result = await runCheck(jobFor(typeId, address, settings), { equipment, watch: neverBlind, clock })
        expect([address, verdictOf(result)], result.errorMessage ?? '').toEqual([address, expect.toBeOneOf(refusals)])
      }
    }
    expect(dialled).toEqual([])
  })
})

test('the browser’s way out reaches no refused address, in a tunnel or in plain', async () => {
  const proxy = await openProxy({ dialler, timeoutMs: 2000, onBytes: () => {} })
  const port = Number(new URL(proxy.url).port)
  for (const host of hosts) {
    expect(await converse(port, `CONNECT ${host}:443 HTTP/1.1\r\nHost: x\r\n\r\n`), host).not.toMatch(/^HTTP\/1.1 200/)
    expect(await converse(port, `GET http://${host}/ HTTP/1.1\r\nHost: x\r\n\r\n`), host).not.toMatch(/^HTTP\/1.1 200/)
  }
  proxy.close()
  expect(dialled).toEqual([])
})

test('what explains a certificate looks at none of a refused address', async () => {
  for (const host of hosts) expect(await explainCertificate(`${host}:443`, equipment), host).toBeNull()
  expect(dialled).toEqual([])
})

const diagnostics: readonly ((host: string) => DiagnosticRequest)[] = [
  (host) => ({ kind: 'traceroute', host }),
  (server) => ({ kind: 'dns', host: 'example.com', query_type: 'A', server, port: 53 }),
]

test('a diagnosis asks no refused address', async () => {
  for (const host of hosts) {
    for (const request of diagnostics.map((ask) => ask(host))) {
      const job = { sensorId: 1, request, deadlineAt: clock.now() + 2000 }
      const { isOk, lines } = await runDiagnostic(job, { equipment, clock })
      expect([host, isOk, lines.length]).toEqual([host, false, 1])
      expect(lines[0], host).toMatch(
        /may not be checked|is not a host name or an address|neither an A nor an AAAA|can be dialled/,
      )
    }
  }
})

test('what is no plain address is never allowed', () => {
  const isAllowed = createScreen(['fe80::/10', '127.0.0.0/8'])
  expect(['fe80::1', '127.0.0.1', '2606:4700::1', '8.8.8.8'].map(isAllowed)).toEqual([true, true, true, true])
  expect(['fe80::1%eth0', 'localhost', '', '127.1', '0x7f000001'].map(isAllowed)).toEqual(Array(5).fill(false))
})

test('an ISATAP identifier counts by the IPv4 address within it', () => {
  const isAllowed = createScreen([])
  expect(['2606:4700::5efe:8.8.8.8', '2606:4700::5efe:10.8.8.8', '::5efe:1', '2606:4700::1'].map(isAllowed)).toEqual([
    ...[true, false, false, true],
  ])
})
