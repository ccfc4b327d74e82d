/** The registry of the company's domain: RDAP with its list of servers, at one port. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import { dayLength } from '../../domain/calendars/durations.ts'
import type { Moods } from './web.ts'

export const demoDomain = 'zaglownia.example'
export const demoNameServers = [`ns1.${demoDomain}`, `ns2.${demoDomain}`] as const

/** The remaining life of the registration whenever the demo starts: the second warning comes in some days. */
const daysLeft = 17

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/rdap+json', connection: 'close' })
  response.end(JSON.stringify(body))
}

export function registryServer(moods: Moods): Server {
  const ends = new Date((Math.floor(Date.now() / dayLength) + daysLeft) * dayLength).toISOString()
  return createServer((request, response) => {
    request.resume()
    const { host = '' } = request.headers
    if (request.url === '/dns.json') return json(response, 200, { services: [[['example'], [`http://${host}/`]]] })
    if (request.url !== `/domain/${demoDomain}`) return json(response, 404, { errorCode: 404 })
    return json(response, 200, {
      ...{ objectClassName: 'domain', ldhName: demoDomain },
      status: moods.now('domain').isFailing ? ['client hold'] : ['active'],
      events: [
        { eventAction: 'registration', eventDate: '2011-05-12T00:00:00Z' },
        { eventAction: 'expiration', eventDate: ends },
      ],
      nameservers: demoNameServers.map((ldhName) => ({ objectClassName: 'nameserver', ldhName })),
      secureDNS: { delegationSigned: true },
      entities: [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Rejestrator Przykładowy']]] }],
    })
  })
}
