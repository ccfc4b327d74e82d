import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readerToken } from './session-cookie.ts'

/** What the API answers to the reader of a page. */
export interface Answered<Body> {
  readonly status: number
  readonly body: Body
}

interface Asked {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly content: Buffer
}

/**
 * Asks the API on behalf of the reader: with the session of the cookie, from the same address, in the same language. So a page shows
 * just what its reader may read there.
 */
export async function askBytes(
  server: FastifyInstance,
  request: FastifyRequest,
  path: string,
  method: 'GET' | 'DELETE' = 'GET',
): Promise<Asked> {
  const { 'accept-language': language, 'user-agent': userAgent } = request.headers
  const { statusCode, headers, rawPayload } = await server.inject({
    method,
    url: `/v3${path}`,
    remoteAddress: request.ip,
    headers: {
      authorization: `Bearer ${readerToken(request) ?? ''}`,
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    },
  })
  return { status: statusCode, headers, content: rawPayload }
}

export async function ask<Body>(
  server: FastifyInstance,
  request: FastifyRequest,
  path: string,
): Promise<Answered<Body>> {
  const { status, content } = await askBytes(server, request, path)
  return { status, body: JSON.parse(content.toString('utf8')) as Body }
}
