import * as z from 'zod'
import { address, text, usernames, variable, wholeNumber } from './variable.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const logFormats = ['auto', 'json', 'text'] as const
export type LogFormat = (typeof logFormats)[number]

/** Variables for observing the program. */
export const watchingVariables = {
  LOG_LEVEL: variable({
    defaultText: 'info',
    wrongText: 'loud',
    schema: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
    type: 'word',
    meaning: `Level of the log on stderr: ${logLevels.join(', ')}.`,
  }),
  LOG_FORMAT: variable({
    defaultText: 'auto',
    wrongText: 'xml',
    schema: z.enum(logFormats, `must be one of ${logFormats.join(', ')}`),
    type: '`auto`, `json` or `text`',
    meaning: 'Log lines as JSON or for reading; `auto`: for reading if stderr is a terminal.',
  }),
  METRICS_PORT: variable({
    defaultText: undefined,
    wrongText: 'prometheus',
    schema: wholeNumber(0, 65_535),
    type: 'number',
    meaning: 'Separate port of `/metrics`, `/healthz` and `/readyz`; 0 takes any free one; unset: no metrics.',
  }),
  METRICS_HOST: variable({
    defaultText: '127.0.0.1',
    wrongText: 'a b',
    schema: text.regex(/^[A-Za-z0-9.:_-]+$/, 'must be an address or a host name'),
    type: 'address',
    meaning: 'Address of `METRICS_PORT`. Use a private one, because anybody who reaches it can read the metrics.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    defaultText: undefined,
    wrongText: 'collector:4318',
    schema: address('http:', 'https:'),
    type: 'URL',
    isSecret: true,
    meaning:
      'Collector for traces by OTLP over HTTP; the other `OTEL_…` variables are read from the environment. Unset: no traces.',
  }),
  SERVICE_METRICS_OTLP_ACCOUNTS: variable({
    defaultText: undefined,
    wrongText: 'a b',
    schema: usernames,
    type: 'username list',
    meaning:
      'Accounts whose services are sent to a collector as metrics by OTLP, under the names of `/v3/metrics/services`; `*`: all; unset: none.',
  }),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: variable({
    defaultText: undefined,
    wrongText: 'collector:4318',
    schema: address('http:', 'https:'),
    type: 'URL',
    isSecret: true,
    meaning:
      'Whole address that takes these metrics; unset: `/v1/metrics` below `OTEL_EXPORTER_OTLP_ENDPOINT`. By itself it starts no traces.',
  }),
  OTEL_METRIC_EXPORT_INTERVAL: variable({
    defaultText: '60000',
    wrongText: '10',
    schema: wholeNumber(1000, 86_400_000),
    type: 'number',
    meaning: 'Milliseconds between two times that these metrics are sent.',
  }),
}

interface WatchingValues {
  readonly SERVICE_METRICS_OTLP_ACCOUNTS: readonly string[] | undefined
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined
  readonly OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: string | undefined
  readonly OTEL_METRIC_EXPORT_INTERVAL: number
}

/** Where the metrics of services are sent, and of which accounts. */
export interface ServiceExportConfig {
  readonly url: string
  /** Null: all. */
  readonly accounts: readonly string[] | null
  readonly intervalMs: number
}

export function serviceExportOf(values: WatchingValues): ServiceExportConfig | undefined {
  const { SERVICE_METRICS_OTLP_ACCOUNTS: names, OTEL_EXPORTER_OTLP_ENDPOINT: base } = values
  const url = values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? (base && `${base.replace(/\/+$/, '')}/v1/metrics`)
  if (names === undefined || url === undefined) return undefined
  const accounts = names.includes('*') ? null : Object.freeze([...names])
  return Object.freeze({ url, accounts, intervalMs: values.OTEL_METRIC_EXPORT_INTERVAL })
}

export function watchingContradictions(values: Partial<WatchingValues>): string[] {
  const hasEndpoint = (values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined
  return values.SERVICE_METRICS_OTLP_ACCOUNTS === undefined || hasEndpoint
    ? []
    : ['SERVICE_METRICS_OTLP_ACCOUNTS: means nothing without OTEL_EXPORTER_OTLP_METRICS_ENDPOINT']
}
