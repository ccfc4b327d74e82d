import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The session of whoever uses the console in this browser. The API takes no cookie but for its event stream, which an EventSource opens:
 * the console asks for the token once and sends it as any other client does. `Lax`, since people come from their mail program.
 */
const name = 'latarnik_console'

export function sessionToken(request: FastifyRequest): string | null {
  return new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{20,100})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1] ?? null
}

/** Null takes the cookie away. It ends with the browser, or with the session. */
export function keepSession(reply: FastifyReply, token: string | null, isSecure: boolean): void {
  const life = token === null ? ['Max-Age=0'] : []
  const attributes = ['Path=/', ...life, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])]
  reply.header('Set-Cookie', [`${name}=${token ?? ''}`, ...attributes].join('; '))
}
