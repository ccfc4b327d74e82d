import { expect, test, vi } from 'vitest'
import { Readiness } from '../../src/telemetry/readiness.ts'

test('a process is ready from the end of its start until it drains', async () => {
  const readiness = new Readiness()
  expect(await readiness.unreadiness()).toEqual(['starting'])
  readiness.started()
  expect(await readiness.unreadiness()).toEqual([])
  readiness.draining()
  expect(await readiness.unreadiness()).toEqual(['draining'])
  readiness.started()
  expect(await readiness.unreadiness()).toEqual(['draining'])
})

test('with a full disk beneath its database, without sockets or browsers for checks, a process gets work still, and says so', async () => {
  const readiness = new Readiness()
  let isFull = true
  let isShort = true
  let isStationFull = true
  readiness.lacksWhile('disk', () => isFull)
  readiness.lacksWhile('sockets', () => isShort)
  readiness.lacksWhile('browsers', () => isStationFull)
  expect(await readiness.answer()).toEqual({ status: 503, body: { status: 'unavailable', reasons: ['starting'] } })
  readiness.started()
  expect(await readiness.answer()).toEqual({
    status: 200,
    body: { status: 'degraded', reasons: ['disk', 'sockets', 'browsers'] },
  })
  isStationFull = false
  isShort = false
  expect(await readiness.answer()).toEqual({ status: 200, body: { status: 'degraded', reasons: ['disk'] } })
  isFull = false
  expect(await readiness.answer()).toEqual({ status: 200, body: { status: 'ok' } })
})

test('every reason is told once, and one that is gone is told no more', async () => {
  const readiness = new Readiness()
  let isAway = true
  readiness.standOn(async () => (isAway ? ['database'] : []), 'database')
  readiness.standOn(() => Promise.reject(new Error('the secret is 42')), 'database')
  readiness.standOn(async () => ['schema'], 'database')
  expect(await readiness.unreadiness()).toEqual(['starting', 'database', 'schema'])
  readiness.started()
  isAway = false
  expect(await readiness.unreadiness()).toEqual(['database', 'schema'])
})

test('what does not answer counts as away after two seconds, however many ask meanwhile', async () => {
  vi.useFakeTimers()
  try {
    const readiness = new Readiness()
    readiness.started()
    let looks = 0
    readiness.standOn(() => {
      looks += 1
      return new Promise(() => undefined)
    }, 'core')
    const asked = Promise.all([readiness.unreadiness(), readiness.unreadiness(), readiness.unreadiness()])
    await vi.advanceTimersByTimeAsync(2000)
    expect(await asked).toEqual([['core'], ['core'], ['core']])
    expect(looks).toBe(1)
    const again = readiness.unreadiness()
    await vi.advanceTimersByTimeAsync(2000)
    expect(await again).toEqual(['core'])
    expect(looks).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})
