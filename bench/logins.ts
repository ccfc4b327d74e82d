/**
 * Measures whether the time of a refusal reveals who exists. It guesses at several kinds of logins and links, one after
 * another in random order. It also measures the next request, because a refusal may leave work behind. The same guess
 * is measured twice under two names, which shows how far equal things differ.
 */

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import sql from 'sql-template-tag'
import { createAuthenticator } from '../src/auth/authenticate.ts'
import { findLogin } from '../src/auth/callers.ts'
import { createAccount } from '../src/auth/create-account.ts'
import { hashPassword } from '../src/auth/password.ts'
import { enableSecondFactor, setUpSecondFactor } from '../src/auth/second-factor.ts'
import { createSession } from '../src/auth/sessions.ts'
import type { Database } from '../src/database/connect.ts'
import { makeFirstLogins } from '../src/program/first-start.ts'
import { unlimited } from '../src/rest/rate-limit.ts'
import { apiOn } from './support/api-on.ts'
import { benchDatabase } from './support/bench-database.ts'
import { printLine } from './support/table.ts'

const times = Number(process.env['LOGINS_TIMES'] ?? 200)
const clock = { now: () => Date.now() }
const password = 'the right password'

async function makeAccounts(database: Database): Promise<void> {
  const first = { username: 'owner', password }
  const logins = {
    firstAdministrator: { username: 'dora', password },
    firstAccount: first,
    minimumIntervalSeconds: 10,
    accountDefaults: { languageId: 'en', timeZoneId: 'utc' } as const,
  }
  await makeFirstLogins(database, logins, clock.now())
  const [limits] = await database.query<{ id: number; distribution_id: number }>(
    sql`select id, distribution_id from packages where name = 'unlimited'`,
  )
  for (const username of ['known', 'blocked', 'factored']) {
    const id = await createAccount(database, {
      ...{ distributionId: limits?.distribution_id ?? 0, packageId: limits?.id ?? 0, parentAccountId: null, username },
      ...{ name: username, emailAddress: '', passwordHash: await hashPassword(password), languageId: 'en' },
      ...{ timeZoneId: 'utc', canShareGroups: false, canCreateSubaccounts: false, now: clock.now() },
    })
    if (username === 'blocked') await database.execute(sql`update accounts set is_blocked = true where id = ${id}`)
    if (username !== 'factored') continue
    await setUpSecondFactor(database, { id, username }, clock.now())
    await enableSecondFactor(database, id)
  }
}

/** The token of a session that was ended. */
async function endedToken(database: Database): Promise<string> {
  const login = await findLogin(database, 'known')
  if (login === undefined) throw new Error('There is nobody to log in.')
  const wanted = {
    login,
    isVerified: true,
    userAgent: 'bench',
    expirationDurationSeconds: 60,
    now: clock.now() - 90_000,
  }
  return (await createSession(database, wanted)).token
}

const basic = (username: string, guess = 'a wrong password') => `Basic ${btoa(`${username}:${guess}`)}`

/** The guesses by kind. The first two are the same. */
async function guessesOn(database: Database): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['nobody', basic('nobody.at.all')],
    ['nobody, again', basic('nobody.there')],
    ['an account', basic('known')],
    ['an administrator', basic('dora')],
    ['a blocked account', basic('blocked')],
    ['with a second factor', basic('factored')],
    ['the same, right password', basic('factored', password)],
    ['a token of nobody', `Bearer ${'a'.repeat(43)}`],
    ['an expired token', `Bearer ${await endedToken(database)}`],
  ])
}

async function millisecondsOf(url: string, agent: Agent, authorization?: string): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization }
  const startedAt = performance.now()
  const asked = request(url, { agent, headers }).end()
  const [response] = await once(asked, 'response')
  await once(response.resume(), 'end')
  return performance.now() - startedAt
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0
}

interface Taken {
  readonly guess: number[]
  readonly next: number[]
}

async function measure(base: string, guesses: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Taken>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const taken = new Map([...guesses.keys()].map((name): [string, Taken] => [name, { guess: [], next: [] }]))
  const warmUp = 5
  for (let round = -warmUp; round < times; round += 1) {
    const order = [...guesses]
      .map((guess) => ({ guess, at: Math.random() }))
      .toSorted((one, other) => one.at - other.at)
    for (const { guess } of order) {
      const [name, authorization] = guess
      const guessed = await millisecondsOf(`${base}/groups`, agent, authorization)
      const next = await millisecondsOf(`${base}/dictionaries/languages`, agent)
      if (round < 0) continue
      taken.get(name)?.guess.push(guessed)
      taken.get(name)?.next.push(next)
    }
  }
  agent.destroy()
  return taken
}

export async function run(): Promise<void> {
  const bench = await benchDatabase()
  try {
    await makeAccounts(bench.database)
    const authenticator = createAuthenticator({ database: bench.database, clock, loginLimit: 1_000_000 })
    const server = await apiOn(bench.database, clock, { authenticator, requestsPerMinute: unlimited })
    const base = `${await server.listen({ host: '127.0.0.1', port: 0 })}/v3`
    const taken = await measure(base, await guessesOn(bench.database))
    printLine(`${times} of each, ms`, ['median', '25 %', '75 %', 'next'])
    for (const [name, { guess, next }] of taken) {
      const columns = [quantile(guess, 0.5), quantile(guess, 0.25), quantile(guess, 0.75), quantile(next, 0.5)]
      printLine(
        name,
        columns.map((value) => value.toFixed(2)),
      )
    }
    await server.close()
  } finally {
    await bench.close()
  }
}
