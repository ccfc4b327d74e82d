/** The metrics of services, and their text in OpenMetrics 1.0. */

export interface MeasuredService {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly group_id: number
  /** `summary` of its status. */
  readonly summary: string
  readonly is_degraded: boolean
  readonly is_acknowledged: boolean
  /** Milliseconds; null without a measured one. */
  readonly response_time: number | null
  /** Unix seconds; null before the first analysis. */
  readonly last_analysis_at: number | null
  /** Unix seconds; null when no end is known. */
  readonly expires_at: number | null
}

export interface ServiceGauge {
  readonly name: string
  readonly unit?: 'seconds'
  readonly help: string
  /** Null: the service has no such value now. */
  readonly value: (service: MeasuredService) => number | null
}

export const serviceGauges: readonly ServiceGauge[] = [
  {
    name: 'latarnik_service_up',
    help: '1 while the service is ok, 0 while it has failed; none while it is unknown, paused or suspended.',
    value: ({ summary }) => (summary === 'ok' ? 1 : summary === 'failure' ? 0 : null),
  },
  {
    name: 'latarnik_service_monitored',
    help: '1 while the service is monitored, 0 while it is paused or suspended.',
    value: ({ summary }) => (summary === 'paused' || summary === 'suspended' ? 0 : 1),
  },
  {
    name: 'latarnik_service_degraded',
    help: '1 while the service is ok, but not as good as it should be.',
    value: ({ is_degraded: isDegraded }) => (isDegraded ? 1 : 0),
  },
  {
    name: 'latarnik_service_acknowledged',
    help: '1 while somebody has acknowledged the failure that lasts.',
    value: ({ is_acknowledged: isAcknowledged }) => (isAcknowledged ? 1 : 0),
  },
  {
    name: 'latarnik_service_response_time_seconds',
    unit: 'seconds',
    help: 'Response time of the last analysis.',
    value: ({ response_time: time }) => (time === null ? null : time / 1000),
  },
  {
    name: 'latarnik_service_last_analysis_timestamp_seconds',
    unit: 'seconds',
    help: 'When the last analysis was decided.',
    value: ({ last_analysis_at: at }) => at,
  },
  {
    name: 'latarnik_service_expires_timestamp_seconds',
    unit: 'seconds',
    help: 'When the certificate or the domain of the service ends.',
    value: ({ expires_at: at }) => at,
  },
]

/** The names of the metrics, in the order of the text. */
export const serviceMetricNames: readonly string[] = serviceGauges.map(({ name }) => name)

/** OpenMetrics 1.0, section Exposition Format: these three are escaped in the value of a label. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** The labels of a service; their number is that of the services. */
export function serviceLabels({
  id,
  name,
  type,
  group_id: groupId,
}: MeasuredService): Readonly<Record<string, string>> {
  return { service_id: String(id), service: name, type, group_id: String(groupId) }
}

function labelsOf(service: MeasuredService): string {
  const labels = Object.entries(serviceLabels(service)).map(([name, value]) => `${name}="${escaped(value)}"`)
  return `{${labels.join(',')}}`
}

/** The text in parts: the lines of one service in one family, and the lines between. */
export function* openMetrics(services: readonly MeasuredService[]): Generator<string> {
  const labels = services.map(labelsOf)
  for (const { name, unit, help, value } of serviceGauges) {
    yield `# TYPE ${name} gauge\n${unit === undefined ? '' : `# UNIT ${name} ${unit}\n`}# HELP ${name} ${help}\n`
    for (const [place, service] of services.entries()) {
      const measured = value(service)
      if (measured !== null) yield `${name}${labels[place]} ${measured}\n`
    }
  }
  yield '# EOF\n'
}
