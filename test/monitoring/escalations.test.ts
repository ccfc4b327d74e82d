import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { removeServices } from '../../src/service-state/services.ts'
import { resumeMonitoring, stopMonitoring } from '../../src/service-state/stops.ts'
import { escalating, step } from '../support/escalating.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'
import { planOnce } from '../support/planned.ts'

let world: MonitoringWorld
let monitoring: Monitoring
let duty: ReturnType<typeof escalating>

beforeAll(async () => {
  world = await monitoringWorld()
  duty = escalating(world)
})
beforeEach(async () => {
  // A Saturday, 10:00 in Warsaw.
  world.clock.step(Date.UTC(2026, 10, 21, 9) - world.clock.now())
  monitoring = await world.start()
})
afterEach(async () => {
  await monitoring.stop()
  await world.clear()
  await duty.clear()
})
afterAll(() => world.drop())

const minute = 60_000

/** The service answers so for so many minutes. */
async function answers(answer: 'ok' | 'error', minutes: number): Promise<void> {
  world.stations.answer = () => answer
  await duty.passUntil(monitoring, world.clock.now() + minutes * minute)
}

/** A service that fails from now on; it was checked once before. */
async function failing(
  escalationId: number,
  options: { readonly conditionIds?: readonly string[]; readonly modeId?: string } = {},
): Promise<{ readonly id: number; readonly from: number }> {
  const id = await world.addService(options)
  await duty.give(id, escalationId)
  await answers('ok', 1)
  await answers('error', 1)
  return { id, from: await failedAt(id) }
}

async function failedAt(id: number): Promise<number> {
  const [row] = await world.database.query<{ started_at: number }>(sql`
    select started_at from escalation_statuses where service_id = ${id} order by change_id desc limit 1`)
  return row?.started_at ?? 0
}

/** `who step.repeat at minutes` since the failure was told; recoveries are named. */
async function toldSince({ id, from }: { readonly id: number; readonly from: number }): Promise<string[]> {
  return (await duty.told(id)).map(({ address, facts, notification_condition_id: condition, created_at }) => {
    const { escalation } = facts
    const which = escalation === undefined ? condition : `${escalation.step}.${escalation.repeat}`
    return `${address} ${which} ${(created_at - from) / minute}`
  })
}

async function twoSteps() {
  const [anna, jan] = [await duty.contact('anna'), await duty.contact('jan')]
  const escalationId = await duty.escalation([
    step({ contact_ids: [anna], repeat_seconds: 240 }),
    step({ contact_ids: [jan], delay_seconds: 600 }),
  ])
  return { anna, jan, escalationId }
}

test('steps are told at their moments, and the recovery to all who were told', async () => {
  const { escalationId } = await twoSteps()
  const service = await failing(escalationId)
  await answers('error', 20)
  expect(await toldSince(service)).toEqual([
    'anna@email 1.0 0',
    'anna@email 1.1 4',
    'anna@email 1.2 8',
    'jan@email 2.0 10',
  ])
  expect(await duty.statuses(service.id)).toMatchObject([{ state: 'running', step: 2, next_at: null }])
  await answers('ok', 2)
  expect((await toldSince(service)).slice(4).map((line) => line.replace(/ [\d.]+$/, ''))).toEqual([
    'anna@email recovery',
    'jan@email recovery',
  ])
  expect(await duty.statuses(service.id)).toMatchObject([{ state: 'over', next_at: null }])
})

test('the messages say which step it is, and what fails since when', async () => {
  const { escalationId } = await twoSteps()
  const { id, from } = await failing(escalationId)
  await answers('error', 11)
  const [first, , , last] = await duty.told(id)
  expect(first).toMatchObject({
    notification_condition_id: 'failure',
    event_id: expect.stringMatching(/^escalation:\d+:1:0$/),
  })
  expect(first?.facts).toMatchObject({ condition: 'failure', decidedAt: from, durationSeconds: 0 })
  expect(last?.facts).toMatchObject({
    escalation: { id: escalationId, name: 'Nights', step: 2, steps: 2, repeat: 0 },
    decidedAt: from + 10 * minute,
    durationSeconds: 600,
    change: { endedAt: null },
  })
  expect(last?.facts.checks).toHaveLength(3)
})

test('who was not told yet is not told of the recovery; one that ends before its first step tells nobody', async () => {
  const { escalationId, anna } = await twoSteps()
  const service = await failing(escalationId)
  await answers('error', 5)
  await answers('ok', 2)
  expect((await toldSince(service)).filter((line) => line.includes('jan'))).toEqual([])
  const late = await duty.escalation([step({ contact_ids: [anna], delay_seconds: 600 })])
  const other = await failing(late)
  await answers('ok', 30)
  expect(await toldSince(other)).toEqual([])
})

