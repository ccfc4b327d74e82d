import { dayLength } from '../../domain/calendars/durations.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import type { Detail, PackedAnalysis } from './analysis.ts'
import type { AnalysisColumns } from './analysis-columns.ts'
import { openDay, UnreadableDay, unpackDay } from './packed-day.ts'

/** A row of `packed_days`. */
export interface StoredDay {
  readonly service_id: number
  /** Since 1970. */
  readonly day: number
  readonly data: Buffer
}

/** Adds the row's identity to errors, for operators who restored a foreign file. */
function named<Read>({ service_id, day, data }: StoredDay, read: (data: Buffer) => Read): Read {
  try {
    return read(data)
  } catch (error) {
    if (!(error instanceof UnreadableDay)) throw error
    const date = formatMoment(day * dayLength).slice(0, 10)
    throw new UnreadableDay(`The day ${date} of service ${service_id} cannot be read. ${error.message}`, {
      cause: error,
    })
  }
}

/** Like `openDay`. Throws an `UnreadableDay` that names the service and the day. */
export function openStored(stored: StoredDay): AnalysisColumns {
  return named(stored, openDay)
}

/** Like `unpackDay`. Throws an `UnreadableDay` that names the service and the day. */
export function unpackStored(stored: StoredDay, detail?: Detail): PackedAnalysis[] {
  return named(stored, (data) => unpackDay(data, detail))
}
