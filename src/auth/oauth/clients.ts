import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { isClientId, type OAuthClient } from '../../domain/oauth-client.ts'

/** A client of the configuration, else one that an administrator has entered. */
export async function findClient(
  executor: Executor,
  configured: readonly OAuthClient[],
  id: string,
): Promise<OAuthClient | null> {
  const known = configured.find((client) => client.client_id === id)
  if (known !== undefined || !isClientId(id)) return known ?? null
  const [entered] = await executor.query<OAuthClient>(
    sql`select client_id, name, redirect_uris from oauth_clients where client_id = ${id}`,
  )
  return entered ?? null
}
