import type { FastifyInstance, FastifyReply } from 'fastify'
import sql from 'sql-template-tag'
import type { Database } from '../database/connect.ts'

/** Asks what a process that passes work on should know; never rejects. */
export type Health = () => Promise<{ readonly status: number; readonly body: object }>

/** The health of an API that depends only on its database. */
export function databaseHealth(database: Database): Health {
  return () =>
    database.query(sql`select 1`).then(
      () => ({ status: 200, body: { status: 'ok' } }),
      () => ({ status: 503, body: { status: 'unavailable', reasons: ['database'] } }),
    )
}

/** For programs that start, stop and spread work: without credentials, so without detail. */
export function addHealth(server: FastifyInstance, health: Health): void {
  const send = (reply: FastifyReply, status: number, body: object) =>
    reply.code(status).header('Cache-Control', 'no-store').send(body)
  server.get('/healthz', (_request, reply) => send(reply, 200, { status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    const { status, body } = await health()
    return send(reply, status, body)
  })
}
