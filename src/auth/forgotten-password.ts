import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/connect.ts'
import { isUsername } from '../domain/credentials.ts'
import { findLogin } from './callers.ts'
import { writeLetter } from './letters.ts'

/** Longer than the work takes, so that the time of the answer does not tell whether there is such a user. */
const answerAfterMs = 250

/** Mails the user a link that sets a new password, if there is such a user with a mailbox. */
export async function askForNewPassword(database: Database, name: string, now: number): Promise<void> {
  await Promise.all([sendLink(database, name, now), pause(answerAfterMs)])
}

async function sendLink(database: Database, name: string, now: number): Promise<void> {
  if (!isUsername(name)) return
  const login = await findLogin(database, name)
  if (login === undefined || login.scope !== 'customer' || login.is_blocked) return
  const { account_id: accountId } = login
  await database.transaction((transaction) => writeLetter(transaction, { accountId, kind: 'password_reset', now }))
}
