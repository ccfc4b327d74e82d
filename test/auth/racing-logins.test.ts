import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Authenticator } from '../../src/auth/authenticate.ts'
import { blockAccount, unblockAccount } from '../../src/auth/block-account.ts'
import { setPassword } from '../../src/auth/create-account.ts'
import { issueCode } from '../../src/auth/oauth/codes.ts'
import { hashPassword } from '../../src/auth/password.ts'
import { disableSecondFactor, enableSecondFactor } from '../../src/auth/second-factor.ts'
import { endSessionsOf } from '../../src/auth/sessions.ts'
import type { Executor } from '../../src/database/connect.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { authenticatorOn, basic, origin, passwords, populate } from './logins.ts'

/** Logins that run while what they were let in by is changed. */
const startAt = Date.parse('2026-03-02T10:00:00Z')
const authorizationRequest = {
  client: { client_id: 'panel', name: 'Panel', redirect_uris: ['https://panel.example.com/'] },
  redirectUri: 'https://panel.example.com/',
  responseType: 'code',
  state: null,
  codeChallenge: 'x'.repeat(43),
  issuer: 'https://api.example.com',
  offered: null,
} as const

let world: TestDatabase
let people: Awaited<ReturnType<typeof populate>>
let authenticator: Authenticator
let hashes: { readonly old: string; readonly other: string }

beforeAll(async () => {
  world = await testDatabase()
  people = await populate(world.database, startAt)
  hashes = { old: await hashPassword(passwords.adam), other: await hashPassword('another password') }
})
beforeEach(async () => {
  await setPasswordOf(world.database, hashes.old)
  authenticator = authenticatorOn(world.database, { startAt }).authenticator
})
afterAll(() => world.drop())

function setPasswordOf(executor: Executor, hash: string): Promise<void> {
  return setPassword(executor, { scope: 'customer', account_id: people.adam }, hash)
}

const attempt = { ...origin, username: 'adam', password: passwords.adam }

const ways: Readonly<Record<string, () => Promise<object | null>>> = {
  'a session': () => authenticator.logIn({ ...attempt, method: 'session' }),
  'a token': () => authenticator.logIn({ ...attempt, method: 'auth_token' }),
  'a code': () =>
    authenticator.grant({ ...attempt, method: 'oauth' }, (transaction, { login }) =>
      issueCode(transaction, { wanted: authorizationRequest, scopes: null }, login.account_id, startAt),
    ),
}

interface Change {
  readonly make: (transaction: Executor) => Promise<unknown>
  readonly undo?: (transaction: Executor) => Promise<unknown>
  readonly error: string
}

const changes: Readonly<Record<string, Change>> = {
  'the password is changed': {
    make: (transaction) => setPasswordOf(transaction, hashes.other),
    error: 'incorrect_credentials',
  },
  'a second factor is switched on': {
    async make(transaction) {
      await endSessionsOf(transaction, people.adam)
      await enableSecondFactor(transaction, people.adam)
    },
    undo: (transaction) => disableSecondFactor(transaction, people.adam),
    error: 'incorrect_credentials',
  },
  'the parent account is blocked': {
    make: (transaction) => blockAccount(transaction, { accountId: people.alice, by: 'operator', now: startAt }),
    undo: (transaction) => unblockAccount(transaction, people.alice, startAt),
    error: 'account_blocked',
  },
}

async function countWaiting(): Promise<number> {
  const waiting = await world.database.query(sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return waiting.length
}

async function left(): Promise<number> {
  const rows = await world.database.query(sql`
    select account_id from sessions union all select account_id from oauth_codes`)
  return rows.length
}

const races = Object.keys(ways).flatMap((way) => Object.keys(changes).map((change) => [way, change] as const))

describe.each(races)('%s asked for while %s', (way, name) => {
  const change = changes[name] as Change
  const ask = ways[way] as () => Promise<object | null>

  test('before the change is committed, is refused once it is', async () => {
    let outcome: object | null = null
    let asked: Promise<void> = Promise.resolve()
    await world.database.transaction(async (transaction) => {
      await change.make(transaction)
      asked = ask().then((answer) => {
        outcome = answer
      })
      await expect.poll(async () => outcome !== null || (await countWaiting()) > 0).toBe(true)
    })
    await asked
    expect(outcome).toEqual({ problems: [{ error: change.error }] })
    await world.database.transaction(async (transaction) => change.undo?.(transaction))
    expect(await left()).toBe(0)
  })

  test('many times at any moment of the change, leaves nothing that works', async () => {
    const asked = Array.from({ length: 6 }, ask)
    const done = world.database.transaction(change.make)
    const later = Array.from({ length: 6 }, ask)
    await Promise.all([...asked, done, ...later])
    expect(await left()).toBe(0)
    await world.database.transaction(async (transaction) => change.undo?.(transaction))
  })
})

/** The answer to Basic when the password changes between the look at the login and the end of its verification. */
test('Basic is refused when the password changes while it is verified', async () => {
  let isChanged = false
  const racing = authenticatorOn(
    {
      ...world.database,
      async query(statement, name) {
        const rows = await world.database.query<never>(statement, name)
        if (name === 'login_by_username' && !isChanged) {
          isChanged = true
          await world.database.transaction((transaction) => setPasswordOf(transaction, hashes.other))
        }
        return rows
      },
    },
    { startAt },
  )
  const header = basic('adam', passwords.adam)
  const refused = { problems: [{ error: 'incorrect_credentials' }] }
  expect([await racing.as(header), isChanged]).toEqual([refused, true])
  expect(await racing.as(header)).toEqual(refused)
})
