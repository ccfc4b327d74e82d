import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect, vi } from 'vitest'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { textCollation } from '../../src/database/text.ts'
import { noTrials } from '../../src/monitoring/trials.ts'
import { previews } from '../../src/program/previews.ts'
import { EventFeed, type StreamLimits } from '../../src/resources/event-stream/feed.ts'
import { allResources } from '../../src/resources/index.ts'
import { buildApi } from '../../src/rest/server.ts'
import type { ApiWorld } from './api.ts'

export interface HeardEvent {
  readonly event: string
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface Heard {
  readonly response: IncomingMessage
  readonly events: HeardEvent[]
  /** The last `id`, of an event or of a comment. */
  lastId(): string
  /** Everything that came. */
  text(): string
  isEnded(): boolean
  /** Takes nothing more until `go`. */
  pause(): void
  go(): void
  close(): void
}

export const patience = { timeout: 10_000, interval: 50 }

/** Opens the event stream as a client without any library does; resolves when it has begun. */
export async function listenTo(url: string, headers: Readonly<Record<string, string>>, query = ''): Promise<Heard> {
  const asked = request(`${url}/v3/event_stream${query}`, { headers })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let [text, rest, lastId, isEnded] = ['', '', '', false]
  const events: HeardEvent[] = []
  const take = (block: string) => {
    const lines = block.split('\n').filter((line) => !line.startsWith(':'))
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    lastId = field('id') ?? lastId
    const [event, data] = [field('event'), field('data')]
    if (event !== undefined && data !== undefined) events.push({ event, id: lastId, data: JSON.parse(data) })
  }
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) take(block)
  })
  response.on('error', () => undefined)
  response.on('close', () => {
    isEnded = true
  })
  if (response.statusCode === 200) await vi.waitFor(() => expect(lastId).not.toBe(''), patience)
  else await once(response, 'end')
  return {
    ...{ response, events },
    lastId: () => lastId,
    text: () => text,
    isEnded: () => isEnded,
    pause: () => void response.pause(),
    go: () => void response.resume(),
    close: () => void asked.destroy(),
  }
}

/** The API as another process of the same installation serves it. */
export async function anotherApi(
  { database, clock, artifacts }: ApiWorld,
  limits?: StreamLimits,
): Promise<FastifyInstance> {
  const authenticator = createAuthenticator({ database, clock, loginLimit: 100 })
  const events = new EventFeed({
    database,
    clock,
    onFault: () => undefined,
    ...(limits === undefined ? {} : { limits }),
  })
  const server = await buildApi({
    ...{ database, clock, authenticate: authenticator.authenticate, publicUrl: undefined, trustedProxies: [] },
    registry: allResources({
      trials: noTrials,
      ...{ authenticator, events, artifacts, isRegistrationOpen: false, mustConfirmAddresses: false },
      ...{ forceLimits: { minute: 3, hour: 30, day: 100 }, configuredClientIds: [] },
      accountDefaults: { languageId: 'en', timeZoneId: 'utc' },
      previews,
    }),
    requestsPerMinute: { anonymous: 0, account: 0 },
    collation: await textCollation(database),
    log: pino({ level: 'silent' }),
  })
  server.addHook('preClose', () => events.stop())
  return server
}
