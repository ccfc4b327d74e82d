import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchingStep, oneTimePassword, setUpFacts, stepAt } from '../../src/auth/one-time-password.ts'

const secret = Buffer.from('12345678901234567890')

// The last six of the eight digits that the document shows.
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('RFC 6238, appendix B: second %i gives %s', (second, code) => {
  expect(oneTimePassword(secret, second * 1000)).toBe(code)
})

test('a code is right in its step and in the neighbours, and not once a step as late was used', () => {
  const moment = fc.integer({ min: 600, max: 4_000_000_000 })
  fc.assert(
    fc.property(moment, fc.integer({ min: -3, max: 3 }), (second, shift) => {
      const now = second * 1000
      const at = now + shift * 30_000
      const code = oneTimePassword(secret, at)
      const found = matchingStep(secret, code, { now, lastStep: null })
      // Six digits of different steps can be the same: whatever is found has the code.
      if (Math.abs(shift) <= 1) expect(found).toBeDefined()
      if (found !== undefined) expect(oneTimePassword(secret, found * 30_000)).toBe(code)
      expect(matchingStep(secret, code, { now, lastStep: stepAt(now) + 1 })).toBeUndefined()
    }),
  )
})

test.each(['', '75522', '7552240', 'abcdef', '٧٥٥٢٢٤', '755224\0', '0x5522', ' 75522', '755.22'])(
  '%j is no code',
  (code) => {
    expect(matchingStep(secret, code, { now: 30_000, lastStep: null })).toBeUndefined()
  },
)

test('the address for the application names program and user', () => {
  const { secret: text, otpauth_url: url } = setUpFacts(secret, 'alice@example.com')
  expect(text).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(url).toBe(
    'otpauth://totp/Latarnik:alice%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Latarnik&algorithm=SHA1&digits=6&period=30',
  )
})
