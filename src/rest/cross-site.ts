import type { FastifyRequest } from 'fastify'
import { isJsonType } from './body.ts'

/**
 * True if the browser says that the request comes from another site. Older browsers, and pages without TLS, send only
 * the origin.
 */
function comesFromElsewhere({ headers, host, protocol }: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  return origin !== undefined && origin !== `${protocol}://${host}` && origin !== publicUrl
}

/**
 * Browsers remember a Basic password and send it along with the forms of any site. Such a form can send POST, but no
 * JSON. For any other request from another site's page, the browser asks us first and omits the remembered password.
 */
export function isOfAnotherSite(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { method, headers } = request
  if (method !== 'POST' || !/^basic\b/i.test(headers.authorization ?? '')) return false
  return !isJsonType(headers['content-type'] ?? '') && comesFromElsewhere(request, publicUrl)
}
