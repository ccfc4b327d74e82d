import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { type LocalStations, startLocalStations } from '../../src/sensor/local.ts'
import { clock, jobFor, verdictOf } from '../support/check.ts'
import { patiently } from '../support/patience.ts'

/** A station that was never asked for anything ends its probing process until it is. */

const entry = fileURLToPath(new URL('../support/dying-station.ts', import.meta.url))
const started: LocalStations[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((stations) => stations.stop()))
})

async function start(restMs: number): Promise<LocalStations> {
  const stations = await startLocalStations({ sensorIds: [3], allow: 'all', log: () => {}, entry, restMs })
  started.push(stations)
  return stations
}

/** The pids of the probing processes of this one. */
function probing(): readonly string[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ')
  return children.filter((pid) => pid !== '' && /dying-station/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
}

const pidJob = () => ({ ...jobFor('http', 'pid'), deadlineAt: clock.now() + 60_000 })

test('the process ends without any job, and begins with the first ones; from then on it stays', async () => {
  const stations = await start(50)
  await expect.poll(probing, patiently).toEqual([])
  expect([stations.isConnected(3), stations.loads()]).toEqual([true, {}])
  const results = await Promise.all(Array.from({ length: 20 }, () => stations.check(pidJob())))
  const pids = new Set(results.map(({ errorMessage }) => errorMessage))
  expect([...pids]).toEqual(probing())
  expect(probing()).toHaveLength(1)
  for (let waited = 0; waited < 3; waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(pids).toContain((await stations.check(pidJob())).errorMessage)
  }
})

test('a first job before that keeps the process', async () => {
  const stations = await start(300)
  const { errorMessage: pid } = await stations.check(pidJob())
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(probing()).toEqual([pid])
})

test('a job that comes while the process begins waits until its deadline and is unknown; so is a diagnosis', async () => {
  const stations = await start(1)
  await expect.poll(probing, patiently).toEqual([])
  const deadlineAt = clock.now() + 1
  const [late, diagnosis] = await Promise.all([
    stations.check({ ...jobFor('http', 'pid'), deadlineAt }),
    stations.diagnose({ sensorId: 3, request: { kind: 'traceroute', host: '127.0.0.1' }, deadlineAt }),
  ])
  expect([late.result, verdictOf(late), late.errorMessage]).toEqual([
    ...['unknown', 'sensor_lost', 'the probing process is still starting'],
  ])
  expect(diagnosis).toEqual({ isOk: false, lines: ['the probing process is still starting'] })
})

test('a station that stops while its process rests or begins leaves none', async () => {
  const resting = await start(1)
  await expect.poll(probing, patiently).toEqual([])
  await resting.stop()
  expect(resting.isConnected(3)).toBe(false)
  expect(verdictOf(await resting.check(pidJob()))).toBe('sensor_lost')
  const beginning = await start(1)
  await expect.poll(probing, patiently).toEqual([])
  const first = beginning.check(pidJob())
  await beginning.stop()
  expect((await first).errorMessage).toBe('the station stops')
  expect(probing()).toEqual([])
})
