import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startDeliveryWorkers } from '../../src/notifications/start.ts'
import { escalating, step } from '../support/escalating.ts'
import { startMailbox } from '../support/mailbox.ts'
import { type MonitoringWorld, monitoringWorld, silentLog } from '../support/monitoring.ts'
import { failureNotice } from '../support/notices.ts'
import { patiently } from '../support/patience.ts'
import { startNotifierProcess } from './notifier-process.ts'

let world: MonitoringWorld
let duty: ReturnType<typeof escalating>

beforeAll(async () => {
  world = await monitoringWorld()
  duty = escalating(world)
})
afterEach(async () => {
  await world.clear()
  await duty.clear()
})
afterAll(() => world.drop())

/** A failure whose escalation begins at the moment. */
async function begun(escalationId: number, at: number): Promise<number> {
  const id = await world.addService()
  const facts = failureNotice({ service: { id, name: 'Sklep', address: 'shop.example.com/', type_id: 'http' } })
  await world.database.execute(sql`
    insert into escalation_statuses (service_id, change_id, escalation_id, owner_id, state, started_at, next_at, facts)
    select id, 7, ${escalationId}, owner_id, 'running', ${new Date(at)}, ${new Date(at)}, ${JSON.stringify(facts)}
    from services where id = ${id}`)
  return id
}

test('a notifier tells a step at its moment, not when it looks around', async () => {
  const escalationId = await duty.escalation([step({ contact_ids: [await duty.contact('anna')], delay_seconds: 0 })])
  const clock = { now: () => Date.now() }
  const options = { clock, log: silentLog, publicUrl: 'http://api.test', diagnose: () => null }
  const notifier = await startDeliveryWorkers({ ...options, database: world.database }, [])
  // Between two looks, which are two seconds apart.
  const at = clock.now() + 900
  const id = await begun(escalationId, at)
  await world.database.execute(sql`select pg_notify('notifications', '')`)
  const [told] = await vi.waitFor(async () => {
    const rows = await duty.told(id)
    expect(rows).toHaveLength(1)
    return rows
  }, patiently)
  await notifier.stop()
  expect(told?.created_at).toBeGreaterThanOrEqual(at)
  expect((told?.created_at ?? 0) - at).toBeLessThan(1000)
})

test('notifiers that are killed in the middle tell every step once', async () => {
  const mailbox = await startMailbox()
  const [anna, jan] = [await duty.contact('anna'), await duty.contact('jan')]
  const escalationId = await duty.escalation([step({ contact_ids: [anna] }), step({ contact_ids: [jan] })])
  const now = world.clock.now()
  const ids: number[] = []
  for (let index = 0; index < 150; index += 1) ids.push(await begun(escalationId, now))
  const settings = { databaseUrl: world.url, smtpUrl: mailbox.url, now }
  const countTold = async () => {
    const [row] = await world.database.query<{ count: number }>(sql`
      select count(*)::int as count from escalation_statuses where step > 0`)
    return row?.count ?? 0
  }
  // Each dies as soon as it has told something.
  for (let time = 0; time < 3; time += 1) {
    const before = await countTold()
    const [first, second] = [startNotifierProcess(settings), startNotifierProcess(settings)]
    await vi.waitFor(
      async () => expect(await countTold()).toBeGreaterThan(before === ids.length ? -1 : before),
      patiently,
    )
    await Promise.all([first.kill(), second.kill()])
  }
  const survivor = startNotifierProcess(settings)
  const finished = sql`select from escalation_statuses where step = 2`
  await vi.waitFor(async () => expect(await world.database.query(finished)).toHaveLength(ids.length), patiently)
  await survivor.kill()
  const told = await world.database.query<{ service_id: number; events: string }>(sql`
    select service_id, string_agg(event_id, ' ' order by event_id) as events from notification_intents
    where contact_id is not null group by service_id order by service_id`)
  expect(told).toEqual(ids.map((id) => ({ service_id: id, events: 'escalation:7:1:0 escalation:7:2:0' })))
  await mailbox.stop()
})
