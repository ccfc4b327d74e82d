import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { claimReport, reportLease, saveProgress } from '../../src/database/reports/reports.ts'
import { phaseAdvanced } from '../../src/domain/reports/report-progress.ts'
import { startReporter } from '../../src/reports/start.ts'
import type { Render } from '../../src/reports/work.ts'
import type { ReportTelemetry } from '../../src/telemetry/port.ts'
import { patiently } from '../support/patience.ts'
import { emptyDocument, makeReports } from '../support/reports.ts'
import { type ReportWorld, reportWorld } from './world.ts'

const range = { from: '2026-11-09T23:00:00Z', to: '2026-11-12T23:00:00Z' }

let world: ReportWorld
beforeAll(async () => {
  world = await reportWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  await world.database.execute(sql`delete from reports`)
})

const hold = () => ({ now: world.clock.now(), heldBy: null })
const order = () => world.order({ requested_scope: { services: { all: true } } }, range)

async function stateOf(id: number) {
  const { body } = await world.call('alice', 'GET', `/reports/${id}`)
  const { generating_status, rendering_status, status, progress, error_message } = body as Record<string, unknown>
  return { generating_status, rendering_status, status, progress, error_message }
}

function reporter(render: Render) {
  const { database, clock } = world
  return startReporter({ database, clock, render, log: pino({ level: 'silent' }) })
}

/** A renderer that is under way until it is let go. */
function heldRender() {
  const seen: Buffer[] = []
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const render: Render = async (json, signal) => {
    seen.push(json)
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
    await Promise.race([held, aborted])
    return Buffer.from('%PDF-1.7')
  }
  return { seen, render, letGo: () => letGo() }
}

test('a report is at fifty percent, its data readable, while the document is made of these data alone', async () => {
  const id = await order()
  const { seen, render, letGo } = heldRender()
  const running = await reporter(render)
  await vi.waitUntil(() => seen.length === 1, patiently)
  const inProgress = { generating_status: 'completed', rendering_status: 'in_progress', status: 'in_progress' }
  expect(await stateOf(id)).toMatchObject({ ...inProgress, progress: 50 })
  expect(JSON.parse(String(seen[0]))).toEqual(await world.read(id))
  letGo()
  await running.drain()
  expect(await stateOf(id)).toMatchObject({ rendering_status: 'completed', status: 'completed', progress: 100 })
  await running.stop()
})

test('nobody takes a report between its phases for one that is made', async () => {
  const id = await order()
  let [foundNothing, letWork, letKnow] = [0, () => {}, () => {}]
  const working = new Promise<void>((resolve) => {
    letWork = resolve
  })
  const known = new Promise<void>((resolve) => {
    letKnow = resolve
  })
  /** A claim during another one's work learns only at the end of that phase that there was nothing. */
  const database: typeof world.database = {
    ...world.database,
    async query<Row>(...[statement, name]: Parameters<typeof world.database.query>) {
      const rows = await world.database.query<Row>(statement, name)
      if (rows.length > 0 || !statement.sql.includes('claim_no + 1')) return rows
      foundNothing += 1
      await known
      return rows
    },
  }
  const telemetry: ReportTelemetry = {
    async phase(_phase, work) {
      await working
      const outcome = await work()
      setImmediate(letKnow)
      return outcome
    },
  }
  const parts = { clock: world.clock, render: emptyDocument, log: pino({ level: 'silent' }) }
  const running = await startReporter({ ...parts, database, telemetry })
  const drained = running.drain()
  // The other turn of the process, and the one who waits until all is done.
  await vi.waitUntil(() => foundNothing === 2, patiently)
  letWork()
  await drained
  expect(await stateOf(id)).toMatchObject({ status: 'completed' })
  await running.stop()
})

