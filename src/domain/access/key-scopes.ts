/** Parts of the API that a key can open, from the plainest to the most powerful (extensions, section 6). */
export const keyScopes = ['read', 'write', 'notifications', 'reports', 'account', 'admin'] as const

export type KeyScope = (typeof keyScopes)[number]

/** Parts whose reading and writing need the same scope; everything else is `read` or `write`. */
export type SubjectScope = Exclude<KeyScope, 'read' | 'write'>

/** The scope of an operation on an object of that subject. */
export function scopeOf(subject: SubjectScope | null, isReading: boolean): KeyScope {
  return subject ?? (isReading ? 'read' : 'write')
}

/** Scopes in the order of the catalogue, each once. */
export function sortedScopes(scopes: readonly KeyScope[]): readonly KeyScope[] {
  return keyScopes.filter((scope) => scopes.includes(scope))
}

/** Scopes that the maker of a key does not have itself. `own` is null for a maker without a key. */
export function scopesBeyond(wanted: readonly KeyScope[], own: readonly KeyScope[] | null): readonly KeyScope[] {
  return own === null ? [] : wanted.filter((scope) => !own.includes(scope))
}
