import { readFileSync } from 'node:fs'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StatusPages } from '../../src/status-pages/pages.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { idOf } from '../support/replies.ts'

/** Pages as large as their owner can make them, in a process that has other work to do. */

let world: FurnishedWorld
let id: number
const slug = 'large'
const counts = { components: 1000, services: 300, changes: 400, incidents: 150 }

beforeAll(async () => {
  world = await furnishedWorld()
  id = idOf(await world.call('alice', 'POST', '/status_pages', { slug, title: 'Large', language_id: 'en' }))
  const { database, clock } = world
  const now = new Date(clock.now())
  const body = { type_id: 'http', name: 'Part', address: 'part.example.com' }
  const first = idOf(await world.call('alice', 'POST', '/services', body))
  const { rows, others } = await copies(first)
  await database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time)
    select s.id, s.id * 1000000::bigint + number, case when number % 2 = 0 then 'ok' else 'failure' end,
      ${now}::timestamptz - make_interval(hours => (${counts.changes} - number) * 5),
      case when number < ${counts.changes} then ${now}::timestamptz - make_interval(hours => (${counts.changes} - number) * 5 - 5) end
    from unnest(${rows}::int[]) as s (id), generate_series(1, ${counts.changes}) number`)
  await database.execute(sql`
    insert into status_page_components (status_page_id, position, name, service_id, group_id, created_at, updated_at)
    select ${id}, number, 'Component ' || number, case when number % 5 > 0 then (${rows}::int[])[1 + number % ${others}] end,
      case when number % 5 = 0 then (select group_id from services where id = ${first}) end, ${now}, ${now}
    from generate_series(1, ${counts.components}) number`)
  await database.execute(sql`
    insert into status_page_incidents (status_page_id, name, status, impact, is_published, started_at, component_ids,
      updates, created_at, updated_at)
    select ${id}, 'Incident ' || number, 'investigating', 'major', true, ${now}::timestamptz - make_interval(mins => number),
      (select array_agg(id) from (select id from status_page_components where status_page_id = ${id} limit 500) as chosen),
      (select jsonb_agg(jsonb_build_object('id', number || '-' || place, 'status', 'investigating', 'body',
        repeat('<&> ' || place, 400), 'display_at', ${clock.now()}::bigint, 'created_at', ${clock.now()}::bigint,
        'updated_at', ${clock.now()}::bigint, 'affected_components', '[]'::jsonb)) from generate_series(1, 100) place),
      ${now}, ${now}
    from generate_series(1, ${counts.incidents}) number`)
}, 120_000)
afterAll(() => world.drop())

/** As many services as the test needs: a row of each table that a new service has. */
async function copies(first: number): Promise<{ readonly rows: readonly number[]; readonly others: number }> {
  const { database } = world
  const rows = [first]
  for (let count = 1; count < counts.services; count++) rows.push(first + 1000 + count)
  for (const [table, key] of [
    ['services', 'id'],
    ['service_statuses', 'service_id'],
  ] as const) {
    const columns = await database.query<{ name: string }>(sql`
      select quote_ident(column_name) as name from information_schema.columns
      where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'`)
    const names = columns.map(({ name }) => name)
    const selected = names.map((name) => (name === key ? 'copy' : name)).join(', ')
    const ids = rows.slice(1).join(', ')
    await database.execute(sql`
      insert into ${raw(table)} (${raw(names.join(', '))})
      select ${raw(selected)} from ${raw(table)}, unnest(array[${raw(ids)}]) as copy where ${raw(key)} = ${first}`)
  }
  return { rows, others: rows.length }
}

/** Milliseconds of CPU time of the main thread, which other programs of the machine do not lengthen. */
function threadMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** The longest work between two turns of the loop. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [isOver, longest, last] = [false, 0, threadMs()]
  const tick = () => {
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isOver = true
  return longest
}

describe('a large page', () => {
  test('is made and compressed while other work goes on', async () => {
    const names = ['', 'api/v2/summary.json', 'api/v2/incidents.json', 'history.rss', 'history.atom', 'markdown']
    const held: Record<string, number[]> = {}
    for (let run = 0; run < 3; run++) {
      const pages = new StatusPages({
        ...{ database: world.database, clock: world.clock, publicUrl: 'http://api.test' },
        hosts: { permitted: [], free: [], own: [] },
        onFault: (error) => {
          throw error
        },
      })
      const note = async (name: string, work: () => Promise<unknown>) => {
        held[name] = [...(held[name] ?? []), Math.round(await longestHold(work))]
      }
      await note('snapshot', async () => pages.find(slug, '192.0.2.1'))
      const documents = await pages.find(slug, '192.0.2.1')
      for (const name of names) {
        await note(name, async () => documents?.get(name))
        await note(`${name} br`, async () => (await documents?.get(name))?.in('br'))
      }
    }
    // A core that another program shares does half as much in the same time of its own.
    const longest = Object.entries(held).filter(([, runs]) => Math.min(...runs) > 40)
    expect(Object.keys(held)).toHaveLength(1 + 2 * names.length)
    expect(longest).toEqual([])
  }, 120_000)
})
