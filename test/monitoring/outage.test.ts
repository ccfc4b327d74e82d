import { expect, test } from 'vitest'
import { Outage } from '../../src/monitoring/outage.ts'
import type { Timers } from '../../src/turns/timers.ts'

function outage() {
  const said: string[] = []
  let now = 0
  const timers: Timers = { machine: 'test', monotonic: () => now, after: () => () => undefined }
  const note = (level: string) => (_facts: unknown, message?: string) => void said.push(`${level}: ${message}`)
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  return { said, outage: new Outage(timers, log), pass: (ms: number) => (now += ms) }
}

const full = Object.assign(new Error('could not extend file'), { code: '53100' })
const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
/** The coordinator of a cluster says so. */
const machineRefused = Object.assign(new Error('connection to the remote node failed'), {
  ...{ code: '08006', severity: 'ERROR' },
})
const fine = () => Promise.resolve()

test('a full disk is told once as what somebody must mend, whichever work finds it, and is over when all works for a while', async () => {
  for (const finder of ['Recording', 'Claiming']) {
    const { said, outage: one, pass } = outage()
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await one.guard(finder, () => Promise.reject(full))).toBe(false)
      pass(6000)
      // Some writes need no room.
      for (const what of ['Claiming', 'Recording']) expect(await one.guard(what, fine)).toBe(true)
    }
    pass(9000)
    await one.guard('Recording', fine)
    expect(said).toEqual([
      `error: The disk of the database is full; monitoring waits for room (${finder})`,
      'info: The database is back; monitoring goes on',
    ])
    expect(one.count).toBe(0)
  }
})

test('a database that is away is back when anything works', async () => {
  const { said, outage: one, pass } = outage()
  await one.guard('Claiming', () => Promise.reject(refused))
  pass(6000)
  await one.guard('The sensors’ heartbeat', fine)
  expect(said).toEqual([
    'warn: The database is unreachable; monitoring waits for it (Claiming)',
    'info: The database is back; monitoring goes on',
  ])
  expect(one.count).toBe(1)
})

test('a database that is away is asked every second, however long that lasts, and a full one every five', async () => {
  for (const { error, last } of [
    { error: refused, last: 1000 },
    { error: full, last: 5000 },
  ]) {
    const { outage: one, pass } = outage()
    let asked = 0
    const ask = () =>
      one.guard('Claiming', () => {
        asked += 1
        return Promise.reject(error)
      })
    for (let ms = 0; ms < 60_000; ms += 250) {
      await ask()
      pass(250)
    }
    const before = asked
    for (let ms = 0; ms < 20_000; ms += 250) {
      await ask()
      pass(250)
    }
    expect(asked - before).toBe(20_000 / last)
  }
})

test('a server that ends because its disk is full is unreachable, then full, then back, each told once', async () => {
  const { said, outage: one, pass } = outage()
  for (const error of [refused, full, refused, full]) {
    await one.guard('Recording', () => Promise.reject(error))
    pass(6000)
  }
  pass(15_000)
  await one.guard('Recording', fine)
  expect(said).toEqual([
    'warn: The database is unreachable; monitoring waits for it (Recording)',
    'error: The disk of the database is full; monitoring waits for room (Recording)',
    'info: The database is back; monitoring goes on',
  ])
})

test('a lost machine of a cluster fails the work that needs it, and nothing waits', async () => {
  const { said, outage: one } = outage()
  expect(await one.guard('Removing old data', () => Promise.reject(machineRefused))).toBe(false)
  expect([one.lasts, one.isPausing, one.count]).toEqual([false, false, 0])
  expect(await one.guard('Claiming', fine)).toBe(true)
  expect(said).toEqual(['error: Removing old data failed'])
})
