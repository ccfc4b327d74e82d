import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** The answer for a domain: its end, or whatever the function does. */
type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

export interface Registry {
  /** `http://127.0.0.1:…` */
  readonly origin: string
  readonly bootstrapUrl: string
  /** By path; others are 404 as registries say it. */
  readonly answers: Map<string, Behaviour>
  /** The paths that were asked for, in order. */
  readonly asked: string[]
  readonly headers: IncomingMessage['headers'][]
  close(): Promise<void>
}

export interface Described {
  readonly end?: string | number | null
  readonly more?: Readonly<Record<string, unknown>>
}

export function describedDomain(name: string, { end = null, more = {} }: Described): Readonly<Record<string, unknown>> {
  const ends = end === null ? [] : [{ eventAction: 'expiration', eventDate: new Date(end).toISOString() }]
  return {
    ...{ objectClassName: 'domain', ldhName: name, status: ['active'] },
    events: [{ eventAction: 'registration', eventDate: '2011-05-12T00:00:00Z' }, ...ends],
    nameservers: [{ objectClassName: 'nameserver', ldhName: `NS1.${name}` }],
    secureDNS: { delegationSigned: true },
    entities: [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Good Names Ltd']]] }],
    ...more,
  }
}

export function json(body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): Behaviour {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/rdap+json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** A registry of `.example` and `.com` with its list of servers, on loopback. */
export async function openRegistry(): Promise<Registry> {
  const answers = new Map<string, Behaviour>()
  const asked: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    request.resume()
    asked.push(request.url ?? '')
    headers.push(request.headers)
    const behave = answers.get(request.url ?? '') ?? json({ errorCode: 404 }, {}, 404)
    behave(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  answers.set('/dns.json', json({ services: [[['example', 'com'], [`${origin}/rdap`]]] }))
  return {
    ...{ origin, bootstrapUrl: `${origin}/dns.json`, answers, asked, headers },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
