import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessionToken } from './session-cookie.ts'

/** Ends the session of the cookie, as the API does on request. */
export async function endSession(server: FastifyInstance, request: FastifyRequest): Promise<void> {
  const token = sessionToken(request)
  if (token === null) return
  await server.inject({
    method: 'DELETE',
    url: '/v3/sessions/my_session',
    remoteAddress: request.ip,
    headers: { authorization: `Bearer ${token}` },
  })
}
