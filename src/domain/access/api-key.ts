import type { Problem } from '../input/problem.ts'
import type { Caller } from './caller.ts'
import { type KeyScope, scopesBeyond } from './key-scopes.ts'

/** A key as it is to be; missing members stay as they are. */
export interface WantedKey {
  readonly scopes?: readonly KeyScope[]
  readonly expires_at?: number | null
}

/**
 * A key opens nothing that its maker cannot open: a customer has no `admin`, and a key makes no other one with more
 * scopes or a longer life than its own.
 */
export function keyProblems(wanted: WantedKey, { caller, now }: { caller: Caller; now: number }): readonly Problem[] {
  const { scopes = [], expires_at: expiresAt } = wanted
  return [
    ...(wanted.scopes?.length === 0 ? [noScope] : []),
    ...scopes.flatMap((scope, place) => scopeProblems(scope, place, caller)),
    ...(expiresAt === undefined ? [] : expiryProblems(expiresAt, caller, now)),
  ]
}

const noScope: Problem = { error: 'value_too_short', field: 'data.scopes', facts: { minimum: 1 } }

function scopeProblems(scope: KeyScope, place: number, { key, scope: login }: Caller): readonly Problem[] {
  const field = `data.scopes[${place}]`
  if (scope === 'admin' && login !== 'administrator')
    return [{ error: 'incorrect_value', field, facts: { detail: 'scope_of_administrators' } }]
  const isBeyond = scopesBeyond([scope], key?.scopes ?? null).length > 0
  return isBeyond ? [{ error: 'incorrect_value', field, facts: { detail: 'scope_of_maker' } }] : []
}

function outlives(expiresAt: number | null, { key }: Caller): boolean {
  const own = key?.expires_at ?? null
  return own !== null && (expiresAt === null || expiresAt > own)
}

function expiryProblems(expiresAt: number | null, caller: Caller, now: number): readonly Problem[] {
  const field = 'data.expires_at'
  if (expiresAt !== null && expiresAt <= now)
    return [{ error: 'incorrect_value', field, facts: { detail: 'moment_to_come' } }]
  return outlives(expiresAt, caller) ? [{ error: 'incorrect_value', field, facts: { detail: 'expiry_of_maker' } }] : []
}

/**
 * A rotation shows the key to its caller. So a key rotates none that outlives itself, and an access token, which never
 * lasts, rotates none.
 */
export function mayRotate(
  caller: Caller,
  wanted: { readonly scopes: readonly KeyScope[]; readonly expires_at: number | null },
): boolean {
  return mayHandle(caller, wanted.scopes) && caller.key?.is_token !== true && !outlives(wanted.expires_at, caller)
}

/** A key may change another one only if that opens nothing more than itself. */
export function mayHandle({ key }: Caller, scopes: readonly KeyScope[]): boolean {
  return scopesBeyond(scopes, key?.scopes ?? null).length === 0
}
