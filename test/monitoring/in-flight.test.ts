import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Monitoring, startMonitoring } from '../../src/monitoring/start.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { type Answer, type FakeStations, fakeStations } from '../support/fake-stations.ts'
import { changesOf, planOf, statusOf } from '../support/monitoring.ts'
import type { Person } from '../support/people.ts'

/** A user's changes in every phase of a running round: no verdict is wrong or lost, and nothing is left over. */
let world: ApiWorld
let monitoring: Monitoring
let stations: FakeStations
const faults: unknown[] = []
const fault = (facts: unknown) => void faults.push(facts)

/** Resolves what waits for the disk. */
let letPagesBeKept = () => {}
let isKeeping = Promise.resolve()

beforeAll(async () => {
  world = await apiWorld()
  stations = fakeStations()
  stations.connect(...world.people.sensorIds)
  monitoring = await startProcess(true)
})
afterAll(async () => {
  await monitoring.stop()
  await world.drop()
})
beforeEach(() => {
  faults.length = 0
  stations.jobs.length = 0
  isKeeping = Promise.resolve()
})

/** One that is not driven by hand goes on by itself as the virtual time passes. */
function startProcess(manual: boolean): Promise<Monitoring> {
  return startMonitoring({
    ...{ database: world.database, stations, clock: world.clock, timers: world.clock, manual },
    log: { info: () => {}, warn: fault, error: fault },
    keepArtifact: () => isKeeping.then(() => null),
    retentionDays: 400,
    pruneArtifacts: async () => 0,
  })
}

async function api(person: Person, method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<number> {
  const reply = await world.call(person, method, path, body)
  expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300)
  return Number((reply.body as { id?: number } | undefined)?.id)
}

interface Place {
  readonly id: number
  readonly groupId: number
  /** Another group of the same owner. */
  readonly otherGroupId: number
}

async function makeGroup(name: string): Promise<number> {
  const groupId = await api('alice', 'POST', '/groups', { name })
  const address = { group_id: groupId, notification_channel_id: 'email', address: `${name}@example.com` }
  await api('alice', 'POST', '/notification_addresses', address)
  return groupId
}

async function makeService(): Promise<Place> {
  const [groupId, otherGroupId] = [await makeGroup('here'), await makeGroup('there')]
  const service = { name: 'Shop', type_id: 'http', address: 'old.example', interval: 60, group_id: groupId }
  const id = await api('alice', 'POST', '/services', service)
  await monitoring.drain()
  return { id, groupId, otherGroupId }
}

interface Change {
  readonly name: string
  readonly act: (place: Place) => Promise<unknown>
  /** The expected end of the service. */
  readonly end: 'ok' | 'paused' | 'gone'
  /** Whether the verdict of the round under way is the service's. */
  readonly counts: boolean
}

const put = (body: object) => (place: Place) => api('alice', 'PUT', `/services/${place.id}`, body)
const post = (action: string) => (place: Place) => api('alice', 'POST', `/services/${place.id}/${action}`)
const blocking = (action: string) => () => api('dora', 'POST', `/admin/accounts/${world.people.ids.alice}/${action}`)

function inTurn(...acts: readonly ((place: Place) => Promise<unknown>)[]) {
  return async (place: Place) => {
    for (const act of acts) await act(place)
  }
}

async function suspend({ id }: Place): Promise<number> {
  const endTime = new Date(world.clock.now() + 3_600_000).toISOString().replace(/\.\d+/, '')
  return api('alice', 'POST', '/suspensions', { service_id: id, end_time: endTime })
}

