import { expect, test } from 'vitest'
import { Outage, recording } from '../../src/monitoring/outage.ts'
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
const fine = () => Promise.resolve()

test('a full disk is told once as what somebody must mend, and is over when recording works, not when reading does', async () => {
  const { said, outage: one, pass } = outage()
  for (let turn = 0; turn < 10; turn += 1) {
    expect(await one.guard(recording, () => Promise.reject(full))).toBe(false)
    pass(6000)
    expect(await one.guard('Claiming', fine)).toBe(true)
    pass(6000)
  }
  await one.guard(recording, fine)
  expect(said).toEqual([
    'error: The disk of the database is full; monitoring waits for room (Recording)',
    'info: The database is back; monitoring goes on',
  ])
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
})
