import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { serviceTypes } from '../../src/checks/index.ts'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import { textCollation } from '../../src/database/text.ts'
import { demoServices } from '../../src/demo/company.ts'
import { noTrials } from '../../src/monitoring/trials.ts'
import { previews } from '../../src/program/previews.ts'
import { EventFeed } from '../../src/resources/event-stream/feed.ts'
import { allResources } from '../../src/resources/index.ts'
import { unlimited } from '../../src/rest/rate-limit.ts'
import { buildApi } from '../../src/rest/server.ts'
import { type DemoWorld, demoWorld, logins } from './month.ts'

/** A Saturday night, two o'clock in Poland. */
const toAt = Date.UTC(2026, 10, 21, 1)
const days = 2
const keys = ['home', 'basket', 'login', 'staging', 'imap', 'payments', 'backup']
const range = `from=${(toAt - days * 86_400_000) / 1000}&to=${toAt / 1000}`

interface Check {
  readonly analysis_id: string
  readonly sensor_id: number | null
  readonly result: string
  readonly response_time: number | null
}

interface Change {
  readonly change_id: string
  readonly status: string
  readonly start_time: string
  readonly end_time: string | null
  readonly duration: number
}

let world: DemoWorld
let get: <Body>(path: string, who?: 'owner' | 'agency' | 'tom') => Promise<Body>
let close: () => Promise<void>
let serviceIds: readonly number[]

beforeAll(async () => {
  world = await demoWorld({ toAt, days, keys })
  const { database, directory } = world
  const clock = { now: () => toAt }
  const authenticator = createAuthenticator({ database, clock, loginLimit: 100 })
  const api = await buildApi({
    ...{ database, clock, log: pino({ level: 'warn' }), publicUrl: 'http://api.test', trustedProxies: [] },
    requestsPerMinute: unlimited,
    registry: allResources({
      ...{ authenticator, artifacts: diskArtifacts(join(directory, 'artifacts')), isRegistrationOpen: false },
      mustConfirmAddresses: false,
      trials: noTrials,
      events: new EventFeed({ database, clock, onFault: () => undefined }),
      ...{ forceLimits: { minute: 3, hour: 30, day: 100 }, configuredClientIds: [] },
      accountDefaults: { languageId: 'pl', timeZoneId: 'europe_warsaw' },
      previews,
    }),
    authenticate: authenticator.authenticate,
    collation: await textCollation(database),
  })
  close = () => api.close()
  get = async (path, who = 'owner') => {
    const { username, password } = logins[who]
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const { statusCode, payload } = await api.inject({ method: 'GET', url: `/v3${path}`, headers: { authorization } })
    expect(statusCode, `${path}: ${payload.slice(0, 300)}`).toBe(200)
    return JSON.parse(payload)
  }
  serviceIds = [...world.made.serviceIds.values()]
}, 240_000)

afterAll(async () => {
  await close()
  await world.drop()
})

async function all<Item>(path: string): Promise<Item[]> {
  const items: Item[] = []
  for (let offset = 0; offset < 100_000; offset += 1000) {
    const page = await get<Item[]>(`${path}&limit=1000&offset=${offset}`)
    items.push(...page)
    if (page.length < 1000) break
  }
  return items
}

function idOf(key: string): number {
  const id = world.made.serviceIds.get(key)
  if (id === undefined) throw new Error(`There is no ${key}.`)
  return id
}