const changes: readonly Change[] = [
  { name: 'nothing', act: async () => {}, end: 'ok', counts: true },
  { name: 'another name', act: put({ name: 'Store' }), end: 'ok', counts: true },
  { name: 'another interval', act: put({ interval: 300 }), end: 'ok', counts: true },
  { name: 'a shorter interval', act: put({ interval: 10 }), end: 'ok', counts: true },
  { name: 'another address', act: put({ address: 'new.example' }), end: 'ok', counts: false },
  { name: 'another time limit', act: put({ extended_settings: { timeout: 5000 } }), end: 'ok', counts: false },
  { name: 'another tolerance', act: put({ extended_settings: { error_tolerance: 100 } }), end: 'ok', counts: false },
  { name: 'no failover', act: put({ extended_settings: { sensors_failover: false } }), end: 'ok', counts: true },
  {
    name: 'no sped-up checks',
    act: put({ extended_settings: { disable_breakdown_checks: true } }),
    end: 'ok',
    counts: true,
  },
  { name: 'other conditions', act: put({ notification_condition_ids: ['failure'] }), end: 'ok', counts: true },
  {
    name: 'its own sensor',
    act: (place) => put({ sensor_ids: world.people.sensorIds.slice(0, 1) })(place),
    end: 'ok',
    counts: true,
  },
  {
    name: 'another group',
    act: (place) => put({ group_id: place.otherGroupId })(place),
    end: 'ok',
    counts: true,
  },
  {
    name: 'other sensors of the group',
    act: ({ groupId }) =>
      api('alice', 'PUT', `/groups/${groupId}`, {
        assigned_sensor_ids: { default: world.people.sensorIds.slice(0, 1) },
      }),
    end: 'ok',
    counts: true,
  },
  { name: 'a request', act: post('force_analysis'), end: 'ok', counts: true },
  { name: 'pausing', act: put({ is_active: false }), end: 'paused', counts: false },
  {
    name: 'pausing and resuming',
    act: inTurn(put({ is_active: false }), put({ is_active: true })),
    end: 'ok',
    counts: false,
  },
  { name: 'archiving', act: post('archive'), end: 'paused', counts: false },
  { name: 'archiving and restoring', act: inTurn(post('archive'), post('restore')), end: 'paused', counts: false },
  {
    name: 'archiving, restoring and resuming',
    act: inTurn(post('archive'), post('restore'), put({ is_active: true })),
    end: 'ok',
    counts: false,
  },
  { name: 'a suspension', act: suspend, end: 'paused', counts: false },
  {
    name: 'a suspension that is taken back',
    act: async (place) => api('alice', 'DELETE', `/suspensions/${await suspend(place)}`),
    end: 'ok',
    counts: false,
  },
  { name: 'blocking', act: blocking('block'), end: 'paused', counts: false },
  { name: 'blocking and unblocking', act: inTurn(blocking('block'), blocking('unblock')), end: 'ok', counts: false },
  { name: 'deleting', act: ({ id }) => api('alice', 'DELETE', `/services/${id}`), end: 'gone', counts: false },
  {
    name: 'deleting its group',
    act: ({ groupId }) => api('alice', 'DELETE', `/groups/${groupId}`),
    end: 'gone',
    counts: false,
  },
]

const page = {
  ...{ base_url: 'http://old.example/', ip_address: null, status_code: 500, response_headers: null },
  ...{ content_type: 'text/plain', file_name: 'index.txt', facts: {} },
  artifacts: [{ typeId: 'content' as const, contentType: 'text/plain', bytes: new TextEncoder().encode('Oops') }],
}
const failing: Answer = { result: 'error', evidence: page }
const slowFirst = (job: CheckJob): Answer => (job.sensorId === world.people.sensorIds[0] ? 'silent' : failing)

type Phase = (change: () => Promise<unknown>) => Promise<void>

/** Each starts a round that fails, does the change in its phase, lets the target work again and the round end. */
const phases: Readonly<Record<string, Phase>> = {
  async 'while the stations are asked'(change) {
    stations.answer = slowFirst
    const draining = monitoring.drain()
    await stations.asked(2)
    await change()
    stations.answer = () => 'ok'
    world.clock.advance(10_000)
    await draining
  },
  async 'between verdict and record'(change) {
    stations.answer = () => failing
    isKeeping = new Promise((resolve) => {
      letPagesBeKept = resolve
    })
    const draining = monitoring.drain()
    await stations.asked(2)
    await change()
    stations.answer = () => 'ok'
    letPagesBeKept()
    await draining
  },
}

const atOnce: Phase = async (change) => {
  stations.answer = slowFirst
  const draining = monitoring.drain()
  await stations.asked(2)
  stations.answer = () => 'ok'
  // The two quick stations answer before the deadline.
  await new Promise(setImmediate)
  world.clock.advance(10_000)
  await Promise.all([change(), draining])
}

async function passOneInterval(id: number): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const { due_at: dueAt } = await planOf(world.database, id)
    if (dueAt === Number.POSITIVE_INFINITY || dueAt > world.clock.now() + 61_000) return
    world.clock.advanceTo(dueAt)
    await monitoring.drain()
  }
}

/** The expectations after every change in every phase. */
async function expectTidy(id: number, end: Change['end']): Promise<void> {
  expect(faults).toEqual([])
  const orphans = await world.database.query(sql`
    select service_id from schedule where service_id not in (select id from services)
    union all select service_id from service_statuses where service_id not in (select id from services)
    union all select service_id from held_failures where service_id not in (select id from services)
    union all select service_id from analyses_hot where service_id not in
      (select id from services union all select service_id from removed_services)
    union all select service_id from notification_intents where status = 'pending' and service_id not in (select id from services)`)
  expect(orphans).toEqual([])
  if (end === 'gone') return
  const history = await changesOf(world.database, id)
  for (const [index, change] of history.entries()) {
    expect(change.end_time).toBe(history[index + 1]?.start_time ?? null)
    expect(change.status).not.toBe(history[index + 1]?.status)
  }
  expect(await statusOf(world.database, id)).toMatchObject({ state: end })
  expect(history.at(-1)?.status).toBe(end)
  const { due_at: dueAt } = await planOf(world.database, id)
  expect(Number.isFinite(dueAt)).toBe(end === 'ok')
}

