import { expect, test } from 'vitest'
import type { Log } from './outage.ts'
import { VerdictLines } from './verdict-lines.ts'

type Line = Readonly<Record<string, unknown>>

function lines() {
  const told: Line[] = []
  const due: (() => void)[] = []
  const log = (level: string) => (facts: object, text: string) => void told.push({ level, text, ...facts })
  const verdicts = new VerdictLines({
    timers: {
      machine: '',
      monotonic: () => 0,
      after(_delay, run) {
        due.push(run)
        return () => due.splice(due.indexOf(run), 1)
      },
    },
    log: { info: log('info'), warn: log('warn'), error: log('error') } as unknown as Log,
  })
  const pass = () => {
    for (const run of due.splice(0)) run()
  }
  return { verdicts, told, due, pass }
}

const lost = (reason: 'sensor_lost' | 'browser_busy', ...serviceIds: readonly number[]) =>
  serviceIds.map((serviceId) => ({ serviceId, reason }))

test('rounds of one moment are one line for each reason, with their number, however many transactions record them', () => {
  const { verdicts, told, due, pass } = lines()
  for (let at = 0; at < 30; at += 1) verdicts.note({ unknowns: lost('sensor_lost', at), knownAgain: [] })
  verdicts.note({ unknowns: lost('browser_busy', 100), knownAgain: [200, 201] })
  expect([told, due.length]).toEqual([[], 1])
  pass()
  expect(told).toEqual([
    {
      ...{ level: 'warn', text: 'Rounds have no verdict', reason: 'sensor_lost', services: 30 },
      service_ids: Array.from({ length: 20 }, (_none, at) => at),
    },
    { level: 'warn', text: 'Rounds have no verdict', reason: 'browser_busy', services: 1, service_ids: [100] },
    { level: 'info', text: 'Rounds have a verdict again', services: 2, service_ids: [200, 201] },
  ])
  verdicts.note({ unknowns: [], knownAgain: [30] })
  pass()
  expect(told).toHaveLength(4)
})

test('a new heartbeat and no news are no line, and the end of the program tells what was gathered', () => {
  const { verdicts, told, due } = lines()
  verdicts.note({ unknowns: [{ serviceId: 1, reason: 'heartbeat_awaited' }], knownAgain: [] })
  verdicts.note({ unknowns: [], knownAgain: [] })
  expect(due).toEqual([])
  verdicts.note({ unknowns: lost('sensor_lost', 1), knownAgain: [] })
  verdicts.tell()
  expect(told).toHaveLength(1)
  expect(due).toEqual([])
})
