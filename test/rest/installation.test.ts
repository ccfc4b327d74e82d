import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nextOnGrid } from '../../src/domain/judging/schedule.ts'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { type FurnishedWorld, furnishedWorld, okRound } from '../support/furnished.ts'

let world: FurnishedWorld
beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

interface Answer {
  readonly window: string
  readonly lateness: Readonly<Record<string, number | null>>
  readonly stations: readonly Readonly<Record<string, unknown>>[]
  readonly failures: number
  readonly false_alarms_corrected: number
  readonly deliveries: readonly Readonly<Record<string, unknown>>[]
}

const read = async (path = '/system/installation') => (await world.call('dora', 'GET', path)).body as Answer

describe('how well the installation works', () => {
  test('is for administrators alone, and for the windows there are', async () => {
    expect((await world.call('alice', 'GET', '/system/installation')).status).toBe(403)
    expect((await world.call(null, 'GET', '/system/installation')).status).toBe(401)
    expect((await world.call('dora', 'GET', '/system/installation?window=1y')).status).toBe(422)
    expect((await read()).window).toBe('24h')
    expect((await read('/system/installation?window=7d')).window).toBe('7d')
  })

  test('counts the rounds of the last hour, and for each station where it agreed with the verdict', async () => {
    const rows = await world.database.query<{ verdict: string; sensor_ids: number[]; results: string[] }>(
      sql`select verdict, sensor_ids, results::text[] as results from analyses_hot`,
    )
    const { lateness, stations } = await read()
    expect(lateness['rounds']).toBe(rows.length)
    expect(stations.map(({ sensor_id }) => sensor_id)).toEqual(world.people.sensorIds)
    for (const { sensor_id, rounds, agreement } of stations) {
      const said = rows.flatMap(({ verdict, sensor_ids, results }) => {
        const result = results[sensor_ids.indexOf(Number(sensor_id))]
        return (result === 'o' || result === 'e') && verdict !== 'none' ? [(result === 'o') === (verdict === 'ok')] : []
      })
      expect([rounds, agreement]).toEqual([
        said.length,
        said.length === 0 ? null : said.filter(Boolean).length / said.length,
      ])
    }
  })

  test('counts failures and corrections of the window, and deliveries with their time', async () => {
    const before = await read()
    expect(before.failures).toBeGreaterThan(0)
    const now = world.clock.now()
    const at = (ago: number) => new Date(now - ago)
    const { shared } = world.serviceIds
    await world.database.execute(sql`
      insert into corrections (service_id, start_time, end_time, status, created_at)
      values (${shared}, ${at(2000)}, ${at(1000)}, 'ok', ${at(1000)}),
        (${shared}, ${at(2000)}, ${at(1000)}, 'ok', ${at(2 * 86_400_000)}),
        (${shared}, ${at(2000)}, ${at(1000)}, 'failure', ${at(1000)})`)
    const intent = (event: string, status: string, ago: number, took: number | null) => sql`
      insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
        notification_condition_id, address, facts, status, created_at, finished_at, next_attempt_at)
      values (${shared}, ${event}, 1, 1, 1, 'webhook', 'failure', 'a', '{}', ${status}, ${at(ago)},
        ${took === null ? null : at(ago - took)}, null)`
    await world.database.execute(intent('1', 'sent', 60_000, 2000))
    await world.database.execute(intent('2', 'sent', 60_000, 4000))
    await world.database.execute(intent('3', 'failed', 60_000, 9000))
    await world.database.execute(intent('4', 'sent', 2 * 86_400_000, 1000))
    const day = await read()
    const week = await read('/system/installation?window=7d')
    expect(day.false_alarms_corrected - before.false_alarms_corrected).toBe(1)
    expect(week.false_alarms_corrected - day.false_alarms_corrected).toBe(1)
    const webhooks = ({ deliveries }: Answer) =>
      deliveries.find(({ notification_channel_id }) => notification_channel_id === 'webhook')
    expect(webhooks(day)).toEqual({
      ...{ notification_channel_id: 'webhook', sent: 2, failed: 1, pending: 0, other: 0 },
      ...{ latency_p50: 3000, latency_p95: 3900 },
    })
    expect(webhooks(week)).toMatchObject({ sent: 3, failed: 1 })
  })

  test('tells how far behind its grid each round began', async () => {
    const { shared: serviceId } = world.serviceIds
    const [service] = await world.database.query<{ interval: number }>(
      sql`select interval from services where id = ${serviceId}`,
    )
    const step = service?.interval ?? 0
    await world.database.execute(sql`delete from analyses_hot`)
    const rounds = [1, 2, 3].map((number) => {
      const dueAt = nextOnGrid(serviceId, step, world.clock.now() - (number + 1) * step * 1000)
      // Its checks begin a quarter of a second before its verdict.
      return okRound({ serviceId, sensorIds: world.people.sensorIds, at: dueAt + number * 500 + 250 })
    })
    await insertAnalyses(world.database, rounds)
    const { lateness } = await read()
    expect(lateness).toEqual({ rounds: 3, unjudged_rounds: 0, p50: 1000, p95: 1500, maximum: 1500 })
  })
})
