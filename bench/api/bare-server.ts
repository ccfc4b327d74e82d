/**
 * The baseline for the API: Fastify and pg, with every statement written by hand. It knows one caller and checks
 * nothing.
 */
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import pg from 'pg'
import { type BareCaller, type BareRead, bareReads } from './bare-reads.ts'
import { changeService, createService, type NewService } from './bare-writes.ts'

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.TIMESTAMPTZ) return (text: string) => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`
    return pg.types.getTypeParser(oid, format ?? 'text')
  },
} as pg.CustomTypesConfig

/** Answers a read from statements that are prepared once per connection. */
function answering(pool: pg.Pool, name: string, { page, count, shape }: BareRead) {
  const pageQuery = { name: `${name} page`, text: page.text, values: page.values, types }
  const countQuery = count === null ? null : { name: `${name} count`, text: count.text, values: count.values }
  return async (reply: FastifyReply): Promise<FastifyReply> => {
    const [{ rows }, counted] = await Promise.all([
      pool.query(pageQuery),
      countQuery === null ? null : pool.query(countQuery),
    ])
    if (counted === null) return reply.type('application/json').send(JSON.stringify(shape(rows[0])))
    return reply
      .type('application/json')
      .header('X-Total-Count', counted.rows[0].total)
      .send(JSON.stringify(rows.map(shape)))
  }
}

export function bareServer(databaseUrl: string, caller: BareCaller, serviceId: number): FastifyInstance {
  const server = fastify()
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, options: '-c timezone=UTC' })
  const answers = new Map(
    [...bareReads(caller, serviceId)].map(
      ([url, read], index) => [url, answering(pool, `read ${index}`, read)] as const,
    ),
  )
  for (const url of ['/v3/services', `/v3/services/${serviceId}`]) {
    server.get(url, (request, reply) => {
      const answer = answers.get(request.url)
      return answer === undefined ? reply.code(404).send() : answer(reply)
    })
  }
  server.post<{ Body: NewService }>('/v3/services', async ({ body }, reply) => {
    const id = await createService(pool, caller, body)
    return reply.code(201).send({ id })
  })
  server.put<{ Params: { id: string }; Body: { name: string; description: string } }>(
    '/v3/services/:id',
    async ({ params, body }, reply) => {
      const isDone = await changeService(pool, caller, Number(params.id), body)
      return reply.code(isDone ? 204 : 404).send()
    },
  )
  server.addHook('onClose', () => pool.end())
  return server
}
