/** Packing: what of it every service costs, however little it did, and what a whole day of some costs. */
import sql from 'sql-template-tag'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { unequalServices } from '../../src/history/packed/batch.ts'
import { handover, packClosedDays } from '../../src/history/packed/pack-days.ts'
import { analysesOfADay, dayOf } from '../packed/day.ts'
import type { BenchDatabase } from '../support/bench-database.ts'
import type { Figure } from './figures.ts'

const day = 86_400_000
/** Analyses of each service in the part of a day. */
const part = 12
/** Services with a whole day. */
const wholeDays = 60
/** Seconds of one core in which a day should be packed. */
const wantedSeconds = 6 * 3600

/** In the order of time, as the recorder writes them. */
async function writePart({ database }: BenchDatabase, start: number): Promise<void> {
  await ensurePartitions(database, start, 0)
  await database.execute(sql`
    insert into analyses_hot (service_id, analysis_id, verdict, error_tolerance, sensor_ids, results, time_offsets,
      response_times, data_sizes, phases)
    select id, (${start}::bigint + minute * 60000 + (id * 7919::bigint) % 60000) * 100, 'ok', 51, '{1,2,3}', '{o,o,o}', '{-90,-80,-70}',
      array[90 + id % 7, 80 + minute, 40 + id % 13], '{5120,5120,5120}', array_fill(1000 + id % 50, array[18])
    from generate_series(0, ${part - 1}::int) minute, services order by 2, 1`)
  await database.execute(sql`vacuum analyze analyses_hot`)
}

async function writeWholeDays({ database }: BenchDatabase, start: number): Promise<void> {
  await ensurePartitions(database, start, 0)
  const rows = await database.query<{ id: number }>(sql`select id from services order by id limit ${wholeDays}`)
  const days = rows.map(({ id }) => dayOf(id, start))
  for (let minute = 0; minute < analysesOfADay; minute += 1) {
    const now = days.flatMap((analyses) => analyses[minute] ?? [])
    await insertAnalyses(database, now)
  }
  await database.execute(sql`vacuum analyze analyses_hot`)
}

async function secondsOf(bench: BenchDatabase, work: () => Promise<unknown>): Promise<number> {
  const [serverBefore, before] = [(await bench.serverCpu()) ?? 0, process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1000 + ((await bench.serverCpu()) ?? 0) - serverBefore) / 1000
}

async function packed(bench: BenchDatabase, nowAt: number): Promise<number> {
  return secondsOf(bench, () => packClosedDays(bench.database, { nowAt }))
}

export async function measurePacking(bench: BenchDatabase, services: number): Promise<Figure[]> {
  const now = Date.now()
  const start = Math.floor(now / day) * day - 3 * day
  await writePart(bench, start)
  const finding = await secondsOf(bench, () => unequalServices(bench.database, start))
  const little = await packed(bench, now)
  const again = await packed(bench, now + handover)
  await writeWholeDays(bench, start - day)
  const whole = await packed(bench, now)
  await packed(bench, now + handover)
  const [ofLittle, ofWhole] = [little / services, whole / wholeDays]
  // A service costs something in any case, and each analysis something more; finding reads every analysis twice.
  const seconds = services * ofWhole + (2 * finding * analysesOfADay) / part
  return [
    { name: `packing ${part} analyses of each, CPU-s`, value: little, grows: 'linear' },
    { name: '  finding them, CPU-s', value: finding, grows: 'linear' },
    { name: '  comparing and dropping, CPU-s', value: again, grows: 'linear' },
    { name: '  a service, CPU-ms', value: ofLittle * 1000, grows: 'not' },
    { name: 'packing a whole day, CPU-ms', value: ofWhole * 1000, grows: 'not' },
    {
      name: `  of all, of ${wantedSeconds / 3600} h, computed, %`,
      value: (seconds / wantedSeconds) * 100,
      grows: 'linear',
    },
  ]
}
