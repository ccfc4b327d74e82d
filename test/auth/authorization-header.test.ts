import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAuthorization } from '../../src/auth/authorization-header.ts'

const token = (header: string | undefined) => {
  const read = readAuthorization(header)
  return read?.scheme === 'bearer' ? read.token : read
}

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
  ['  BEARER abc  ', 'abc'],
  ['Bearer a.b~c+d/e-f_g==', 'a.b~c+d/e-f_g=='],
  ['Bearer', { scheme: 'unreadable' }],
  ['Bearer a b', { scheme: 'unreadable' }],
  ['Bearer a=b', { scheme: 'unreadable' }],
  ['Bearer\tabc', null],
  ['Negotiate abc', null],
  ['', null],
  [undefined, null],
])('%j is read as %j', (header, expected) => {
  expect(token(header)).toEqual(expected)
})

test('the longest header that gets in is read at once, whatever fills it', () => {
  const scheme = fc.constantFrom('Bearer', 'Basic', '', 'x')
  const filling = fc.constantFrom(' ', 'a', '=', 'a ', ' a', 'a=', '\u00a0', ':')
  const law = fc.property(scheme, filling, fc.constantFrom('', 'b', '=', '\u00ff'), (name, part, end) => {
    const startedAt = process.cpuUsage()
    readAuthorization(`${name} a${part.repeat(60_000 / part.length)}${end}`)
    expect(process.cpuUsage(startedAt).user).toBeLessThan(1_000_000)
  })
  fc.assert(law, { numRuns: 60 })
})
