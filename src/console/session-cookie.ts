import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The session of the console's user in this browser. The API accepts no cookie except for its event stream, which an
 * EventSource opens. The console asks for the token once and sends it like any other client. `Lax`, because people come
 * from their mail program.
 */
export const sessionCookieName = 'latarnik_console'

export function sessionToken(request: FastifyRequest): string | null {
  return (
    new RegExp(`(?:^|;\\s*)${sessionCookieName}=([A-Za-z0-9_-]{20,100})(?:;|$)`).exec(
      request.headers.cookie ?? '',
    )?.[1] ?? null
  )
}

/** Null removes the cookie. It ends with the browser, or with the session. */
export function keepSession(reply: FastifyReply, token: string | null, isSecure: boolean): void {
  const life = token === null ? ['Max-Age=0'] : []
  const attributes = ['Path=/', ...life, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])]
  reply.header('Set-Cookie', [`${sessionCookieName}=${token ?? ''}`, ...attributes].join('; '))
}