describe('an acknowledgement', () => {
  test('stops the steps; taken back, what became due meanwhile is told at once', async () => {
    const { escalationId } = await twoSteps()
    const service = await failing(escalationId)
    await answers('error', 5)
    const [{ change_id: changeId } = { change_id: 0 }] = await duty.statuses(service.id)
    await duty.acknowledge(service.id, changeId)
    await answers('error', 60)
    expect(await toldSince(service)).toEqual(['anna@email 1.0 0', 'anna@email 1.1 4'])
    expect(await duty.statuses(service.id)).toMatchObject([{ state: 'acknowledged', next_at: null }])
    await duty.unacknowledge(service.id, changeId)
    const at = (world.clock.now() - service.from) / minute
    await answers('error', 5)
    expect((await toldSince(service)).slice(2, 3)).toEqual([`jan@email 2.0 ${at}`])
  })

  test('does not keep the recovery from those who were told', async () => {
    const { escalationId } = await twoSteps()
    const service = await failing(escalationId)
    const [{ change_id: changeId } = { change_id: 0 }] = await duty.statuses(service.id)
    await duty.acknowledge(service.id, changeId)
    await answers('ok', 2)
    expect((await duty.told(service.id)).map((row) => row.notification_condition_id)).toEqual(['failure', 'recovery'])
    expect(await duty.statuses(service.id)).toMatchObject([{ state: 'over' }])
  })

  test('of one failure is none of the next', async () => {
    const { escalationId } = await twoSteps()
    const service = await failing(escalationId)
    const [{ change_id: changeId } = { change_id: 0 }] = await duty.statuses(service.id)
    await duty.acknowledge(service.id, changeId)
    await answers('ok', 2)
    await answers('error', 2)
    expect(await duty.statuses(service.id)).toMatchObject([{ state: 'over' }, { state: 'running', step: 1 }])
  })
})

describe('an escalation is over', () => {
  test('when the service is stopped; its next failure begins another', async () => {
    const { escalationId } = await twoSteps()
    const { id } = await failing(escalationId)
    await world.database.transaction((transaction) => stopMonitoring(transaction, id, 'user', world.clock.now()))
    await answers('error', 30)
    expect(await duty.statuses(id)).toMatchObject([{ state: 'over' }])
    expect(await duty.told(id)).toHaveLength(1)
    await world.database.transaction((transaction) => resumeMonitoring(transaction, id, world.clock.now()))
    await answers('error', 2)
    expect(await duty.statuses(id)).toMatchObject([{ state: 'over' }, { state: 'running' }])
  })

  test('when the service is deleted', async () => {
    const { escalationId } = await twoSteps()
    const { id } = await failing(escalationId)
    await world.database.transaction((transaction) => removeServices(transaction, [id]))
    await answers('error', 30)
    expect(await duty.statuses(id)).toEqual([])
  })
})

describe('which escalation', () => {
  test('that of the group, unless the service has one', async () => {
    const [anna, jan] = [await duty.contact('anna'), await duty.contact('jan')]
    const ofGroup = await duty.escalation([step({ contact_ids: [anna] })])
    const own = await duty.escalation([step({ contact_ids: [jan] })])
    await world.database.execute(sql`update groups set escalation_id = ${ofGroup} where id = ${world.groupId}`)
    const [plain, special] = [await world.addService(), await world.addService()]
    await duty.give(special, own)
    await answers('ok', 1)
    await answers('error', 1)
    expect((await duty.told(plain)).map(({ contact_id }) => contact_id)).toEqual([anna])
    expect((await duty.told(special)).map(({ contact_id }) => contact_id)).toEqual([jan])
  })

  test('none: nothing begins', async () => {
    const id = await world.addService()
    await answers('error', 5)
    expect(await duty.statuses(id)).toEqual([])
  })

  test('whatever the service tells otherwise; then its recovery goes to the contacts alone', async () => {
    const { escalationId } = await twoSteps()
    const service = await failing(escalationId, { conditionIds: ['recovery'] })
    await answers('ok', 2)
    expect((await toldSince(service)).map((line) => line.replace(/ [\d.]+$/, ''))).toEqual([
      'anna@email 1.0',
      'anna@email recovery',
    ])
    const all = await world.database.query(sql`select from notification_intents where service_id = ${service.id}`)
    expect(all).toHaveLength(2)
  })

  test('delays count from when the mode of the service tells the failure', async () => {
    const { escalationId } = await twoSteps()
    const service = await failing(escalationId, { modeId: 'after_10_minutes_failure' })
    expect(await duty.told(service.id)).toEqual([])
    await answers('error', 21)
    const { from } = { from: await failedAt(service.id) }
    expect((await toldSince({ id: service.id, from })).at(-1)).toBe('jan@email 2.0 10')
  })
})

