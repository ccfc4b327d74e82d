import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { type FarCore, farCore, type RawStation, readyStation } from '../support/far-core.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

/** Everything that a station is ever sent, beside everything that is not its business. */
let world: MonitoringWorld
let core: FarCore
let monitoring: Monitoring
const seen = new Map<number, string[]>()

beforeAll(async () => {
  world = await monitoringWorld()
  core = await farCore({ clock: world.clock })
  monitoring = await world.start({ stations: core.stations })
})
afterAll(async () => {
  await monitoring.stop()
  await core.stop()
  await world.drop()
})

/** Answers each job with a failure, so that people are told of it. */
async function connect(sensorId: number): Promise<RawStation> {
  const station = await readyStation(core, sensorId)
  const frames: string[] = []
  seen.set(sensorId, frames)
  station.socket.on('message', (data) => {
    frames.push(data.toString())
    const frame = JSON.parse(data.toString()) as { kind: string; jobs?: { id: string; start_at: number }[] }
    if (frame.kind !== 'jobs') return
    const failure = { result: 'error', error_type_id: 2001, error_message: 'refused' }
    const results = frame.jobs?.map(({ id, start_at: started_at }) => ({ id, started_at, ...failure }))
    station.send({ kind: 'results', results })
  })
  return station
}

type Job = Readonly<Record<string, unknown>>

function jobsSeenBy(sensorId: number): Job[] {
  const frames = (seen.get(sensorId) ?? []).map((text) => JSON.parse(text) as { kind: string; jobs?: Job[] })
  return frames.flatMap(({ kind, jobs }) => (kind === 'jobs' ? (jobs ?? []) : []))
}

test('a station is sent its own jobs and nothing of people; secrets are in the jobs that need them alone', async () => {
  const [first, second, third] = world.sensorIds
  const stations = await Promise.all([first, second, third].map(connect))
  await world.database.execute(sql`
    update accounts set username = 'alice-the-owner', name = 'Alice Owner', password_hash = 'hash-of-alice'`)
  await world.database.execute(sql`
    insert into user_data (id, email_address, phone_number) select id, 'alice@private.example', '+48600700800' from accounts`)
  await world.database.execute(sql`update groups set name = 'Household of Alice'`)
  const settings = { username: 'shop-reader', password: 'shop-password' }
  const common = await world.addService({ settings, sensorIds: [first, second], channelIds: ['email', 'sms'] })
  const own = await world.addService({ settings: { password: 'third-password' }, sensorIds: [third] })
  await world.database.execute(sql`update services set description = 'described by Alice'`)
  await world.pass(monitoring, 200)
  for (const { socket } of stations) socket.terminate()

  const told = await world.database.query(sql`select address from notification_intents`)
  expect(told).toContainEqual({ address: 'alice@shop.example' })

  expect(jobsSeenBy(first).length).toBeGreaterThan(2)
  for (const [sensorId, serviceIds] of [
    [first, [common]],
    [second, [common]],
    [third, [own]],
  ] as const) {
    const jobs = jobsSeenBy(sensorId)
    expect(new Set(jobs.map((job) => job['service_id']))).toEqual(new Set(serviceIds))
    const members = new Set(jobs.flatMap((job) => Object.keys(job)))
    const known = ['id', 'service_id', 'type_id', 'address', 'settings', 'start_at', 'deadline_at', 'owner_key']
    expect(members).toEqual(new Set(known))
    // A digest with a key of the core's own: it tells one account's jobs from another's, and no number of an account.
    for (const job of jobs) expect(job['owner_key']).toMatch(/^[\w-]{16}$/)
    const whole = (seen.get(sensorId) ?? []).join('\n')
    for (const foreign of ['lice', 'private.example', '+48', 'hash-of', 'Household', 'described'])
      expect(whole).not.toContain(foreign)
    const isCommon = sensorId !== third
    expect([whole.includes('shop-password'), whole.includes('third-password')]).toEqual([isCommon, !isCommon])
    const others = (seen.get(sensorId) ?? []).filter((text) => !text.startsWith('{"kind":"jobs"'))
    expect(others.filter((text) => text.includes('password'))).toEqual([])
    expect(new Set(others.map((text) => (JSON.parse(text) as { kind: string }).kind))).toEqual(new Set(['acknowledge']))
  }
})
