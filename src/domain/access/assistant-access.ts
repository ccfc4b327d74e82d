import { type KeyScope, keyScopes } from './key-scopes.ts'

/** The path at which assistants call. */
export const assistantPath = '/mcp'

/** The scopes that tools of assistants need; an assistant that logs in gets no others. */
export const assistantScopes: readonly KeyScope[] = keyScopes.filter(
  (scope) => scope !== 'admin' && scope !== 'account',
)

/** The wanted ones of these scopes; all of them without a wish. An assistant can always read. */
export function offeredScopes(wanted: string | null): readonly KeyScope[] {
  const names = (wanted ?? '').split(' ').filter((name) => name !== '')
  return assistantScopes.filter((scope) => scope === 'read' || names.length === 0 || names.includes(scope))
}
