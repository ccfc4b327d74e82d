import type { Caller } from '../domain/access/caller.ts'
import { type SubjectScope, scopeOf } from '../domain/access/key-scopes.ts'
import { isNarrowed } from '../domain/access/narrowing.ts'
import type { Operation } from './call.ts'
import type { Registry, Resource } from './declare.ts'
import { ApiError, refuse } from './problems.ts'

/** The rights of API keys: derived from the declarations, checked before an operation begins. */

function isReading({ id, method }: Operation): boolean {
  return method === 'GET' || id.endsWith('.search')
}

function subjectOf({ access }: Operation, { scope }: Resource): SubjectScope | null {
  return access === 'administrator' ? 'admin' : scope
}

/** True if a key that is narrowed to groups or tags may use the resource, or the one above it. */
function servesNarrowedKeys({ forNarrowedKeys, parent }: Resource, registry: Registry): boolean {
  return forNarrowedKeys ?? (parent !== null && servesNarrowedKeys(registry.get(parent), registry))
}

/** The operation with its scope: that of the resource it belongs to, unless it names another. */
export function withScope(operation: Operation, resource: Resource, registry: Registry): Operation {
  return {
    ...operation,
    resource: resource.name,
    scope: operation.scope ?? scopeOf(subjectOf(operation, resource), isReading(operation)),
    forNarrowedKeys: operation.forNarrowedKeys ?? servesNarrowedKeys(resource, registry),
  }
}

/** True for operations that need no credentials: a key adds nothing. */
export function isForAnybody({ access }: Pick<Operation, 'access'>): boolean {
  return access === 'open' || access === 'public'
}

/** Refuses a key that lacks the scope of the operation, or whose narrowing leaves nothing of it. */
export function refuseKey(operation: Operation, caller: Caller): void {
  const { key } = caller
  const { scope = 'none' } = operation
  if (key === null || isForAnybody(operation)) return
  if (scope === 'none') refuse('not_for_api_keys')
  if (!key.scopes.includes(scope)) {
    throw new ApiError([{ error: 'insufficient_scope', facts: { scope } }], {
      'WWW-Authenticate': `Bearer realm="Latarnik", error="insufficient_scope", scope="${scope}"`,
    })
  }
  if (isNarrowed(caller) && operation.forNarrowedKeys !== true) refuse('api_key_is_narrowed')
}

/** True if the caller changes anything, and its key, if it uses one, has the scope that changes the resource. */
export function mayWriteNow({ is_read_only: isReadOnly, key }: Caller, { scope }: Pick<Resource, 'scope'>): boolean {
  return !isReadOnly && (key === null || key.scopes.includes(scopeOf(scope, false)))
}

/** True if the caller may see objects of the resource as a part of others: its key opens them too. */
export function opensFor(caller: Caller, resource: Resource, registry: Registry): boolean {
  if (caller.key === null) return true
  const isWithinNarrowing = !isNarrowed(caller) || servesNarrowedKeys(resource, registry)
  return isWithinNarrowing && caller.key.scopes.includes(scopeOf(resource.scope, true))
}