test('several are made at once, each once, by however many processes', async () => {
  const ids: number[] = []
  for (let count = 0; count < 6; count += 1) ids.push(await order())
  let [rendered, letGo] = [0, () => {}]
  // The first waits for company: it would for ever if they came one after the other.
  const company = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const render: Render = async () => {
    rendered += 1
    if (rendered === 2) letGo()
    await company
    return Buffer.from('%PDF-1.7')
  }
  const reporters = await Promise.all([reporter(render), reporter(render)])
  await vi.waitUntil(
    async () => (await Promise.all(ids.map(stateOf))).every(({ status }) => status === 'completed'),
    patiently,
  )
  expect(rendered).toBe(6)
  await Promise.all(reporters.map((one) => one.stop()))
})

test('one whose process died is taken up when its lease has run out at the latest, and what the dead one still says does not count', async () => {
  const id = await order()
  const dead = await claimReport(world.database, hold())
  await makeReports(world)
  expect(await stateOf(id)).toMatchObject({ status: 'in_progress', progress: 0 })
  world.clock.advance(reportLease + 1)
  await makeReports(world)
  expect(await stateOf(id)).toMatchObject({ status: 'completed' })
  if (dead === null) throw new Error('There was nothing to claim.')
  expect(await saveProgress(world.database, dead, phaseAdvanced(dead, 1, 2), hold())).toBe(false)
  expect(await stateOf(id)).toMatchObject({ status: 'completed', progress: 100 })
})

test('one that kills whoever works on it is given up, and says why', async () => {
  const id = await order()
  for (let death = 1; death <= 5; death += 1) {
    expect(await claimReport(world.database, hold())).toMatchObject({ id })
    world.clock.advance(reportLease + 1)
  }
  await makeReports(world)
  expect(await stateOf(id)).toMatchObject({ status: 'failed', error_message: expect.stringContaining('przerwano') })
})

test('one that covers more than one document can show fails at once, and says what to do', async () => {
  const id = await world.order({ requested_scope: { groups: { all: true } } }, range)
  const added = await world.database.query<{ id: number }>(sql`
    insert into groups (owner_id, name, assigned_sensor_ids)
    select owner_id, name || number, assigned_sensor_ids from groups, generate_series(1, 10000) as number
    where id = ${world.groupId} returning id`)
  await makeReports(world)
  expect(await stateOf(id)).toMatchObject({ status: 'failed', error_message: expect.stringContaining('ponad 10000') })
  await world.database.execute(sql`delete from groups where id = any(${added.map((group) => group.id)}::int[])`)
})

test('a reporter that stops gives back what it works on; another one goes on at once', async () => {
  const id = await order()
  const { seen, render } = heldRender()
  const stopped = await reporter(render)
  await vi.waitUntil(() => seen.length === 1, patiently)
  await stopped.stop()
  expect(await stateOf(id)).toMatchObject({ status: 'in_progress', progress: 50 })
  await makeReports(world)
  expect(await stateOf(id)).toMatchObject({ status: 'completed', error_message: null })
})

test('a failing one does not hold up the next', async () => {
  const [first, second] = [await order(), await order()]
  let isFirst = true
  await makeReports(world, async (json, signal) => {
    if (isFirst) {
      isFirst = false
      throw new Error('no paper')
    }
    return emptyDocument(json, signal)
  })
  expect([(await stateOf(first)).status, (await stateOf(second)).status].toSorted()).toEqual(['completed', 'failed'])
})

test('accounts take turns: two hundred reports of one delay that of another by one turn', async () => {
  const first = await order()
  await world.database.execute(sql`
    insert into reports select (jsonb_populate_record(r, jsonb_build_object('id', r.id + n, 'owner_id', r.owner_id + (n = 200)::int))).*
    from reports r, generate_series(1, 200) n where r.id = ${first}`)
  const owners: number[] = []
  for (let turn = 0; turn < 4; turn += 1) owners.push((await claimReport(world.database, hold()))?.owner_id ?? 0)
  const [mine = 0] = owners
  expect(owners).toEqual([mine, mine + 1, mine, mine])
})
