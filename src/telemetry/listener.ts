import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { alive, type HealthAnswer, type Readiness } from './readiness.ts'

export interface ListenerOptions {
  readonly host: string
  readonly port: number
  readonly readiness: Pick<Readiness, 'answer'>
  /** Answers `/metrics` for the Accept header. */
  readonly metrics: (accepted: string) => Promise<{ readonly contentType: string; readonly text: string }>
}

export interface MetricsListener {
  readonly port: number
  stop(): Promise<void>
}

/** Scrapers and probes are few, so more connections are somebody's mistake. */
const mostConnections = 50

/** Serves metrics and health on a port of their own, so that the public one need not. */
export async function startListener(options: ListenerOptions): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    void answer(options, request, response).catch(() => response.destroy())
  })
  server.maxConnections = mostConnections
  server.listen({ host: options.host, port: options.port, exclusive: true })
  await once(server, 'listening')
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : options.port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(options: ListenerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0]
  response.setHeader('Cache-Control', 'no-store')
  if (path !== '/metrics' && path !== '/healthz' && path !== '/readyz') {
    response.writeHead(404).end()
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end()
  } else if (path === '/metrics') {
    const { contentType, text } = await options.metrics(request.headers.accept ?? '')
    response.writeHead(200, { 'Content-Type': contentType }).end(text)
  } else {
    sendHealth(response, path === '/healthz' ? alive : await options.readiness.answer())
  }
}

function sendHealth(response: ServerResponse, { status, body }: HealthAnswer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
