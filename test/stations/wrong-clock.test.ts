import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectToCore } from '../../src/sensor/far/core-connection.ts'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import type { CheckJob, CheckResult } from '../../src/sensor/protocol.ts'
import { farCore, farJob } from '../support/far-core.ts'

/**
 * The tolerance of a check's time: half a round trip on loopback, and a busy machine. Every clock here is off by more.
 */
const toleranceMs = 4000

test.each([
  ['an hour ahead', 3_600_000, 0],
  ['five seconds behind, and running one per cent too fast', -5000, 0.01],
])('a station whose clock is %s, and is set while it is connected, gives right times', async (_how, offMs, drift) => {
  const directory = mkdtempSync(join(tmpdir(), 'latarnik-clock-'))
  const there = await farCore()
  const began = Date.now()
  const state = { offMs }
  // The hardware drifts, so both of its clocks do; only the wall can be set.
  const passed = () => (Date.now() - began) * (1 + drift)
  let looks = 0
  const monotonic = () => {
    looks += 1
    return passed()
  }
  const clocks = { monotonic, wall: () => began + passed() + state.offMs }
  const seen: CheckJob[] = []
  async function check(job: CheckJob): Promise<CheckResult> {
    seen.push(job)
    return {
      ...{
        serviceId: job.serviceId,
        sensorId: 0,
        result: 'ok',
        startedAt: clocks.wall(),
        responseTime: 1,
        dataSize: 1,
      },
      ...{ errorTypeId: null, errorMessage: null, phases: null, steps: null, evidence: null },
    }
  }
  const connection = connectToCore({
    ...{ server: there.url, token: 'token-1', version: '1', categories: ['default'], city: '', country: '' },
    ...{ clocks, log: () => {}, random: () => 0 },
    stations: { check, diagnose: async () => ({ isOk: false, lines: [] }) },
    kept: new KeptResults({ directory, maximumCount: 10, maximumBytes: 100_000, log: () => {} }),
  })
  async function isRight(): Promise<void> {
    const askedAt = Date.now()
    const result = await there.stations.check(farJob(1, { startAt: askedAt - 60_000, deadlineAt: askedAt + 60_000 }))
    const answeredAt = Date.now()
    expect(result.result).toBe('ok')
    expect(result.startedAt).toBeGreaterThan(askedAt - toleranceMs)
    expect(result.startedAt).toBeLessThan(answeredAt + toleranceMs)
    // And it knew by its own clock how long it had.
    const left = (seen.at(-1)?.deadlineAt ?? 0) - clocks.wall()
    expect(Math.abs(left - (askedAt + 60_000 - Date.now()))).toBeLessThan(toleranceMs)
  }
  try {
    await there.connected(1)
    expect(there.log.filter(({ message }) => message.includes('clock of a sensor is wrong'))).toHaveLength(1)
    await isRight()
    state.offMs += 90_000
    await isRight()
    // Nothing else happens meanwhile: a measurement looks at the clock when it asks and when it is answered.
    const [looksBefore, measurements] = [looks, 2]
    await expect.poll(() => looks).toBeGreaterThan(looksBefore + 2 * measurements)
    await isRight()
    state.offMs -= 200_000
    await isRight()
  } finally {
    await connection.stop()
    await there.stop()
    rmSync(directory, { recursive: true })
  }
})
