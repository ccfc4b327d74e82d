import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import protobuf from 'protobufjs'

/** The messages of the public protocol (opentelemetry-proto 1) as far as they are needed, by their field numbers. */
const { root } = protobuf.parse(
  `
  syntax = "proto3";
  message Request { repeated ResourceMetrics resource_metrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message Metric { string name = 1; string description = 2; string unit = 3; Gauge gauge = 5; Sum sum = 7; }
  message Gauge { repeated Point data_points = 1; }
  message Sum { repeated Point data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
  message Point {
    fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; double as_double = 4; sfixed64 as_int = 6;
    repeated KeyValue attributes = 7;
  }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { string string_value = 1; bool bool_value = 2; int64 int_value = 3; }
`,
  { keepCase: true },
)

interface WireAttribute {
  readonly key: string
  readonly value: { readonly string_value?: string }
}

interface WirePoint {
  readonly start_time_unix_nano?: number
  readonly time_unix_nano: number
  readonly as_double?: number
  readonly as_int?: number
  readonly attributes: readonly WireAttribute[]
}

interface WireMetric {
  readonly name: string
  readonly unit?: string
  readonly gauge?: { readonly data_points: readonly WirePoint[] }
  readonly sum?: {
    readonly data_points: readonly WirePoint[]
    readonly aggregation_temporality: number
    readonly is_monotonic: boolean
  }
}

interface WireRequest {
  readonly resource_metrics: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] }
    readonly scope_metrics: readonly { readonly metrics: readonly WireMetric[] }[]
  }[]
}

export interface ReceivedPoint {
  readonly metric: string
  readonly unit: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  /** Whether it is a sum that only grows. */
  readonly isCounter: boolean
  /** Unix milliseconds. */
  readonly from: number
  readonly at: number
}

export interface ReceivedRequest {
  readonly path: string
  readonly contentType: string | undefined
  readonly resource: Readonly<Record<string, string>>
  readonly points: readonly ReceivedPoint[]
}

function textsOf(attributes: readonly WireAttribute[]): Readonly<Record<string, string>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.string_value ?? '']))
}

function pointsOf({ name, unit = '', gauge, sum }: WireMetric): ReceivedPoint[] {
  const isCounter = sum?.is_monotonic === true && sum.aggregation_temporality === 2
  return (
    (gauge ?? sum)?.data_points.map((point) => ({
      ...{ metric: name, unit, isCounter, labels: textsOf(point.attributes) },
      value: point.as_double ?? point.as_int ?? 0,
      ...{ from: (point.start_time_unix_nano ?? 0) / 1e6, at: point.time_unix_nano / 1e6 },
    })) ?? []
  )
}

function decoded(bytes: Uint8Array) {
  const message = root.lookupType('Request').decode(bytes)
  const { resource_metrics: all } = root
    .lookupType('Request')
    .toObject(message, { longs: Number, arrays: true }) as WireRequest
  return {
    resource: textsOf(all[0]?.resource.attributes ?? []),
    points: all.flatMap((one) => one.scope_metrics).flatMap(({ metrics }) => metrics.flatMap(pointsOf)),
  }
}

/** Answers a request; without an answer it hangs. */
export type Answering = (response: ServerResponse) => void

export const accepting: Answering = (response) => response.writeHead(200).end()

export interface MetricsReceiver {
  readonly url: string
  readonly port: number
  readonly requests: ReceivedRequest[]
  answer: Answering
  stop(): Promise<void>
}

/** A receiver of OTLP over HTTP in protobuf, as a collector is one. */
export async function startReceiver(wantedPort = 0): Promise<MetricsReceiver> {
  const receiver = { requests: [] as ReceivedRequest[], answer: accepting }
  const server = createServer(async (request, response) => {
    const contentType = request.headers['content-type']
    receiver.requests.push({ path: request.url ?? '', contentType, ...decoded(await buffer(request)) })
    receiver.answer(response)
  })
  await once(server.listen(wantedPort, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/v1/metrics`,
    port,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
