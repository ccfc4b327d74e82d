import sql from 'sql-template-tag'
import { test } from 'vitest'
import { demoWorld } from './month.ts'

test('try', async () => {
  const t = performance.now()
  const days = Number(process.env['DAYS'] ?? 2)
  const world = await demoWorld(Date.UTC(2026, 10, 21, 9), days)
  console.log('seconds', (performance.now() - t) / 1000)
  console.log(
    await world.database.query(sql`select (select count(*) from analyses_hot) as hot, (select sum(analyses) from packed_days) as packed,
     (select count(*) from status_changes) as changes, (select count(*) from notification_intents) as intents, (select count(*) from reports) as reports, (select pg_database_size(current_database())) as bytes`),
  )
  console.log(
    await world.database.query(
      sql`select s.name, c.status, c.pause_reason, count(*)::int, sum(extract(epoch from coalesce(c.end_time, ${new Date(Date.UTC(2026, 10, 21, 9))}) - c.start_time))::int as seconds from status_changes c join services s on s.id = c.service_id group by 1,2,3 order by 1,2`,
    ),
  )
  await world.drop()
}, 600_000)
