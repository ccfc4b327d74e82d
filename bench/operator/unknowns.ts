/** Which checks had no answer, and what their stations said of it. */
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { errorTypes } from '../../src/domain/judging/error-types.ts'
import type { Course } from './script.ts'

export interface Unknowns {
  /** By error type and message, whose numbers stand as N. */
  readonly reasons: Readonly<Record<string, number>>
  readonly stations: Readonly<Record<string, number>>
  /** By the minute of the decision (HH:MM) in which there were some. */
  readonly minutes: Readonly<Record<string, number>>
}

interface UnknownRow {
  readonly minute: number
  readonly sensor: string
  readonly error_type_id: number | null
  readonly message: string
  readonly count: number
}

const minuteMs = 60_000

export async function countUnknowns(database: Database, { startsAt }: Course): Promise<Unknowns> {
  const rows = await database.query<UnknownRow>(sql`
    select (analysis_id / 100 / ${minuteMs}) as minute, coalesce(sensors.name, checks.sensor_id::text) as sensor,
      (failure ->> 'error_type_id')::int as error_type_id,
      regexp_replace(coalesce(failure ->> 'error_message', 'not said'), '[0-9]+', 'N', 'g') as message, count(*) as count
    from analyses_hot cross join lateral unnest(sensor_ids, results) as checks (sensor_id, result)
      cross join lateral (select failures -> checks.sensor_id::text as failure) told left join sensors on sensors.id = checks.sensor_id
    where checks.result = 'u' and analysis_id >= ${startsAt * 100}::bigint
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`)
  const symbols = new Map<number | null, string>(errorTypes.map(({ id, symbol }) => [id, symbol]))
  return {
    reasons: summed(rows, (row) => `${symbols.get(row.error_type_id) ?? 'no type'}: ${row.message}`),
    stations: summed(rows, ({ sensor }) => sensor),
    minutes: summed(rows, ({ minute }) => new Date(minute * minuteMs).toISOString().slice(11, 16)),
  }
}

function summed(rows: readonly UnknownRow[], nameOf: (row: UnknownRow) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows) counts[nameOf(row)] = (counts[nameOf(row)] ?? 0) + row.count
  return counts
}
