import type { Executor } from '../database/connect.ts'
import type { Caller } from '../domain/access/caller.ts'
import { type Refusal, refusal } from './attempts.ts'
import { callerOf, findLogin } from './callers.ts'

/** The account that the operator named for the program's own work, with its rights and nothing more. */
export async function callerNamed(
  executor: Executor,
  username: string,
): Promise<{ readonly caller: Caller } | Refusal> {
  const login = await findLogin(executor, username)
  // Administrators have no services.
  if (login === undefined || login.scope !== 'customer') return refusal('incorrect_credentials')
  if (!login.is_activated) return refusal('account_not_activated')
  if (login.is_blocked) return refusal('account_blocked')
  return { caller: callerOf(login, null) }
}

/** A sentence for the operator if the named account cannot be used. */
export async function faultOfNamed(executor: Executor, username: string): Promise<string | null> {
  const found = await callerNamed(executor, username)
  if (!('problems' in found)) {
    const { is_read_only: isReadOnly, must_set_up_second_factor: isUnready } = found.caller
    if (isReadOnly) return `The account ${username} is read-only.`
    return isUnready ? `The account ${username} has to set up its second factor first.` : null
  }
  const [problem] = found.problems
  if (problem?.error === 'account_blocked') return `The account ${username} is blocked.`
  if (problem?.error === 'account_not_activated') return `The account ${username} is not active yet.`
  return `There is no account ${username}.`
}
