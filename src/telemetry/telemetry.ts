import type { Logger } from 'pino'
import { measureDeliveries, measureReports, measureRequest, measureRounds } from './measure.ts'
import type { Metrics } from './metrics.ts'
import {
  type DeliveryTelemetry,
  type MonitoringTelemetry,
  nobodyWatchesDeliveries,
  nobodyWatchesReports,
  nobodyWatchesRounds,
  type ReportTelemetry,
  type RequestTelemetry,
} from './port.ts'
import type { RoundTraces } from './trace-rounds.ts'
import type { Traces } from './traces.ts'

/** The telemetry ports of the rooms. Undefined where nobody would listen. */
export interface Telemetry {
  readonly rounds: MonitoringTelemetry
  readonly deliveries: DeliveryTelemetry
  readonly reports: ReportTelemetry
  readonly requests: RequestTelemetry | undefined
}

interface Listeners {
  readonly metrics: Metrics | null
  readonly traces: Traces | null
  readonly log: Pick<Logger, 'debug' | 'isLevelEnabled'>
}

/** Reports everything to each listener. */
export function telemetryOf({ metrics, traces, log }: Listeners): Telemetry {
  const measured = {
    rounds: metrics === null ? nobodyWatchesRounds : measureRounds(metrics),
    deliveries: metrics === null ? nobodyWatchesDeliveries : measureDeliveries(metrics),
    reports: metrics === null ? nobodyWatchesReports : measureReports(metrics),
  }
  return {
    rounds: logged(log, traces === null ? measured.rounds : both(measured.rounds, traces.rounds)),
    deliveries: traces === null ? measured.deliveries : deliveriesOfBoth(measured.deliveries, traces.deliveries),
    reports: traces === null ? measured.reports : reportsOfBoth(measured.reports, traces.reports),
    requests: metrics === null && traces === null ? undefined : requestsOf(metrics, traces),
  }
}

function both(measured: MonitoringTelemetry, traced: RoundTraces): MonitoringTelemetry {
  return {
    ...measured,
    claimed: (claims) => traced.claimed(claims),
    began(claim, lateMs) {
      measured.began(claim, lateMs)
      traced.began(claim)
    },
    recorded(flush) {
      measured.recorded(flush)
      traced.recorded(flush)
    },
  }
}

function logged(log: Listeners['log'], rounds: MonitoringTelemetry): MonitoringTelemetry {
  if (!log.isLevelEnabled('debug')) return rounds
  return {
    ...rounds,
    recorded(flush) {
      rounds.recorded(flush)
      for (const { claim, analysis } of flush.analysed) {
        const { analysisId, typeId, verdict, checks } = analysis
        const results = Object.fromEntries(checks.map(({ sensorId, result }) => [sensorId, result]))
        log.debug(
          { service_id: claim.serviceId, analysis_id: analysisId, type_id: typeId, verdict, results },
          'an analysis was recorded',
        )
      }
    },
  }
}

function deliveriesOfBoth(measured: DeliveryTelemetry, traced: DeliveryTelemetry): DeliveryTelemetry {
  return { attempt: (delivery, work) => traced.attempt(delivery, () => measured.attempt(delivery, work)) }
}

function reportsOfBoth(measured: ReportTelemetry, traced: ReportTelemetry): ReportTelemetry {
  return { phase: (phase, work) => traced.phase(phase, () => measured.phase(phase, work)) }
}

const untraced = { within: <T>(work: () => Promise<T>) => work(), end: () => undefined }

function requestsOf(metrics: Metrics | null, traces: Traces | null): RequestTelemetry {
  return {
    begin(request) {
      const trail = traces?.begin(request) ?? untraced
      return {
        within: trail.within,
        end(outcome) {
          trail.end(outcome)
          if (metrics !== null) measureRequest(metrics, outcome)
        },
      }
    },
  }
}
