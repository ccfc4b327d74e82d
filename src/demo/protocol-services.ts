/** What the company watches of servers that speak neither HTTP nor mail: one service for each protocol, asked once an hour. */
import type { DemoService } from './watched.ts'

const loopback = '127.0.0.1'
const anyCertificate = { verify_certificate: false }
const hourly = { group: 'office', intervalSeconds: 3600 } as const

export const protocolServices: readonly DemoService[] = [
  {
    ...{ ...hourly, key: 'handshake', part: 'orders', typeId: 'tls', server: 0, bytes: 0 },
    name: 'TLS zamówień',
    description: 'Sam uścisk dłoni, bez HTTP.',
    address: ({ secure }) => `${loopback}:${secure}`,
    settings: () => anyCertificate,
    failing: { symbol: 'connection_refused', message: `connect ECONNREFUSED ${loopback}`, takes: 1 },
  },
]
