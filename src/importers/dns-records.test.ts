import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { askedName, dataPattern, recordPattern } from './dns-records.ts'

/** As a check of DNS searches the data of the answers: each record is a line. */
const finds = (pattern: string, data: string) => RE2JS.compile(pattern, RE2JS.MULTILINE).matcher(data).find()

test.each([
  ['example.com.', 'A', 'example.com'],
  ['192.0.2.10', 'PTR', '10.2.0.192.in-addr.arpa'],
  ['2001:db8::1', 'PTR', `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`],
  ['::ffff:192.0.2.10', 'PTR', `a.0.2.0.0.0.0.c.f.f.f.f.${'0.'.repeat(20)}ip6.arpa`],
  ['fe80::1%eth0', 'PTR', 'fe80::1%eth0'],
  ['10.2.0.192.in-addr.arpa.', 'PTR', '10.2.0.192.in-addr.arpa'],
  ['192.0.2.10', 'A', '192.0.2.10'],
])('%s is asked for by %s as %s', (name, type, asked) => {
  expect(askedName(name, type)).toBe(asked)
})

test.each([
  ['A', '192\\.0\\.2\\.1', '192.0.2.1', '192.0.2.10'],
  ['MX', 'mail\\.example\\.com', '10 mail.example.com', '10 mail.example.com.au'],
  ['SRV', '5060 sip\\.example\\.com', '1 2 5060 sip.example.com', '1 2 443 sip.example.com'],
  ['SOA', 'ns\\.example\\.com', 'ns.example.com h.example.com 1 2 3 4 5', 'ns2.example.com ns.example.com 1 2 3 4 5'],
  ['CAA', 'ca\\.example\\.com', '0 issue ca.example.com', '0 issuewild ca.example.com'],
  ['constructor', 'a', 'a', 'b'],
])('the pattern of %s, %s, finds %j and not %j', (type, compared, right, wrong) => {
  expect(finds(recordPattern(type, compared), `x\n${right}`)).toBe(true)
  expect(finds(recordPattern(type, compared), `x\n${wrong}`)).toBe(false)
})

test.each([
  ['www.example.com.\t300\tIN\tA\t127.0.0.1', 'A', '127.0.0.1'],
  [String.raw`.*\sIN\sA\s192\.0\.2\.1$`, 'A', '192.0.2.1'],
  ['.*192.0.2.1', 'A', '192.0.2.1'],
  [String.raw`(?i)\tMX\t10 MAIL\.example\.com\.$`, 'MX', '10 mail.example.com'],
  [String.raw`10 mail\.www\.example\.com\.`, 'MX', '10 mail.www.example.com'],
  ['"v=spf1 .*"', 'TXT', 'v=spf1 -all'],
  [String.raw`\tSOA\tns\.example\.org\. host\.example\.org\. 7`, 'SOA', 'ns.example.org host.example.org 7 1 1 1 1'],
  [String.raw`IN\tA\t(?:192\.0\.2\.1|192\.0\.2\.2)`, 'A', '192.0.2.2'],
  [String.raw`IN\tA\t192\.0\.2\.1|192\.0\.2\.2`, 'A', '192.0.2.2'],
])('%j for records of type %s finds %j in the data', (pattern, type, data) => {
  expect(finds(dataPattern(pattern, 'www.example.com', type) ?? 'nothing', data)).toBe(true)
})

test.each([
  ['www.example.com.*A', 'A'],
  [String.raw`^www\.example\.com\.`, 'CNAME'],
  [String.raw`\t300\t`, 'A'],
  [String.raw`\tA\t192\.0\.2\.1|\tIN\tA\t192\.0\.2\.2`, 'A'],
  ['.* MX', 'MX'],
  ['x', 'A('],
])('%j for records of type %s says more than the data, or is kept', (pattern, type) => {
  expect(dataPattern(pattern, 'www.example.com.', type)).toBe(pattern === 'x' ? 'x' : null)
})
