import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The session of whoever reads a page that a mail links to. Only these pages read the cookie, and they change nothing: the API takes
 * no cookie. `Lax`, since the reader comes from the mail program.
 */
const name = 'latarnik_reader'

export function readerToken(request: FastifyRequest): string | null {
  return new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{20,100})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1] ?? null
}

/** Null takes the cookie away. It ends with the browser, or with the session. */
export function keepReader(reply: FastifyReply, token: string | null, isSecure: boolean): void {
  const life = token === null ? ['Max-Age=0'] : []
  const attributes = ['Path=/', ...life, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])]
  reply.header('Set-Cookie', [`${name}=${token ?? ''}`, ...attributes].join('; '))
}
