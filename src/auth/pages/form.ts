import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from '../tokens.ts'

/** The size limit of a form in bytes. */
export const maximumFormBytes = 16_384

/** The fields of a posted form; null if the body is no form. */
export function readForm(request: FastifyRequest): URLSearchParams | null {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type) || !Buffer.isBuffer(request.body)) return null
  return new URLSearchParams(request.body.toString('utf8'))
}

const cookieName = 'latarnik_form'

/**
 * A token that the form carries in a field and the browser in a cookie. Other sites can send the form but do not know
 * it, and the browser withholds the cookie from their posts.
 */
export function formToken(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): string {
  const present = cookieOf(request)
  const token = present ?? newToken()
  const attributes = ['Path=/', 'Max-Age=3600', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])]
  reply.header('Set-Cookie', [`${cookieName}=${token}`, ...attributes].join('; '))
  return token
}

/** True if we served the form to this browser and this page posted it. */
export function isOwnForm(request: FastifyRequest, form: URLSearchParams): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const [cookie, field] = [Buffer.from(cookieOf(request) ?? ''), Buffer.from(form.get('form_token') ?? '')]
  return cookie.length > 0 && cookie.length === field.length && timingSafeEqual(cookie, field)
}

function cookieOf(request: FastifyRequest): string | undefined {
  return /(?:^|;\s*)latarnik_form=([A-Za-z0-9_-]{43})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
}
