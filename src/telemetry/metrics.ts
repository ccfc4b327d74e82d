import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type MetricName, metricCatalogue } from './catalogue.ts'

type Definitions = typeof metricCatalogue
type LabelOf<Name extends MetricName> = Definitions[Name]['labels'][number]
type NamesOf<Type> = { [Name in MetricName]: Definitions[Name]['type'] extends Type ? Name : never }[MetricName]

export type Labels<Name extends MetricName> = Readonly<Record<LabelOf<Name>, string>>

/** Sets a process's gauges on each scrape. */
export type Collect = (metrics: Metrics) => void | Promise<void>

/** Each is a wake-up of an idle process, and only stalls of tenths of a second matter. */
const lagPrecisionMs = 100

/** Node.js measures from one look to the next, so a loop without any lag would show the pause between two looks. */
function countFromPrecision(gauge: unknown): void {
  if (!(gauge instanceof Gauge)) return
  const set = gauge.set.bind(gauge)
  Object.assign(gauge, {
    set: (labels: object, seconds: number) => set(labels, Math.max(0, seconds - lagPrecisionMs / 1000)),
  })
}

/** The metrics of one process in the formats of scrapers. */
export class Metrics {
  readonly #registry = new Registry<'application/openmetrics-text; version=1.0.0; charset=utf-8' | PrometheusType>()
  readonly #counters = new Map<string, Counter>()
  readonly #gauges = new Map<string, Gauge>()
  readonly #histograms = new Map<string, Histogram>()
  /** A set of labels is looked up by its text, because the library's own way costs several times as much. */
  readonly #children = new Map<string, { inc(value: number): void } | { observe(value: number): void }>()
  readonly #collectors: Collect[] = []
  #turn: Promise<unknown> = Promise.resolve()

  constructor() {
    for (const [name, definition] of Object.entries(metricCatalogue)) {
      const help = definition.meaning.replaceAll('`', '')
      const common = { name, help, labelNames: [...definition.labels], registers: [this.#registry] }
      if (definition.type === 'counter') this.#counters.set(name, new Counter(common))
      else if (definition.type === 'gauge') this.#gauges.set(name, new Gauge(common))
      else this.#histograms.set(name, new Histogram({ ...common, buckets: [...definition.buckets] }))
    }
    this.forget(...gaugeNames)
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: lagPrecisionMs })
    for (const which of ['min', 'max', 'mean', 'p50', 'p90', 'p99'])
      countFromPrecision(this.#registry.getSingleMetric(`nodejs_eventloop_lag_${which}_seconds`))
  }

  count<Name extends NamesOf<'counter'>>(name: Name, labels: Labels<Name>, by = 1): void {
    const key = keyOf(name, labels)
    let child = this.#children.get(key)
    if (child === undefined) {
      child = this.#counters.get(name)?.labels(inOrder(name, labels)) ?? { inc: () => undefined }
      this.#children.set(key, child)
    }
    if ('inc' in child) child.inc(by)
  }

  observe<Name extends NamesOf<'histogram'>>(name: Name, labels: Labels<Name>, value: number): void {
    const key = keyOf(name, labels)
    let child = this.#children.get(key)
    if (child === undefined) {
      child = this.#histograms.get(name)?.labels(inOrder(name, labels)) ?? { observe: () => undefined }
      this.#children.set(key, child)
    }
    if ('observe' in child) child.observe(value)
  }

  set<Name extends NamesOf<'gauge'>>(name: Name, labels: Labels<Name>, value: number): void {
    this.#gauges.get(name)?.set(inOrder(name, labels), value)
  }

  /** Clears all values of a gauge: an unknown value must look neither old nor zero. */
  forget(...names: readonly NamesOf<'gauge'>[]): void {
    for (const name of names) {
      const gauge = this.#gauges.get(name)
      gauge?.reset()
      if (metricCatalogue[name].labels.length === 0) gauge?.remove()
    }
  }

  /** Call it before each answer. */
  onCollect(collect: Collect): void {
    this.#collectors.push(collect)
  }

  get names(): readonly string[] {
    return this.#registry.getMetricsAsArray().map(({ name }) => name)
  }

  /** One at a time, because the format is a state of the registry. */
  expose(accepted: string): Promise<{ readonly contentType: string; readonly text: string }> {
    const next = this.#turn.then(() => this.#expose(accepted))
    // The caller gets the error; the next one only waits for its turn.
    this.#turn = next.catch(() => undefined)
    return next
  }

  async #expose(accepted: string) {
    for (const collect of this.#collectors) await collect(this)
    const isOpen = accepted.includes('application/openmetrics-text')
    const contentType = isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE
    this.#registry.setContentType(contentType)
    const known = this.#registry.getMetricsAsArray()
    const names = known.map(({ name }) => name)
    const text = await this.#registry.metrics()
    // The library removes `_total` from the names of counters for good when it writes OpenMetrics.
    for (const [at, metric] of known.entries()) metric.name = names[at] ?? metric.name
    return { contentType, text }
  }
}

type PrometheusType = typeof Registry.PROMETHEUS_CONTENT_TYPE

const gaugeNames = (Object.keys(metricCatalogue) as MetricName[]).filter(isGauge)

function isGauge(name: MetricName): name is NamesOf<'gauge'> {
  return metricCatalogue[name].type === 'gauge'
}

/** The library writes labels in the given order, and readers compare lines. */
function inOrder<Name extends MetricName>(name: Name, labels: Labels<Name>): Record<string, string> {
  const values: Readonly<Record<string, string>> = labels
  return Object.fromEntries(metricCatalogue[name].labels.map((label) => [label, values[label] ?? '']))
}

function keyOf<Name extends MetricName>(name: Name, labels: Labels<Name>): string {
  let key: string = name
  const values: Readonly<Record<string, string>> = labels
  for (const label of metricCatalogue[name].labels) key += `\n${values[label]}`
  return key
}
