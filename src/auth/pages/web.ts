import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addAuthorizeRoutes } from '../oauth/authorize.ts'
import { addMetadataRoute, addTokenRoutes } from '../oauth/token.ts'
import type { WebContext, WebOptions } from './context.ts'
import { addLinkRoutes } from './link-pages.ts'
import { addPasswordRoutes } from './password-page.ts'

/** Everything of logging in that is no operation of the API: OAuth 2.0, its login form, the pages that links in letters lead to. */
export function loginPages({ publicUrl, ...options }: WebOptions) {
  const rootOf = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`
  return async (server: FastifyInstance, languageOf: WebContext['languageOf']): Promise<void> => {
    const isSecure = (request: FastifyRequest) => rootOf(request).startsWith('https:')
    const context = { ...options, languageOf, isSecure, rootOf }
    addAuthorizeRoutes(server, context)
    addTokenRoutes(server, context)
    addMetadataRoute(server, rootOf)
    addPasswordRoutes(server, context)
    addLinkRoutes(server, context)
  }
}