describe('whom a step tells', () => {
  test('whoever is on duty at its moment, members of groups, each once, by the channels of the step', async () => {
    const anna = await duty.contact('anna', ['email', 'sms'])
    const [jan, ewa] = [await duty.contact('jan'), await duty.contact('ewa')]
    // Handed over from Anna to Jan at 10:05 of this day, between the first telling and the second.
    const rotation = await duty.rotation([jan, anna], '10:05')
    const group = await duty.contactGroup([anna, ewa])
    const both = { contact_ids: [anna], contact_group_ids: [group] }
    const escalationId = await duty.escalation([
      step({ rotation_ids: [rotation], repeat_seconds: 600 }),
      step({ ...both, rotation_ids: [rotation], channel_ids: ['sms'], delay_seconds: 900 }),
    ])
    const service = await failing(escalationId)
    await answers('error', 16)
    expect((await toldSince(service)).toSorted()).toEqual([
      'anna@email 1.0 0',
      'anna@sms 1.0 0',
      'anna@sms 2.0 15',
      'jan@email 1.1 10',
    ])
  })

  test('nobody who is suspended; the next step comes all the same', async () => {
    const { escalationId, anna } = await twoSteps()
    await world.database.execute(sql`
      insert into contact_suspensions (contact_id, start_time, end_time)
      values (${anna}, ${new Date(world.clock.now())}, ${new Date(world.clock.now() + 86_400_000)})`)
    const service = await failing(escalationId)
    await answers('error', 20)
    expect(await toldSince(service)).toEqual(['jan@email 2.0 10'])
  })
})

describe('steps wait', () => {
  test('for the end of quiet hours that begin while a failure lasts', async () => {
    const { escalationId } = await twoSteps()
    const service = await failing(escalationId)
    await answers('error', 2)
    const to = service.from + 15 * minute
    await planOnce(world, service.id, { from: world.clock.now(), to, onlyNotifications: true })
    await answers('error', 10)
    expect(await toldSince(service)).toEqual(['anna@email 1.0 0'])
    expect(await duty.statuses(service.id)).toMatchObject([{ state: 'running', next_at: Number.POSITIVE_INFINITY }])
    await answers('error', 10)
    expect((await toldSince(service)).slice(1, 2)).toEqual(['jan@email 2.0 15'])
  })

  test('a failure of quiet hours begins its escalation when they end, if it lasts', async () => {
    const { escalationId } = await twoSteps()
    const id = await world.addService({ conditionIds: ['failure', 'silent_failure', 'recovery'] })
    await duty.give(id, escalationId)
    await answers('ok', 1)
    const to = world.clock.now() + 20 * minute
    await planOnce(world, id, { from: world.clock.now(), to, onlyNotifications: true })
    await answers('error', 15)
    expect(await duty.statuses(id)).toEqual([])
    await answers('error', 7)
    expect(await toldSince({ id, from: to })).toEqual(['anna@email 1.0 0'])
  })

  test('one that ended before the end of quiet hours begins none', async () => {
    const { escalationId } = await twoSteps()
    const id = await world.addService({ conditionIds: ['failure', 'silent_failure', 'recovery'] })
    await duty.give(id, escalationId)
    await answers('ok', 1)
    const to = world.clock.now() + 20 * minute
    await planOnce(world, id, { from: world.clock.now(), to, onlyNotifications: true })
    await answers('error', 5)
    await answers('ok', 20)
    expect(await duty.statuses(id)).toEqual([])
  })

  test('for the end of a suspension of the escalation', async () => {
    const { escalationId } = await twoSteps()
    const to = world.clock.now() + 30 * minute
    await world.database.execute(sql`
      insert into escalation_suspensions (escalation_id, start_time, end_time)
      values (${escalationId}, ${new Date(world.clock.now())}, ${new Date(to)})`)
    const service = await failing(escalationId)
    await answers('error', 20)
    expect(await toldSince(service)).toEqual([])
    expect(await duty.statuses(service.id)).toMatchObject([{ state: 'running', step: 0, next_at: to }])
    await answers('error', 17)
    const first = (to - service.from) / minute
    expect(await toldSince(service)).toEqual([
      `anna@email 1.0 ${first}`,
      `anna@email 1.1 ${first + 4}`,
      `anna@email 1.2 ${first + 8}`,
    ])
  })
})
