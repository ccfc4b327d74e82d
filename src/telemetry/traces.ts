/** Traces by OpenTelemetry. This module and its libraries are loaded only if traces are wanted. */
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { Clock } from '../domain/clock.ts'
import type {
  Delivery,
  DeliveryEnd,
  DeliveryTelemetry,
  ReportTelemetry,
  RequestBeginning,
  RequestTrail,
} from './port.ts'
import { identifiersOf, TraceIds } from './trace-ids.ts'
import { type RoundTraces, traceRounds } from './trace-rounds.ts'

export interface TracesOptions {
  readonly endpoint: string
  readonly version: string
  readonly clock: Clock
}

export interface Traces {
  readonly rounds: RoundTraces
  readonly deliveries: DeliveryTelemetry
  readonly reports: ReportTelemetry
  begin(request: RequestBeginning): RequestTrail
  /** A part of the current work; on its own it makes no trace. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** The ids of the current work, else of the analysis named in the facts. */
  idsOf(facts: object): Readonly<Record<string, string>>
  /** Sends the collected spans. */
  stop(): Promise<void>
}

/** Milliseconds that the end of the program waits for the collector. */
const lastPatience = 1000

/** The other settings come from the standard variables: sampling, headers, limits, the name of the service. */
export function startTraces({ endpoint, version, clock }: TracesOptions): Traces {
  const ids = new TraceIds()
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'latarnik', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })),
    ],
    idGenerator: ids,
  })
  provider.register()
  const tracer = provider.getTracer('latarnik', version)
  return {
    rounds: traceRounds(tracer, ids, clock),
    deliveries: {
      attempt: (delivery, work) => inSpan(tracer, deliverySpan(tracer, ids, delivery), deliveryWork(work)),
    },
    reports: {
      phase: (phase, work) =>
        inSpan(tracer, { name: `report ${phase}`, parent: ROOT_CONTEXT }, async (span) => {
          const outcome = await work()
          span.setAttribute('latarnik.outcome', outcome)
          return outcome
        }),
    },
    begin: (request) => traceRequest(tracer, request),
    part: (name, attributes, work) =>
      trace.getActiveSpan() === undefined
        ? work()
        : inSpan(tracer, { name, attributes, parent: context.active(), kind: SpanKind.CLIENT }, work),
    idsOf,
    stop: () => stopTraces(provider),
  }
}

function idsOf(facts: object): Readonly<Record<string, string>> {
  const active = trace.getActiveSpan()?.spanContext()
  if (active !== undefined) return { trace_id: active.traceId, span_id: active.spanId }
  const { serviceId, analysisId } = facts as { readonly serviceId?: unknown; readonly analysisId?: unknown }
  const isAnalysis = typeof serviceId === 'number' && (typeof analysisId === 'number' || typeof analysisId === 'string')
  if (!isAnalysis) return {}
  const { traceId, spanId } = identifiersOf({ serviceId, analysisId })
  return { trace_id: traceId, span_id: spanId }
}

async function stopTraces(provider: NodeTracerProvider): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patienceEnds = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lastPatience)
  })
  // The exporter reports its failures itself; the program ends all the same.
  await Promise.race([provider.shutdown().catch(() => undefined), patienceEnds])
  clearTimeout(timer)
  for (const registered of [trace, context, propagation]) registered.disable()
}

interface SpanChoice {
  readonly name: string
  readonly parent: Context
  readonly attributes?: Attributes
  readonly kind?: SpanKind
}

async function inSpan<T>(tracer: Tracer, choice: SpanChoice, work: (span: Span) => Promise<T>): Promise<T> {
  const { name, parent, attributes = {}, kind = SpanKind.INTERNAL } = choice
  const span = tracer.startSpan(name, { attributes, kind }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span))
  } catch (error) {
    // Only the error's name, because its message may repeat sent data.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
    throw error
  } finally {
    span.end()
  }
}

function deliverySpan(tracer: Tracer, ids: TraceIds, { kind, channel, analysis }: Delivery): SpanChoice {
  return {
    name: `deliver ${kind}`,
    parent: analysis === null ? ROOT_CONTEXT : ids.contextOf(tracer, analysis),
    attributes: {
      'latarnik.channel': channel,
      ...(analysis === null ? {} : { 'latarnik.analysis_id': analysis.analysisId }),
    },
    kind: SpanKind.PRODUCER,
  }
}

function deliveryWork(work: Parameters<DeliveryTelemetry['attempt']>[1]): (span: Span) => Promise<DeliveryEnd> {
  return async (span) => {
    const end = await work()
    const { outcome, waitedMs } = end
    span.setAttributes({ 'latarnik.outcome': outcome, 'latarnik.waited_ms': waitedMs })
    if (outcome === 'failed' || outcome === 'lost') span.setStatus({ code: SpanStatusCode.ERROR })
    return end
  }
}

/** A caller's `traceparent` (W3C Trace Context) makes the request a part of the caller's trace. */
function traceRequest(tracer: Tracer, { method, headers }: RequestBeginning): RequestTrail {
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  const span = tracer.startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
    parent,
  )
  const inside = trace.setSpan(parent, span)
  return {
    within: (work) => context.with(inside, work),
    end({ route, status, requestId }) {
      span.updateName(`${method} ${route}`)
      span.setAttributes({
        'http.route': route,
        'http.response.status_code': status,
        'latarnik.request_id': requestId,
      })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}
