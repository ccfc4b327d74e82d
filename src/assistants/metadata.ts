import { assistantPath, assistantScopes } from '../domain/access/assistant-access.ts'

export const resourcePath = assistantPath
export const metadataPath = '/.well-known/oauth-protected-resource'

/** How clients get in (RFC 9728): their tokens come from this installation's own authorization server. */
export function metadataOf(root: string): Readonly<Record<string, unknown>> {
  return {
    resource: `${root}${resourcePath}`,
    authorization_servers: [root],
    scopes_supported: assistantScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Latarnik',
    resource_documentation: `${root}/v3/public/doc/`,
  }
}
