import sql from 'sql-template-tag'
import { test } from 'vitest'
import { described, disagreements } from './compare.ts'
import { type LocalTime, localTime } from './model/calendar.ts'
import { liveThrough } from './model/life.ts'
import { livesOf } from './observe.ts'
import { perform } from './perform.ts'
import { writeScript } from './scenario.ts'
import { openStage } from './stage.ts'

test('proto', async () => {
  const from = Date.UTC(2026, 8, 1)
  const stage = await openStage(from)
  const script = writeScript(stage.ground, { seed: Number(process.env['SIMULATION_SEED'] ?? 1), from, days: Number(process.env['SIMULATION_DAYS'] ?? 10), services: Number(process.env['N'] ?? 100) })
  const before = performance.now()
  const zones = new Map<string, LocalTime>()
  const timeOf = (zone: string) => { const known = zones.get(zone) ?? localTime(zone, script); zones.set(zone, known); return known }
  const expected = new Map(script.services.map((s) => [s.id, liveThrough(script, s, timeOf)]))
  console.log('model seconds', (performance.now() - before) / 1000)
  const cpu = process.cpuUsage()
  await perform(stage, script)
  const used = process.cpuUsage(cpu)
  console.log('seconds', (performance.now() - before) / 1000, 'cpu', (used.user + used.system) / 1e6)
  const seen = await livesOf(stage.api.database)
  const d = disagreements(script, expected, seen)
  console.log(await stage.api.database.query(sql`select (select count(*) from analyses_hot) as rounds, (select count(distinct analysis_id/100/1000) from analyses_hot) as windows,
    (select count(*) from status_changes) as changes, (select count(*) from notification_intents) as intents,(select json_object_agg(c,n) from (select notification_condition_id c,count(*) n from notification_intents group by 1) x) as by_kind`))
  console.log(`${d.length} disagreements`, d.map((x) => [x.service.id, new Date(x.at).toISOString(), JSON.stringify(x.expected), JSON.stringify(x.seen)].join(' ')).join('\n'))
  if (d[0]) console.log(described(script, d[0]))
  await stage.close()
}, 600_000)
