import type { Executor } from '../../database/connect.ts'
import type { Caller } from '../../domain/access/caller.ts'
import { beginConfirmation, completeByPasskey, confirmByPasskey } from './confirmation.ts'
import { type PasskeyAnswer, type PasskeyContext, type PasskeyOrigin, partyOf } from './context.ts'
import { beginLogin, type Grant, grantByPasskey, logInByPasskey, type PasskeyLogin } from './login.ts'
import { beginRegistration, proveRegistration } from './registration.ts'
import { countPasskeys } from './stored.ts'

/** The steps of registering a passkey, of logging in with it, and of using it as the second factor. */
export function passkeysIn(context: PasskeyContext) {
  return {
    /** Whether browsers permit passkeys at this address. */
    isAvailable: (root: string): boolean => !('problems' in partyOf(context, root)),
    /** Whether an account has a passkey for this site. */
    async hasAny(accountId: number, root: string): Promise<boolean> {
      const party = partyOf(context, root)
      if ('problems' in party) return false
      return (await countPasskeys(context.database, accountId, { rpId: party.id, exceptId: null })) > 0
    },
    /** How many passkeys of an account work at this site, without one of them. */
    async countOf(
      executor: Executor,
      accountId: number,
      root: string,
      exceptId: number | null = null,
    ): Promise<number> {
      const party = partyOf(context, root)
      return 'problems' in party ? 0 : countPasskeys(executor, accountId, { rpId: party.id, exceptId })
    },
    beginRegistration: (caller: Caller, origin: PasskeyOrigin) => beginRegistration(context, caller, origin),
    proveRegistration: (caller: Caller, answer: PasskeyAnswer) => proveRegistration(context, caller, answer),
    beginLogin: (origin: PasskeyOrigin) => beginLogin(context, origin),
    logIn: (login: PasskeyLogin) => logInByPasskey(context, login),
    /** Like logging in, but stores something else than a session. */
    grant: <T>(answer: PasskeyAnswer, make: Grant<T>) => grantByPasskey(context, answer, make),
    beginConfirmation: (caller: Caller, origin: PasskeyOrigin) => beginConfirmation(context, caller, origin),
    confirm: (caller: Caller, answer: PasskeyAnswer) => confirmByPasskey(context, caller, answer),
    complete: (caller: Caller, answer: PasskeyAnswer) => completeByPasskey(context, caller, answer),
  }
}

export type Passkeys = ReturnType<typeof passkeysIn>
