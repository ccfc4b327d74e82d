import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addApplication } from './application.ts'
import type { PagesContext } from './context.ts'
import { addLogin } from './login.ts'
import { addLoginLink } from './login-link.ts'
import { pathPrefix } from './paths.ts'

export interface ConsoleOptions extends Pick<PagesContext, 'authenticator'> {
  /** Undefined: the address of the request is used. */
  readonly publicUrl: string | undefined
}

/** The pages at `/`: the login, which works without a script, and behind it the application of `web/`. */
export function webConsole({ authenticator, publicUrl }: ConsoleOptions) {
  const isSecure = (request: FastifyRequest) => (publicUrl ?? `${request.protocol}:`).startsWith('https:')
  const prefix = pathPrefix(publicUrl)
  return async (server: FastifyInstance, languageOf: PagesContext['languageOf']): Promise<void> => {
    const context = { authenticator, isSecure, languageOf, prefix }
    addLogin(server, context)
    addLoginLink(server, context)
    await addApplication(server, context)
  }
}
