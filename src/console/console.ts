import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addApplication } from './application.ts'
import type { OidcLogin, PagesContext } from './context.ts'
import { addDocuments } from './documents.ts'
import { consoleDirectory, firstFiles } from './files.ts'
import { addForgottenPassword } from './forgotten-password.ts'
import { addLogin } from './login.ts'
import { addLoginLink } from './login-link.ts'
import { addOidc } from './oidc.ts'
import { pathPrefix } from './paths.ts'
import { addSecondStep } from './second-step.ts'

export interface ConsoleOptions extends Pick<PagesContext, 'authenticator'> {
  /** Default: there is no identity provider. */
  readonly oidc?: OidcLogin | null

  /** Undefined: the address of the request is used. */
  readonly publicUrl: string | undefined
}

/** The address of the script that asks for passkeys; null: the console is not built. */
export function passkeyScriptAt(publicUrl: string | undefined): string | null {
  const first = firstFiles(consoleDirectory())
  return first === null ? null : `${pathPrefix(publicUrl)}/console/${first.passkeyLogin}`
}

/** The pages at `/`: the login, which works without a script; behind it the application of `web/`; the documents. */
export function webConsole({ authenticator, publicUrl, oidc = null }: ConsoleOptions) {
  const isSecure = (request: FastifyRequest) => (publicUrl ?? `${request.protocol}:`).startsWith('https:')
  const prefix = pathPrefix(publicUrl)
  const rootOf = (request: FastifyRequest) => (publicUrl ?? `${request.protocol}://${request.host}`).replace(/\/+$/, '')
  return async (server: FastifyInstance, languageOf: PagesContext['languageOf']): Promise<void> => {
    const passkeyScript = passkeyScriptAt(publicUrl)
    const context = { authenticator, isSecure, languageOf, prefix, oidc, rootOf, passkeyScript }
    addLogin(server, context)
    addForgottenPassword(server, context)
    addLoginLink(server, context)
    addSecondStep(server, context)
    if (oidc !== null) addOidc(server, { ...context, oidc })
    await addDocuments(server, context)
    await addApplication(server, context)
  }
}
