/** The backup of every night reports in. One of them found the disk full, and ran again in the morning. */
import sql from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import { noneMissed, noteHearing } from '../service-state/hearing.ts'
import { storePings } from '../service-state/pings.ts'
import type { Cue } from './month.ts'
import { localMoment } from './moods.ts'

const nights = 31
const badNight = 12

interface Run {
  readonly at: number
  readonly exitStatus: number
}

function runsUntil(toAt: number): readonly Run[] {
  return Array.from({ length: nights }, (_, daysAgo) => daysAgo).flatMap((daysAgo) => {
    const at = localMoment(toAt, daysAgo, '02:46')
    if (daysAgo !== badNight) return [{ at, exitStatus: 0 }]
    return [
      { at, exitStatus: 1 },
      { at: localMoment(toAt, daysAgo, '07:52'), exitStatus: 0 },
    ]
  })
}

/** Eight to sixteen minutes, by the moment. */
function durationOf({ at }: Run): number {
  return 480_000 + (Math.floor(at / 60_000) % 479) * 1000
}

async function report(database: Database, serviceId: number, run: Run): Promise<void> {
  const [heartbeat] = await database.query<{ ping_uuid: string }>(
    sql`select ping_uuid::text as ping_uuid from heartbeats where service_id = ${serviceId}`,
  )
  if (heartbeat === undefined) return
  const { at, exitStatus } = run
  await noteHearing(database, { untilAt: at, patience: Number.POSITIVE_INFINITY, missed: noneMissed() })
  const isGood = exitStatus === 0
  const said = isGood ? 'Kopia gotowa.' : 'pg_dump: could not write to file: No space left on device'
  const about = { uuid: heartbeat.ping_uuid, rid: null, ipAddress: '127.0.0.1', userAgent: 'curl/8.5.0' }
  const end = { kind: isGood ? 'success' : 'fail', exitStatus, method: 'POST', body: Buffer.from(said) } as const
  await storePings(database, [
    { ...about, at: at - durationOf(run), kind: 'start', exitStatus: null, method: 'GET', body: null },
    { ...about, at, ...end },
  ])
}

/** The reports that lie within the simulated time. */
export function backupCues(
  database: Database,
  serviceId: number,
  { fromAt, toAt }: { readonly fromAt: number; readonly toAt: number },
): readonly Cue[] {
  const runs = runsUntil(toAt).filter((run) => run.at - durationOf(run) > fromAt && run.at < toAt)
  return runs.map((run) => ({
    at: run.at,
    serviceIds: () => [serviceId],
    play: () => report(database, serviceId, run),
  }))
}
