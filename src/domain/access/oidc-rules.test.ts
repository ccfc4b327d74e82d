import { describe, expect, test } from 'vitest'
import {
  displayNameOf,
  joinedClaims,
  type OidcRule,
  parseOidcRules,
  ruleFor,
  usernameOf,
  usualOidcRules,
  verifiedEmail,
} from './oidc-rules.ts'

function parsed(json: unknown): readonly OidcRule[] {
  const rules = parseOidcRules(JSON.stringify(json))
  if ('fault' in rules) throw new Error(rules.fault)
  return rules
}

test.each([
  ['{', 'is no JSON'],
  ['{}', 'the whole: '],
  ['[]', 'the whole: '],
  ['[{"create": true}]', '0.create: '],
  ['[{"link_by": "name"}]', '0.link_by: '],
  ['[{"whem": {}}]', '0: '],
])('%s is told to be wrong', (text, fault) => {
  const rules = parseOidcRules(text)
  expect('fault' in rules && rules.fault.startsWith(fault)).toBe(true)
})

describe('the first rule whose claims are met applies', () => {
  const rules = parsed([
    { when: { groups: ['ops', 'dev'], tenant: 'a' }, is_read_only: false },
    { when: { groups: 'all' }, is_read_only: true },
  ])

  test.each([
    [{ groups: ['dev'], tenant: 'a' }, false],
    [{ groups: 'ops', tenant: ['b', 'a'] }, false],
    [{ groups: ['all', 'dev'], tenant: 'b' }, true],
    [{ groups: ['dev'] }, undefined],
    [{ groups: { dev: true }, tenant: 'a' }, undefined],
    [{}, undefined],
  ])('%j', (claims, isReadOnly) => {
    expect(ruleFor(rules, claims)?.is_read_only).toBe(isReadOnly)
  })

  test('and the usual ones let in whoever has an account', () => {
    expect(ruleFor(usualOidcRules, {})?.link_by).toBe('email')
  })
})

test.each([
  [{ email: 'a@example.com', email_verified: true }, 'a@example.com'],
  [{ email: 'a@example.com', email_verified: 'true' }, null],
  [{ email: 'a@example.com' }, null],
  [{ email_verified: true }, null],
])('the address of %j that counts is %s', (claims, address) => {
  expect(verifiedEmail(claims)).toBe(address)
})

test.each([
  [{ preferred_username: 'Żaneta K.', sub: '1' }, 'ZanetaK.'],
  [{ preferred_username: 'Łukasz.Pawłowski' }, 'Lukasz.Pawlowski'],
  [{ email: 'eva+x@example.com', sub: '1' }, 'evax@example.com'],
  [{ sub: 'auth0|77' }, 'auth077'],
  [{ preferred_username: '你好' }, null],
])('the username of %j is %s', (claims, username) => {
  expect(usernameOf(claims)).toBe(username)
})

test('a name for people has no control characters', () => {
  expect(displayNameOf({ name: 'Eva\u0000\nK.' }, 'eva')).toBe('Eva  K.')
  expect(displayNameOf({ name: 7 }, 'eva')).toBe('eva')
})

test.each([
  [{ email: 'a@example.com' }, { email: 'b@example.com', email_verified: true }, null],
  [{ email_verified: true }, { email: 'b@example.com' }, null],
  [{ email: 'a@example.com', email_verified: true }, { email: 'b@example.com' }, 'a@example.com'],
  [{}, { email: 'b@example.com', email_verified: true }, 'b@example.com'],
])('an address counts with the mark of its own source: %j and %j', (idToken, userInfo, address) => {
  expect(verifiedEmail(joinedClaims(idToken, userInfo))).toBe(address)
})
