import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer, json } from 'node:stream/consumers'

interface WireAttribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly WireAttribute[]
  readonly events: readonly { readonly name: string; readonly attributes: readonly WireAttribute[] }[]
  readonly status?: { readonly code?: number }
}

interface WireTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}

type Facts = Readonly<Record<string, unknown>>

export interface CollectedSpan extends Pick<WireSpan, 'traceId' | 'spanId' | 'name' | 'kind'> {
  readonly parentId: string
  /** Unix milliseconds. */
  readonly from: number
  readonly to: number
  readonly facts: Facts
  readonly events: Readonly<Record<string, Facts>>
  readonly resource: Facts
  readonly isFailed: boolean
}

export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** Everything that was received, as it was sent. */
  text(): string
  stop(): Promise<void>
}

function factsOf(attributes: readonly WireAttribute[]): Facts {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

function milliseconds(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1000n) / 1000
}

function spanOf(wire: WireSpan, resource: Facts): CollectedSpan {
  const { traceId, spanId, name, kind, parentSpanId: parentId = '', attributes, events, status } = wire
  return {
    ...{ traceId, spanId, parentId, name, kind, resource },
    ...{ from: milliseconds(wire.startTimeUnixNano), to: milliseconds(wire.endTimeUnixNano) },
    facts: factsOf(attributes),
    events: Object.fromEntries(events.map((event) => [event.name, factsOf(event.attributes)])),
    isFailed: status?.code === 2,
  }
}

/** A receiver of OTLP over HTTP, as a collector is one. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  let text = ''
  const server = createServer(async (request, response) => {
    // Metrics come in protobuf.
    const isJson = request.headers['content-type'] === 'application/json'
    const body = isJson ? ((await json(request)) as WireTraces) : { resourceSpans: [] }
    text += isJson ? JSON.stringify(body) : (await buffer(request)).toString('latin1')
    for (const { resource, scopeSpans } of request.url === '/v1/traces' ? body.resourceSpans : []) {
      for (const scope of scopeSpans) {
        spans.push(...scope.spans.map((span) => spanOf(span, factsOf(resource.attributes))))
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => text,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
