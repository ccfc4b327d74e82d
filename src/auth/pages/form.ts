import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from '../tokens.ts'

/** Bytes of a form at most. */
export const maximumFormBytes = 16_384

/** The fields of a posted form; null when the body is none. */
export function readForm(request: FastifyRequest): URLSearchParams | null {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type) || !Buffer.isBuffer(request.body)) return null
  return new URLSearchParams(request.body.toString('utf8'))
}

const cookieName = 'latarnik_form'

/**
 * What a form carries in a field and the browser in a cookie. Other sites can send the form but know neither, and the browser keeps
 * the cookie from their posts.
 */
export function formToken(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): string {
  const present = cookieOf(request)
  const token = present ?? newToken()
  const attributes = ['Path=/', 'Max-Age=3600', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])]
  reply.header('Set-Cookie', [`${cookieName}=${token}`, ...attributes].join('; '))
  return token
}

/** Whether the form was served by us to this browser and posted by this page. */
export function isOwnForm(request: FastifyRequest, form: URLSearchParams): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const [cookie, field] = [Buffer.from(cookieOf(request) ?? ''), Buffer.from(form.get('form_token') ?? '')]
  return cookie.length > 0 && cookie.length === field.length && timingSafeEqual(cookie, field)
}

function cookieOf(request: FastifyRequest): string | undefined {
  return /(?:^|;\s*)latarnik_form=([A-Za-z0-9_-]{43})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
}
