/**
 * A destination in its own process. It answers at once, or never if the path begins with `/dead`, and reports each
 * message to its parent: by the number in its path, or below `/service` by the service in its body.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** When the message came, Unix milliseconds, and its number: of the message, or of the service. */
export type Arrival = readonly [at: number, number: number]

let arrivals: Arrival[] = []

const server = createServer((request, response) => {
  const [, kind, number] = (request.url ?? '').split('/')
  if (kind === 'dead') return void request.resume()
  const at = Date.now()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    arrivals.push([at, kind === 'service' ? serviceOf(Buffer.concat(chunks)) : Number(number)])
    response.end('ok')
  })
})

function serviceOf(body: Buffer): number {
  return (JSON.parse(body.toString()) as { data: { service: { id: number } } }).data.service.id
}

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
setInterval(() => {
  if (arrivals.length === 0) return
  process.send?.({ arrivals })
  arrivals = []
}, 20)
process.on('disconnect', () => process.exit(0))
