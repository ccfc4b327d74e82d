import type { Caller } from '../../domain/access/caller.ts'
import { type RelyingParty, relyingPartyOf } from '../../domain/access/passkey.ts'
import type { AttemptContext, Refusal, RequestOrigin } from '../attempts.ts'
import type { LoginLimit } from '../login-limit.ts'

/** A request with the address at which it reached us, which counts without PUBLIC_URL alone. */
export interface PasskeyOrigin extends RequestOrigin {
  readonly root: string
}

/** The answer of a browser, not read yet. */
export interface PasskeyAnswer extends PasskeyOrigin {
  readonly response: unknown
}

export interface PasskeyContext extends AttemptContext {
  readonly publicUrl: string | undefined
  /** Limits the challenges that one address gets without a login. */
  readonly challenges: LoginLimit
  /** Called if the counter of a passkey did not grow: a copy of it may be in use. */
  readonly onRegression: (passkey: { readonly accountId: number; readonly passkeyId: number }) => void
}

/** The site of this installation, or the refusal where browsers permit no passkeys. */
export function partyOf({ publicUrl }: Pick<PasskeyContext, 'publicUrl'>, root: string): RelyingParty | Refusal {
  const address = publicUrl ?? root
  const party = URL.canParse(address) ? relyingPartyOf(new URL(address)) : null
  return party ?? { problems: [{ error: 'passkeys_unavailable', facts: { address } }] }
}

/** The session that a challenge is for. */
export function holderOf({ account_id: accountId, session_id: sessionId }: Caller) {
  return { accountId, sessionId }
}
