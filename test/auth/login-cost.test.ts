import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createAccount } from '../../src/auth/create-account.ts'
import { disableSecondFactor, enableSecondFactor, setUpSecondFactor } from '../../src/auth/second-factor.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { authenticatorOn, basic, origin, passwords, populate } from './logins.ts'

/**
 * A login costs one verification of a password hash, some hundred times as much as the rest of it. So the number of
 * verifications shows that the time of the answer reveals nothing, however busy the machine is.
 */
const { verified } = vi.hoisted(() => ({ verified: { times: 0, costs: new Set<string>() } }))
vi.mock(import('@node-rs/argon2'), async (original) => {
  const real = await original()
  return {
    ...real,
    async verify(...given: Parameters<typeof real.verify>) {
      verified.times += 1
      // The cost stands before the salt: `$argon2id$v=19$m=…,t=…,p=…$`.
      verified.costs.add(String(given[0]).split('$').slice(1, 4).join('$'))
      return real.verify(...given)
    },
  }
})

const startAt = Date.parse('2026-03-02T10:00:00Z')
let world: TestDatabase
let people: Awaited<ReturnType<typeof populate>>

beforeAll(async () => {
  world = await testDatabase()
  people = await populate(world.database, startAt)
  await createAccount(world.database, {
    ...{ distributionId: people.distribution, packageId: people.unlimited, parentAccountId: people.alice },
    ...{ username: 'invited', name: 'Invited', emailAddress: '', passwordHash: null, languageId: 'en' },
    ...{ timeZoneId: 'utc', canShareGroups: false, canCreateSubaccounts: false, now: startAt },
  })
})
afterAll(() => world.drop())

beforeEach(() => {
  verified.times = 0
})

const setBob = (column: 'is_blocked' | 'is_activated', value: boolean) =>
  world.database.execute(
    column === 'is_blocked'
      ? sql`update accounts set is_blocked = ${value} where id = ${people.bob}`
      : sql`update accounts set is_activated = ${value} where id = ${people.bob}`,
  )

/** Bob's possible states meanwhile. */
const states: Readonly<Record<string, readonly [begin: () => Promise<unknown>, end: () => Promise<unknown>]>> = {
  '': [async () => {}, async () => {}],
  ' who is blocked': [() => setBob('is_blocked', true), () => setBob('is_blocked', false)],
  ' who is not activated': [() => setBob('is_activated', false), () => setBob('is_activated', true)],
  ' who has a second factor': [
    async () => {
      await setUpSecondFactor(world.database, { id: people.bob, username: 'bob' }, startAt)
      await enableSecondFactor(world.database, people.bob)
    },
    () => disableSecondFactor(world.database, people.bob),
  ],
}

const guess = 'a guess of somebody'
const refused = { problems: [{ error: 'incorrect_credentials' }] }

const guesses: readonly (readonly [who: string, username: string, state?: string])[] = [
  ['nobody', 'nobody.at.all'],
  ['no username at all', 'a name with spaces\0'],
  ['an account', 'bob'],
  ['an account in other letters', 'BOB'],
  ['a sub-account', 'adam'],
  ['an administrator', 'dora'],
  ['somebody without a password', 'invited'],
  ...Object.keys(states).map((state) => [`an account${state}`, 'bob', state] as const),
]

test.each(guesses)(
  'a guess at %s costs one verification and has one answer',
  async (_who, username = '', state = '') => {
    const { as, authenticator } = authenticatorOn(world.database, { startAt })
    const [begin, end] = states[state] ?? []
    await begin?.()
    const attempt = { ...origin, username, password: guess }
    expect(await as(basic(username, guess))).toEqual(refused)
    expect(verified.times).toBe(1)
    for (const method of ['session', 'auth_token', 'oauth'] as const) {
      verified.times = 0
      expect(await authenticator.logIn({ ...attempt, method, code: '123456' })).toEqual(refused)
      expect([method, verified.times]).toEqual([method, 1])
    }
    verified.times = 0
    expect(await authenticator.grant({ ...attempt, method: 'oauth' }, async () => null)).toEqual(refused)
    expect(verified.times).toBe(1)
    await end?.()
  },
)

test('each of these verifications costs what that of a right password costs', async () => {
  const { as } = authenticatorOn(world.database, { startAt })
  verified.costs.clear()
  await as(basic('bob', passwords.bob))
  const ofRight = [...verified.costs]
  for (const [, username] of guesses) {
    await as(basic(username, guess))
    expect([username, [...verified.costs]]).toEqual([username, ofRight])
  }
})

test('a right password costs one verification too, and none when Basic has just sent it', async () => {
  const { as } = authenticatorOn(world.database, { startAt })
  expect(await as(basic('bob', passwords.bob))).toHaveProperty('caller')
  expect(verified.times).toBe(1)
  expect(await as(basic('bob', passwords.bob))).toHaveProperty('caller')
  expect(verified.times).toBe(1)
  expect(await as(basic('bob', guess))).toEqual(refused)
  expect(verified.times).toBe(2)
})

test('a token costs none, whether it holds or not: it is found by its digest', async () => {
  const { as, authenticator } = authenticatorOn(world.database, { startAt })
  const logIn = { ...origin, username: 'bob', password: passwords.bob, method: 'session' } as const
  const outcome = await authenticator.logIn(logIn)
  if (!('session' in outcome)) throw new Error(JSON.stringify(outcome))
  verified.times = 0
  expect(await as(`Bearer ${outcome.session.token}`)).toHaveProperty('caller')
  expect(await as(`Bearer ${'x'.repeat(43)}`)).toEqual(refused)
  expect(verified.times).toBe(0)
})
