import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isAddressWithin } from '../auth/address-filter.ts'
import { digestOf } from '../auth/tokens.ts'
import type { PageRow } from '../database/status-pages/status-page-rows.ts'
import { withoutPort } from '../domain/access/network.ts'

/** The answer to a visitor: the page, the form for its password, or nothing. */
export type Admission = 'shown' | 'form' | 'hidden'

/** The accounts for which the visitor is logged in to the console; empty for others. */
export type AccountsOfVisitor = (request: FastifyRequest) => Promise<readonly number[]>

const cookieName = 'latarnik_page'
/** Seconds: a month. */
const cookieAge = 30 * 86_400

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The value of an admitted visitor's cookie. It holds no secret, and ends with the password or the link. */
function passOf(page: PageRow): string | null {
  const secret = page.access === 'password' ? page.password_hash : page.access === 'link' ? page.link_digest : null
  return secret === null ? null : createHmac('sha256', secret).update(`status page ${page.id}`).digest('base64url')
}

const passes = new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]{43})(?=;|$)`, 'g')

/** Other hosts of the same domain can set cookies of the same name, which come first or last. */
function hasPass(request: FastifyRequest, page: PageRow): boolean {
  const pass = passOf(page)
  if (pass === null) return false
  return [...(request.headers.cookie ?? '').matchAll(passes)].some(([, shown = '']) => equal(pass, shown))
}

/** The cookie goes to this page alone. */
export function givePass(
  reply: FastifyReply,
  page: PageRow,
  { path, isSecure }: { readonly path: string; readonly isSecure: boolean },
): void {
  const pass = passOf(page)
  if (pass === null) return
  const attributes = [
    `Path=${path}`,
    `Max-Age=${cookieAge}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ]
  reply.header('Set-Cookie', [`${cookieName}=${pass}`, ...attributes].join('; '))
}

/** True if the request brings the secret of the page's link. */
export function hasKey(request: FastifyRequest, { access, link_digest: digest }: PageRow): boolean {
  const { key } = request.query as { readonly key?: unknown }
  return access === 'link' && digest !== null && typeof key === 'string' && digestOf(key).equals(digest)
}

export async function admit(request: FastifyRequest, page: PageRow, accountsOf: AccountsOfVisitor): Promise<Admission> {
  switch (page.access) {
    case 'public':
      return 'shown'
    case 'password':
      return hasPass(request, page) ? 'shown' : 'form'
    case 'link':
      return hasKey(request, page) || hasPass(request, page) ? 'shown' : 'hidden'
    case 'addresses':
      return isAddressWithin(withoutPort(request.ip), page.allowed_addresses) ? 'shown' : 'hidden'
    case 'login':
      return (await accountsOf(request)).includes(page.owner_id) ? 'shown' : 'hidden'
  }
}
