import { createHash } from 'node:crypto'
import { type Context, ROOT_CONTEXT, type Span, type SpanOptions, type Tracer, trace } from '@opentelemetry/api'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-node'

interface Identifiers {
  readonly traceId: string
  readonly spanId: string
}

/** Random, except for the roots of analyses, which other processes must be able to name. */
export class TraceIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #next: Identifiers | null = null

  generateTraceId(): string {
    return this.#next?.traceId ?? this.#random.generateTraceId()
  }

  generateSpanId(): string {
    return this.#next?.spanId ?? this.#random.generateSpanId()
  }

  /** The same span for the same analysis everywhere, with the same choice of a sampler. */
  beginAnalysis(tracer: Tracer, key: AnalysisKey, options: SpanOptions = {}): Span {
    this.#next = identifiersOf(key)
    try {
      return tracer.startSpan('analysis', { ...options, root: true }, ROOT_CONTEXT)
    } finally {
      this.#next = null
    }
  }

  /**
   * The context of an analysis's consequences, even in another process. The process that recorded the analysis sends
   * the span itself.
   */
  contextOf(tracer: Tracer, key: AnalysisKey): Context {
    const { traceId, spanId, traceFlags } = this.beginAnalysis(tracer, key).spanContext()
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
  }
}

export interface AnalysisKey {
  readonly serviceId: number
  /** As a number, or as people see it. */
  readonly analysisId: number | string
}

/** The ids of an analysis's trace and root. */
export function identifiersOf({ serviceId, analysisId }: AnalysisKey): Identifiers {
  const digest = createHash('sha256')
    .update(`analysis ${serviceId} ${Number(analysisId)}`)
    .digest('hex')
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
}
