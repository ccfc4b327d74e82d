import sql from 'sql-template-tag'
import { oneTimePassword } from '../../src/auth/one-time-password.ts'
import type { Database } from '../../src/database/connect.ts'

/** The token in the newest letter to an account that is not sent yet. */
export async function tokenInLetter(database: Database, accountId: number): Promise<string> {
  const [letter] = await database.query<{ token: string }>(sql`
    select token from messages where account_id = ${accountId} and token is not null order by id desc limit 1`)
  if (letter === undefined) throw new Error(`no letter waits for account ${accountId}`)
  return letter.token
}

/** The code that the account's authenticator application shows. */
export async function codeOf(database: Database, accountId: number, now: number): Promise<string> {
  const [factor] = await database.query<{ secret: Buffer }>(
    sql`select secret from second_factors where account_id = ${accountId}`,
  )
  if (factor === undefined) throw new Error(`account ${accountId} has no second factor`)
  return oneTimePassword(factor.secret, now)
}
