import sql from 'sql-template-tag'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { createAccount } from '../../src/auth/create-account.ts'
import { hashPassword } from '../../src/auth/password.ts'
import type { Database } from '../../src/database/connect.ts'
import { makeFirstLogins } from '../../src/program/first-start.ts'

export const origin = { ipAddress: '192.0.2.10', userAgent: 'tests' }
export const passwords = {
  dora: 'dora administers',
  alice: 'alice owns this',
  adam: 'adam is below her',
  bob: 'bob shares it',
}

/** Dora administers, Alice owns, Adam is her sub-account, Bob is another customer. */
export async function populate(database: Database, now: number) {
  await makeFirstLogins(
    database,
    {
      firstAdministrator: { username: 'dora', password: passwords.dora },
      firstAccount: { username: 'Alice', password: passwords.alice },
      minimumIntervalSeconds: 10,
      accountDefaults: { languageId: 'pl', timeZoneId: 'europe_warsaw' },
    },
    now,
  )
  const [packages] = await database.query<{ distribution_id: number; unlimited: number; sub: number }>(sql`
    select distribution_id, min(id) filter (where name = 'unlimited') as unlimited,
      min(id) filter (where is_for_sub_accounts) as sub
    from packages group by distribution_id`)
  const [alice] = await database.query<{ id: number }>(sql`select id from accounts where username = 'Alice'`)
  const [dora] = await database.query<{ id: number }>(sql`select id from administrators`)
  if (packages === undefined || alice === undefined || dora === undefined) throw new Error('nothing was made')
  const shared = {
    distributionId: packages.distribution_id,
    emailAddress: '',
    languageId: 'en',
    timeZoneId: 'america_new_york',
    canShareGroups: false,
    canCreateSubaccounts: true,
    now,
  } as const
  const adam = await createAccount(database, {
    ...shared,
    packageId: packages.sub,
    parentAccountId: alice.id,
    username: 'adam',
    name: 'Adam',
    passwordHash: await hashPassword(passwords.adam),
  })
  const bob = await createAccount(database, {
    ...shared,
    packageId: packages.unlimited,
    parentAccountId: null,
    username: 'bob',
    name: 'Bob',
    passwordHash: await hashPassword(passwords.bob),
  })
  return {
    dora: dora.id,
    alice: alice.id,
    adam,
    bob,
    unlimited: packages.unlimited,
    distribution: packages.distribution_id,
  }
}

/** So that a limit begins anew: all processes of a database count together. */
export async function forgetFailures(database: Database): Promise<void> {
  await database.execute(sql`delete from login_failures`)
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`
}

/** An authenticator on a clock that stands still until moved. */
export function authenticatorOn(database: Database, options: { startAt: number; loginLimit?: number }) {
  const clock = { time: options.startAt, now: () => clock.time }
  const authenticator = createAuthenticator({ database, clock, loginLimit: options.loginLimit ?? 1000 })
  return {
    clock,
    authenticator,
    as: (authorization: string | undefined, from: Partial<typeof origin> = {}) =>
      authenticator.authenticate({ ...origin, ...from, authorization }),
  }
}
