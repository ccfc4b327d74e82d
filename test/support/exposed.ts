import { pino } from 'pino'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { type Telemetry, telemetryOf } from '../../src/telemetry/telemetry.ts'

/** The values that a scraper reads, by name and labels as they are written: `name{a="b"}`. */
export async function exposed(metrics: Metrics): Promise<ReadonlyMap<string, number>> {
  const { text } = await metrics.expose('')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

/** Metrics of their own, and what tells them. */
export function watchedBy(): { readonly metrics: Metrics; readonly telemetry: Telemetry } {
  const metrics = new Metrics()
  return { metrics, telemetry: telemetryOf({ metrics, traces: null, log: pino({ level: 'silent' }) }) }
}
