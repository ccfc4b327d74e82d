import type { Database } from '../database/connect.ts'
import { isUsername } from '../domain/access/credentials.ts'
import { findLogin } from './callers.ts'
import { inEvenTime } from './even-time.ts'
import { writeLetter } from './letters.ts'

/** Mails the user a link that sets a new password, if there is such a user with a mailbox. */
export async function askForNewPassword(database: Database, name: string, now: number): Promise<void> {
  await inEvenTime(() => sendLink(database, name, now))
}

async function sendLink(database: Database, name: string, now: number): Promise<void> {
  if (!isUsername(name)) return
  const login = await findLogin(database, name)
  if (login === undefined || login.scope !== 'customer' || login.is_blocked) return
  const { account_id: accountId } = login
  await database.transaction((transaction) => writeLetter(transaction, { accountId, kind: 'password_reset', now }))
}
