import { type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import { type MeasuredService, serviceGauges, serviceLabels } from '../domain/service-level/open-metrics.ts'
import { checkResults, type MeasuredCheck, type ResultCounts } from '../domain/service-level/service-measures.ts'

export interface Measured {
  readonly services: readonly MeasuredService[]
  readonly checks: readonly MeasuredCheck[]
  readonly counts: Pick<ResultCounts, 'of'>
  readonly sensors: ReadonlyMap<number, string>
  /** Since when results are counted, and now. Unix milliseconds. */
  readonly since: number
  readonly now: number
}

interface Point {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const dayMs = 86_400_000

/** The metrics of some services for a collector: those that Prometheus scrapes under the same names, and three more. */
export function metricsOf(measured: Measured): MetricData[] {
  const { services, now } = measured
  const labels = new Map(services.map((service) => [service.id, serviceLabels(service)]))
  const gauges = serviceGauges.map(({ name, unit, help, value }) => {
    const points = services.flatMap((service) => {
      const number = value(service)
      return number === null ? [] : [{ labels: labels.get(service.id) ?? {}, value: number }]
    })
    return gauge({ name, description: help, unit: unit === undefined ? '' : 's' }, points, now)
  })
  return [...gauges, daysLeft(measured, labels), durations(measured, labels), results(measured, labels)].filter(
    ({ dataPoints }) => dataPoints.length > 0,
  )
}

type Labels = ReadonlyMap<number, Readonly<Record<string, string>>>

function daysLeft({ services, now }: Measured, labels: Labels): MetricData {
  const points = services.flatMap(({ id, expires_at: at }) =>
    at === null ? [] : [{ labels: labels.get(id) ?? {}, value: (at * 1000 - now) / dayMs }],
  )
  const description = 'Days until the certificate or the domain of the service ends; negative when it has ended.'
  return gauge({ name: 'latarnik_service_expires_in_days', description, unit: 'd' }, points, now)
}

function durations({ checks, sensors, now }: Measured, labels: Labels): MetricData {
  const points = checks.map(({ service_id: id, sensor_id: sensorId, milliseconds }) => ({
    labels: { ...labels.get(id), sensor_id: String(sensorId), sensor: sensors.get(sensorId) ?? '' },
    value: milliseconds / 1000,
  }))
  const description = 'Time of each station’s check in the last analysis.'
  return gauge({ name: 'latarnik_service_check_duration_seconds', description, unit: 's' }, points, now)
}

function results({ services, counts, since, now }: Measured, labels: Labels): MetricData {
  const points = services.flatMap(({ id }) => {
    const counted = counts.of(id)
    return checkResults.map((result) => ({ labels: { ...labels.get(id), result }, value: counted[result] }))
  })
  const description = 'Results of checks of all stations: ok, error or unknown.'
  return {
    descriptor: described({ name: 'latarnik_service_checks_total', description, unit: '{check}' }, ValueType.INT),
    dataPointType: DataPointType.SUM,
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    isMonotonic: true,
    dataPoints: points.map((point) => pointAt(point, since, now)),
  }
}

interface Description {
  readonly name: string
  readonly description: string
  readonly unit: string
}

function described(description: Description, valueType: ValueType): MetricData['descriptor'] {
  return { ...description, valueType }
}

function gauge(description: Description, points: readonly Point[], now: number): MetricData {
  return {
    descriptor: described(description, ValueType.DOUBLE),
    dataPointType: DataPointType.GAUGE,
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints: points.map((point) => pointAt(point, now, now)),
  }
}

function pointAt({ labels, value }: Point, from: number, to: number) {
  return { startTime: hrTime(from), endTime: hrTime(to), attributes: { ...labels }, value }
}

function hrTime(at: number): HrTime {
  return [Math.floor(at / 1000), Math.round((at % 1000) * 1e6)]
}
