import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addAuthorizeRoutes } from '../oauth/authorize.ts'
import { addRegistrationRoutes } from '../oauth/register.ts'
import { addMetadataRoute, addTokenRoutes } from '../oauth/token.ts'
import type { WebContext, WebOptions } from './context.ts'
import { addLinkRoutes } from './link-pages.ts'
import { addPasswordRoutes } from './password-page.ts'

/** All login pages outside the API: OAuth 2.0, its login form, and the pages behind links in mails. */
export function loginPages({ publicUrl, ...options }: WebOptions) {
  const rootOf = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`
  return async (server: FastifyInstance, languageOf: WebContext['languageOf']): Promise<void> => {
    const isSecure = (request: FastifyRequest) => rootOf(request).startsWith('https:')
    const context = { ...options, languageOf, isSecure, rootOf }
    addAuthorizeRoutes(server, context)
    addTokenRoutes(server, context)
    addRegistrationRoutes(server, context)
    addMetadataRoute(server, context)
    addPasswordRoutes(server, context)
    addLinkRoutes(server, context)
  }
}
