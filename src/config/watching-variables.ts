import { z } from 'zod'
import { address, text, variable, wholeNumber } from './variable.ts'

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
}
