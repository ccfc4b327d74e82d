import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { documentationClient, isClientId, type OAuthClient } from '../../domain/access/oauth-client.ts'
import { clientOfRegistration, type RegistrationPolicy } from './client-registration.ts'

export interface KnownClients {
  /** The clients of the configuration. */
  readonly configured: readonly OAuthClient[]
  /** The installation's address, under which its documentation page is reached. */
  readonly root: string
  /** Null: assistants are not served. */
  readonly assistants: RegistrationPolicy | null
}

/** Finds the documentation page, a configured client, one that an administrator has entered, or a registered one. */
export async function findClient(
  executor: Executor,
  { configured, root, assistants }: KnownClients,
  id: string,
): Promise<OAuthClient | null> {
  const known = [documentationClient(root), ...configured].find((client) => client.client_id === id)
  if (known !== undefined) return known
  const registered = assistants === null ? null : clientOfRegistration(id, assistants)
  if (registered !== null || !isClientId(id)) return registered
  const [entered] = await executor.query<OAuthClient>(
    sql`select client_id, name, redirect_uris, is_implicit_flow_allowed from oauth_clients where client_id = ${id}`,
  )
  return entered ?? null
}