describe('the month of the demo', () => {
  test('nothing waits for its first result', async () => {
    const services = await get<{ status: { summary: string } }[]>('/services?limit=100&embed=status')
    expect(services.map(({ status }) => status.summary).filter((summary) => summary === 'unknown')).toEqual([])
  })

  test('a day is packed, the last two are rows', async () => {
    const [{ packed, hot } = { packed: 0, hot: 0 }] = await world.database.query<{ packed: number; hot: number }>(sql`
      select (select count(distinct day) from packed_days)::int as packed,
        (select count(distinct analysis_id / 100 / 86400000) from analyses_hot)::int as hot`)
    expect([packed, hot]).toEqual([1, 2])
  })

  test('the sums are those that single checks make', async () => {
    for (const key of ['login', 'staging']) {
      const id = idOf(key)
      const checks = await all<Check>(
        `/services/${id}/history/checks?${range}&fields=analysis_id,sensor_id,result,response_time`,
      )
      expect(checks.length).toBeGreaterThan(500)
      const ok = checks.filter(({ result }) => result === 'ok')
      const timed = ok.flatMap(({ response_time: time }) => time ?? [])
      const [sums] = await world.database.query<Record<string, number>>(sql`
        select sum(ok_checks)::int as ok, sum(error_checks)::int as error, sum(response_time_sum)::int as time,
          min(response_time_minimum) as minimum, max(response_time_maximum) as maximum
        from hourly_performance where service_id = ${id}`)
      expect(sums).toEqual({
        ok: ok.length,
        error: checks.filter(({ result }) => result === 'error').length,
        time: timed.reduce((sum, time) => sum + time, 0),
        minimum: Math.min(...timed),
        maximum: Math.max(...timed),
      })
    }
  }, 60_000)

  test('status changes touch, and are the runs of verdicts of the analyses', async () => {
    for (const key of ['staging']) {
      const path = `/services/${idOf(key)}/history`
      const changes = await all<Change>(`${path}/status_changes?sort=start_time`)
      for (const [index, change] of changes.entries())
        expect(change.start_time).toBe(changes[index - 1]?.end_time ?? change.start_time)
      const analyses = await all<{ analysis_id: string; failure: boolean }>(
        `${path}/analyses?${range}&sort=time&fields=analysis_id,failure`,
      )
      const turns = analyses.filter(({ failure }, index) => analyses[index - 1]?.failure !== failure)
      const judged = changes.filter(({ status }) => status !== 'paused')
      const begun = new Set(judged.map(({ change_id }) => change_id))
      expect(turns.filter(({ analysis_id }) => !begun.has(`${analysis_id.slice(0, 13)}00`))).toEqual([])
      expect(judged.some(({ status }) => status === 'failure')).toBe(true)
    }
  }, 60_000)

  test('the service level adds up the status changes and the time before the first', async () => {
    for (const id of serviceIds) {
      const level = await get<Record<string, number>>(`/services/${id}/history/service_level?${range}`)
      const changes = await all<Change>(`/services/${id}/history/status_changes?sort=start_time`)
      const seconds = (status: string) =>
        changes.filter((one) => one.status === status).reduce((sum, { duration }) => sum + duration, 0)
      expect((level['ok'] ?? 0) + (level['failure'] ?? 0) + (level['paused'] ?? 0)).toBe(days * 86_400)
      // Each change is rounded to whole seconds by itself.
      expect(Math.abs((level['failure'] ?? 0) - seconds('failure'))).toBeLessThanOrEqual(changes.length)
      expect(Math.abs((level['ok'] ?? 0) - seconds('ok'))).toBeLessThanOrEqual(changes.length)
    }
  })

  test('a failure was told as it happened, in a mail and in the log', async () => {
    const log = await get<{ notification_condition_id: string; status: string; service_id: number }[]>(
      '/accounts/my_account/logs/notifications?limit=1000',
    )
    const ofShop = log.filter(({ service_id: id }) => id === idOf('home'))
    expect(ofShop.map((one) => one.notification_condition_id).sort()).toEqual([
      'failure',
      'failure',
      'recovery',
      'recovery',
    ])
    expect(log.every(({ status }) => status === 'sent')).toBe(true)
    expect(readdirSync(join(world.directory, 'outbox')).length).toBeGreaterThanOrEqual(log.length)
  })

  test('the basket is degraded, and its failures are told by the page on which it depends', async () => {
    const [basket] = await get<
      { parent_ids: number[]; status: { is_degraded: boolean; degraded_reasons: string[] } }[]
    >(`/services?id=${idOf('basket')}&embed=status`)
    expect(basket).toMatchObject({
      parent_ids: [idOf('home')],
      status: { is_degraded: true, degraded_reasons: ['slow'] },
    })
    const failures = await all<Change>(`/services/${idOf('basket')}/history/status_changes?status=failure`)
    expect(failures.length).toBeGreaterThan(0)
    const log = await get<{ service_id: number }[]>('/accounts/my_account/logs/notifications?limit=1000')
    expect(log.filter(({ service_id: id }) => id === idOf('basket'))).toEqual([])
  })

  test('a failure shows what the station saw, at the time when it saw it', async () => {
    const path = `/services/${idOf('home')}/history/analyses/last_failure_analysis/checks`
    const [check] = await get<{ sensor_id: number; time: string }[]>(`${path}?fields=sensor_id,time&limit=1`)
    const details = await get<{ response_headers: string; content_available: boolean }>(
      `${path}/${check?.sensor_id}/details`,
    )
    expect(details.content_available).toBe(true)
    const seenAt = Date.parse(/^Date: (.*)$/m.exec(details.response_headers)?.[1] ?? '')
    expect(Math.abs(seenAt - Date.parse(check?.time ?? ''))).toBeLessThanOrEqual(1000)
  })

  test('others see what is theirs: a shared group, and all without changing it', async () => {
    const names = async (who: 'agency' | 'tom') =>
      (await get<{ group: { name: string } }[]>('/services?limit=100&embed=group', who)).map(({ group }) => group.name)
    expect(new Set(await names('agency'))).toEqual(new Set(['Sklep internetowy']))
    expect((await names('tom')).length).toBe(serviceIds.length)
  })

  test('customers have a status page, the shop has a tag, and the office is told of money', async () => {
    const [page] = await get<{ id: number; slug: string }[]>('/status_pages')
    expect(page?.slug).toBe('zaglownia')
    const components = await get<{ name: string; service_id: number | null }[]>('/status_page_components?sort=position')
    expect(components.map(({ name }) => name)).toEqual(['Sklep internetowy', 'Strona główna', 'Koszyk', 'Płatności'])
    expect(components[1]?.service_id).toBe(idOf('home'))
    const tagged = await get<{ id: number }[]>('/services?tags=sklep&fields=id&sort=id')
    expect(tagged.map(({ id }) => id)).toEqual(['home', 'basket', 'payments'].map(idOf).toSorted((a, b) => a - b))
    const [money] = await get<{ contact_group_ids: number[] }[]>(
      `/tag_contacts?name=${encodeURIComponent('pieniądze')}`,
    )
    expect(money?.contact_group_ids).toHaveLength(1)
    expect(await get<unknown[]>('/contacts')).toHaveLength(3)
  })

  test('reports were made, the whole company among them', async () => {
    const reports = await get<{ name: string; status: string }[]>('/reports?limit=100&fields=name,status')
    expect(reports).toContainEqual({ name: 'Miesiąc w całej firmie', status: 'completed' })
    expect(reports.every(({ status }) => status === 'completed')).toBe(true)
  })
})

