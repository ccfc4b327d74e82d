import { afterEach, expect, test } from 'vitest'
import { createCpuBudget } from '../../src/rest/cpu-budget.ts'
import type { Counted } from '../../src/rest/rate-limit.ts'
import { type ApiWorld, type ApiWorldOptions, apiWorld, type Reply } from '../support/api.ts'
import { pointersOf } from '../support/refused.ts'

let world: ApiWorld | null = null
afterEach(async () => {
  await world?.drop()
  world = null
})

/** A world in which the test says how long each turn of the loop takes, and what time it is. */
async function timedWorld(options: ApiWorldOptions = {}) {
  const time = { turnMs: 0, now: 0, turns: 0 }
  const made = await apiWorld({
    cpu: {
      limits: { anonymous: 5, account: 20 },
      now: () => time.now,
      pause: async () => undefined,
      stopwatch: () => () => {
        time.turns += 1
        return time.turnMs
      },
    },
    ...options,
  })
  world = made
  return { time, call: made.call, people: made.people }
}

function refusal(reply: Reply) {
  return [reply.status, pointersOf(reply), reply.headers['retry-after']]
}

test('an account that has used its time waits for some of it, and nobody else does', async () => {
  const { time, call } = await timedWorld()
  time.turnMs = 20_300
  expect((await call('alice', 'POST', '/services/search', { filters: { a: 1 } })).status).toBe(422)
  time.turnMs = 0
  expect(refusal(await call('alice', 'GET', '/groups'))).toEqual([429, ['processing_time_used_up'], '1'])
  expect((await call('bob', 'GET', '/groups')).status).toBe(200)
  expect((await call(null, 'GET', '/sensors')).status).toBe(200)
  time.now = 850
  expect((await call('alice', 'GET', '/groups')).status).toBe(429)
  time.now = 901
  expect((await call('alice', 'GET', '/groups')).status).toBe(200)
})

test('a stranger is counted by the address, from what it sends to what it is told', async () => {
  const { time, call } = await timedWorld()
  time.turnMs = 5000
  expect((await call(null, 'POST', '/sensors/search', { filters: { a: 1 } })).status).toBe(422)
  expect(refusal(await call(null, 'GET', '/sensors'))).toEqual([429, ['processing_time_used_up'], '1'])
  time.turnMs = 0
  expect((await call('alice', 'GET', '/sensors')).status).toBe(200)
})

test('work after each answer of the database counts too, and all of it is paid back', async () => {
  const { time, call } = await timedWorld()
  time.turnMs = 1
  await call('alice', 'GET', '/groups')
  const turns = time.turns
  expect(turns).toBeGreaterThan(1)
  time.turnMs = 20_000
  expect((await call('alice', 'GET', '/groups')).status).toBe(200)
  time.turnMs = 0
  const owedMs = turns * 20_000 + turns
  expect((await call('alice', 'GET', '/groups')).headers['retry-after']).toBe('60')
  // A third of each moment is forgotten, and all but a minute's worth has to be.
  time.now = (owedMs - 20_000) * 3 - 3
  expect((await call('alice', 'GET', '/groups')).status).toBe(429)
  time.now += 4
  expect((await call('alice', 'GET', '/groups')).status).toBe(200)
})

test('the work of two requests that run together is counted once each, for whom it was', async () => {
  const { time, call } = await timedWorld({
    cpu: {
      limits: { anonymous: 5, account: 20 },
      now: () => 0,
      stopwatch: () => () => time.turnMs,
      pause: async () => undefined,
    },
  })
  time.turnMs = 100
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_none, index) => call(index % 2 === 0 ? 'alice' : 'bob', 'GET', '/sensors')),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  time.turnMs = 30_000
  await call('bob', 'GET', '/sensors')
  expect((await call('bob', 'GET', '/sensors')).status).toBe(429)
  expect((await call('alice', 'GET', '/sensors')).status).toBe(200)
})

test('whoever has used much has turns: however many requests come at once, others find half of the time free', async () => {
  const pauses: number[] = []
  const time = { now: 0 }
  const budget = createCpuBudget({
    limits: { anonymous: 5, account: 20 },
    now: () => time.now,
    stopwatch: () => () => 100,
    pause: async (ms) => void pauses.push(ms),
  })
  const alice = { by: 'account', key: 'alice' } as const
  const admit = async (count: number, counted: Counted = alice) => {
    for (let turn = 0; turn < count; turn += 1) await budget.admit(counted)
    return pauses.splice(0)
  }
  const work = async () => {
    budget.work(alice)
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (let turn = 0; turn < 19; turn += 1) await work()
  expect(await admit(3)).toEqual([])
  await work()
  expect(await admit(3)).toEqual([200, 400])
  expect(await admit(3, { by: 'account', key: 'bob' })).toEqual([])
  expect(await admit(48)).toHaveLength(48)
  await expect(admit(1)).rejects.toMatchObject({ headers: { 'Retry-After': '11' } })
  // By then all is forgotten.
  time.now = 60_000
  expect(await admit(3)).toEqual([])
})

test('without a limit nothing is measured', async () => {
  const { time, call } = await timedWorld({
    cpu: { limits: { anonymous: 0, account: 0 }, stopwatch: () => () => (time.turns += 1) },
  })
  expect((await call('alice', 'GET', '/groups')).status).toBe(200)
  expect(time.turns).toBe(0)
})