async function failuresOf(id: number): Promise<{ states: number; notices: number }> {
  const told = await world.database.query(sql`
    select from notification_intents where service_id = ${id} and notification_condition_id = 'failure'`)
  const states = (await changesOf(world.database, id)).filter(({ status }) => status === 'failure').length
  return { states, notices: told.length }
}

async function run(phase: Phase, { act, end }: Change): Promise<Place> {
  stations.answer = () => 'ok'
  const place = await makeService()
  world.clock.advanceTo((await planOf(world.database, place.id)).due_at)
  stations.jobs.length = 0
  await phase(() => act(place))
  if (end !== 'gone') await passOneInterval(place.id)
  return place
}

/** Removes the traces of a change, so that they do not affect the next one. */
async function cleanUp({ groupId, otherGroupId }: Place): Promise<void> {
  await world.call('dora', 'POST', `/admin/accounts/${world.people.ids.alice}/unblock`)
  for (const id of [groupId, otherGroupId]) await world.call('alice', 'DELETE', `/groups/${id}`)
}

for (const [name, phase] of Object.entries(phases)) {
  test.each(changes)(`${name}: $name`, async (change) => {
    const place = await run(phase, change)
    await expectTidy(place.id, change.end)
    const expected = change.counts ? 1 : 0
    if (change.end !== 'gone') expect(await failuresOf(place.id)).toEqual({ states: expected, notices: expected })
    await cleanUp(place)
  })
}

test.each(changes)('at the very moment of the record: $name', async (change) => {
  const place = await run(atOnce, change)
  await expectTidy(place.id, change.end)
  if (change.end !== 'gone') {
    // Whichever comes first holds; either way the failure is told as often as it stands in the history.
    const { states, notices } = await failuresOf(place.id)
    expect(notices).toBe(states)
    expect(states).toBeLessThanOrEqual(1)
    if (change.counts) expect(states).toBe(1)
  }
  await cleanUp(place)
})

test('a round that starts anew asks by the new address and settings, and by them alone', async () => {
  const place = await makeService()
  world.clock.advanceTo((await planOf(world.database, place.id)).due_at)
  stations.jobs.length = 0
  stations.answer = slowFirst
  const draining = monitoring.drain()
  await stations.asked(2)
  await put({ address: 'new.example', extended_settings: { timeout: 4000 } })(place)
  stations.answer = () => 'ok'
  const asked = stations.jobs.length
  world.clock.advance(10_000)
  await draining
  const later = stations.jobs.slice(asked)
  expect(later.length).toBeGreaterThan(0)
  for (const job of later) expect(job).toMatchObject({ address: 'new.example', settings: { timeout: 4000 } })
  await cleanUp(place)
})

test('a round that is in line when the address changes starts anew too', async () => {
  const place = await makeService()
  stations.answer = ({ address }) => (address === 'old.example' ? 'error' : 'ok')
  const { due_at: dueAt } = await planOf(world.database, place.id)
  world.clock.advanceTo(dueAt - 900)
  const process = await startProcess(false)
  const isLeased = sql`select from schedule where service_id = ${place.id} and leased_until is not null`
  await expect.poll(() => world.database.query(isLeased)).toHaveLength(1)
  stations.jobs.length = 0
  await put({ address: 'new.example' })(place)
  const analysed = async () => {
    world.clock.advance(50)
    return (await world.database.query(sql`select from analyses_hot where service_id = ${place.id}`)).length
  }
  await expect.poll(analysed).toBe(2)
  await process.stop()
  expect(stations.jobs.map(({ address }) => address)).toContain('new.example')
  expect(await failuresOf(place.id)).toEqual({ states: 0, notices: 0 })
  await expectTidy(place.id, 'ok')
  await cleanUp(place)
})

test('a service that was moved during its round tells the group where it is now', async () => {
  const change = changes.find(({ name }) => name === 'another group')
  if (change === undefined) throw new Error('There is no such change.')
  const place = await run(phases['between verdict and record'] ?? atOnce, change)
  const told = await world.database.query(sql`
    select address from notification_intents where service_id = ${place.id} and notification_condition_id = 'failure'`)
  expect(told).toEqual([{ address: 'there@example.com' }])
  await cleanUp(place)
})