test('the backup reported every night, with its run times', async () => {
  const id = world.made.serviceIds.get('backup')
  const pings = await get<{ kind: string; run_time: number | null; body_size: number }[]>(`/services/${id}/pings`)
  const ended = pings.filter(({ kind }) => kind === 'success')
  expect(ended.length).toBeGreaterThan(0)
  expect(ended.every(({ run_time, body_size }) => (run_time ?? 0) >= 480_000 && body_size > 0)).toBe(true)
  const checks = await get<Check[]>(`/services/${id}/history/checks?${range}`)
  expect(checks.map(({ sensor_id, result }) => [sensor_id, result])).toEqual(ended.map(() => [null, 'ok']))
})

test('there is a service of every type where the stations can serve all', () => {
  const made = demoServices(['default', 'ipv6', 'mobile', 'webappcheck'], true).map(({ typeId }) => typeId)
  expect(new Set(made)).toEqual(new Set(serviceTypes.map(({ id }) => id)))
})

test('the same seed makes the same history', async () => {
  const histories = []
  for (let run = 0; run < 2; run++) {
    const { database, drop } = await demoWorld({ toAt, days: 0.2, keys }, 7)
    const [digest] = await database.query(sql`
      select count(*) as analyses, md5(string_agg(service_id || ':' || analysis_id || results::text || response_times::text || phases::text,
        ' ' order by service_id, analysis_id)) as digest from analyses_hot`)
    histories.push(digest)
    await drop()
  }
  expect(histories[0]).toEqual(histories[1])
}, 120_000)
