import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isUuid, pushOf } from './ping-address.ts'
import { keptBytes, newStartReader } from './read-body.ts'
import { type PingAnswer, PingReceiver, queryOf, type ReceiverParts } from './receiver.ts'

export interface PingEndpointParts extends ReceiverParts {
  readonly onFault: (error: unknown) => void
}

const answers: Readonly<
  Record<PingAnswer, { readonly status: number; readonly text: string; readonly wait?: string }>
> = {
  stored: { status: 200, text: 'OK' },
  unknown: { status: 404, text: 'not found' },
  ambiguous: { status: 409, text: 'ambiguous slug' },
  malformed: { status: 400, text: 'invalid url format' },
  not_created: { status: 403, text: 'the account may not create this heartbeat' },
  too_many: { status: 429, text: 'too many requests', wait: '30' },
  refused: { status: 503, text: 'not stored, try again', wait: '5' },
}

const method = ['GET', 'HEAD', 'POST']
const paths = ['/ping/:key', '/ping/:key/:second', '/ping/:key/:second/:third']

/** The public addresses at which services report in, in the dialects of Healthchecks and Uptime Kuma. */
export function pingEndpoint({ onFault, ...parts }: PingEndpointParts) {
  const receiver = new PingReceiver(parts)

  async function answerOf(reply: FastifyReply, work: () => Promise<PingAnswer>) {
    const answer = await work().catch((error: unknown): PingAnswer => {
      onFault(error)
      return 'refused'
    })
    const { status, text, wait } = answers[answer]
    reply.code(status).header('Cache-Control', 'no-store')
    if (wait !== undefined) reply.header('Retry-After', wait)
    return { answer, text }
  }

  async function hearPush(request: FastifyRequest): Promise<PingAnswer> {
    const { uuid = '' } = request.params as Readonly<Record<string, string | undefined>>
    if (!isUuid(uuid)) return receiver.unknown(request)
    const { report, body } = pushOf(queryOf(request))
    return receiver.store(request, { uuid, report, rid: null, body: body?.subarray(0, keptBytes) ?? null })
  }

  return (server: FastifyInstance): void => {
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', newStartReader())
    for (const url of paths) {
      server.route({
        ...{ method, url, exposeHeadRoute: false },
        handler: async (request, reply) => {
          const { text } = await answerOf(reply, () => receiver.hear(request))
          return reply.type('text/plain; charset=utf-8').send(text)
        },
      })
    }
    server.route({
      ...{ method, url: '/api/push/:uuid', exposeHeadRoute: false },
      handler: async (request, reply) => {
        const { answer, text } = await answerOf(reply, () => hearPush(request))
        return reply.send(answer === 'stored' ? { ok: true } : { ok: false, msg: text })
      },
    })
  }
}
