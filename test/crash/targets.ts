import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chanceOf } from './chance.ts'

/** A web server with many pages, each of which breaks and works again in its own rhythm. */
export interface Targets {
  /** Of one page, as a service's address. */
  address(page: number): string
  /** From now on every page stays as it is. */
  freeze(): void
  isUp(page: number): boolean
  /** Requests so far. */
  requests(): number
  close(): Promise<void>
}

/** Milliseconds that a page stays up or down at least. */
const shortestPhase = 4000
const longestPhase = 16_000

export async function startTargets(seed: number): Promise<Targets> {
  const startedAt = performance.now()
  let frozenAt: number | null = null
  let requests = 0

  function isUp(page: number): boolean {
    const chance = chanceOf(seed * 1000 + page)
    let left = (frozenAt ?? performance.now()) - startedAt
    let up = true
    // Down phases are shorter than up phases: most of a fleet works.
    for (;;) {
      left -= up ? chance.between(shortestPhase, longestPhase) : chance.between(shortestPhase, longestPhase / 2)
      if (left <= 0) return up
      up = !up
    }
  }

  const server = createServer((request, response) => {
    requests += 1
    const page = Number(request.url?.slice(1))
    response.writeHead(isUp(page) ? 200 : 503, { 'content-type': 'text/plain' }).end('Latarnia')
  })
  server.keepAliveTimeout = 1000
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: (page) => `127.0.0.1:${port}/${page}`,
    freeze() {
      frozenAt = performance.now()
    },
    isUp,
    requests: () => requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
