import type { FastifyRequest } from 'fastify'
import { isJsonType } from './body.ts'

/** What the browser says of where the request comes from; older ones, and pages without TLS, name the origin alone. */
function comesFromElsewhere({ headers, host, protocol }: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  return origin !== undefined && origin !== `${protocol}://${host}` && origin !== publicUrl
}

/**
 * Browsers remember a Basic password and send it along with the forms of any site. Such a form can send POST and no JSON; whatever else
 * a page of another site sends, the browser asks us about first, and leaves the remembered password out.
 */
export function isOfAnotherSite(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { method, headers } = request
  if (method !== 'POST' || !/^basic\b/i.test(headers.authorization ?? '')) return false
  return !isJsonType(headers['content-type'] ?? '') && comesFromElsewhere(request, publicUrl)
}
