import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base32, matchingStep, oneTimePassword, otpauthUrl, stepAt } from '../../src/auth/one-time-password.ts'

const secret = Buffer.from('12345678901234567890')

test.each(
  ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'].map(
    (code, counter) => [counter, code] as const,
  ),
)('RFC 4226, appendix D: counter %i gives %s', (counter, code) => {
  expect(oneTimePassword(secret, counter)).toBe(code)
})

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('RFC 6238, appendix B: second %i gives %s', (second, code) => {
  expect(oneTimePassword(secret, stepAt(second * 1000), 8)).toBe(code)
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('RFC 4648: %j is %j in base32', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

test('a code is right in its step and in the neighbours, and not once a step as late was used', () => {
  const moment = fc.integer({ min: 600, max: 4_000_000_000 })
  fc.assert(
    fc.property(moment, fc.integer({ min: -3, max: 3 }), (second, shift) => {
      const now = second * 1000
      const step = stepAt(now) + shift
      const code = oneTimePassword(secret, step)
      const found = matchingStep(secret, code, { now, lastStep: null })
      // Six digits of different steps can be the same: whatever is found has the code.
      if (Math.abs(shift) <= 1) expect(found).toBeDefined()
      if (found !== undefined) expect(oneTimePassword(secret, found)).toBe(code)
      expect(matchingStep(secret, code, { now, lastStep: stepAt(now) + 1 })).toBeUndefined()
    }),
  )
})

test.each(['', '75522', '7552240', 'abcdef', '٧٥٥٢٢٤', '755224\0'])('%j is no code', (code) => {
  expect(matchingStep(secret, code, { now: 30_000, lastStep: null })).toBeUndefined()
})

test('the address for the application names program and user', () => {
  expect(otpauthUrl(secret, 'alice@example.com')).toBe(
    'otpauth://totp/Latarnik:alice%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Latarnik&algorithm=SHA1&digits=6&period=30',
  )
})
