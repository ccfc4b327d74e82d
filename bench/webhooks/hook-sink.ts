/**
 * A destination in its own process. It answers at once, or never if the path begins with `/dead`, and reports each
 * message to its parent.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** When the message came, Unix milliseconds, and the number of the message in its path. */
export type Arrival = readonly [at: number, number: number]

let arrivals: Arrival[] = []

const server = createServer((request, response) => {
  const [, kind, number] = (request.url ?? '').split('/')
  request.resume()
  if (kind === 'dead') return
  arrivals.push([Date.now(), Number(number)])
  request.on('end', () => response.end('ok'))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
setInterval(() => {
  if (arrivals.length === 0) return
  process.send?.({ arrivals })
  arrivals = []
}, 20)
process.on('disconnect', () => process.exit(0))
