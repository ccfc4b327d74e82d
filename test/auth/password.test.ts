import { expect, test } from 'vitest'
import { generatePassword, hashPassword, verifyPassword } from '../../src/auth/password.ts'
import { isPassword } from '../../src/domain/access/credentials.ts'

test('a password is kept as argon2id and recognised again', async () => {
  const hash = await hashPassword('zażółć gęślą jaźń')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(hash, 'zażółć gęślą jaźń')).toBe(true)
  expect(await verifyPassword(hash, 'zażółć gęślą jaźn')).toBe(false)
})

test('letters with marks are the same composed and decomposed', async () => {
  const hash = await hashPassword('zażółć gęślą jaźń'.normalize('NFD'))
  expect(await verifyPassword(hash, 'zażółć gęślą jaźń'.normalize('NFC'))).toBe(true)
})

test('two hashes of one password differ', async () => {
  expect(await hashPassword('same password')).not.toBe(await hashPassword('same password'))
})

test('where there is no hash, no password is right', async () => {
  expect(await verifyPassword(null, 'anything')).toBe(false)
  expect(await verifyPassword(null, '')).toBe(false)
})

test('an unknown user costs as much time as a wrong password', async () => {
  const hash = await hashPassword('right password')
  await verifyPassword(null, 'warm up')
  const least = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 9; round += 1) {
    for (const [kind, passwordHash] of [
      ['known', hash],
      ['unknown', null],
    ] as const) {
      const before = process.cpuUsage()
      await verifyPassword(passwordHash, 'wrong password')
      const used = process.cpuUsage(before)
      least[kind] = Math.min(least[kind], used.user + used.system)
    }
  }
  expect(least.unknown / least.known).toBeGreaterThan(0.4)
  expect(least.unknown / least.known).toBeLessThan(2.5)
})

test('generated passwords are readable, allowed and not repeated', () => {
  const passwords = Array.from({ length: 200 }, generatePassword)
  for (const password of passwords) {
    expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){4}[a-hjkmnp-z2-9]{4}$/)
    expect(isPassword(password)).toBe(true)
  }
  expect(new Set(passwords).size).toBe(200)
})
