/** The far ends of lines to a core: `one`, a station that answers each job at once, or so many that only stay connected. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectToCore } from '../../src/sensor/far/core-connection.ts'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import type { CheckJob, CheckResult } from '../../src/sensor/protocol.ts'

const [server = '', first = '1', count = '1'] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'latarnik-bench-'))
const log = () => undefined

function answer(job: CheckJob): Promise<CheckResult> {
  const { serviceId, sensorId, startAt: startedAt } = job
  const phases = { dns: 0.51, connect: 1.27, tls: 4.1, sent: 0.1, first_byte: 9.33, transfer: 1.2 }
  const nothing = { errorTypeId: null, errorMessage: null, steps: null, evidence: null }
  return Promise.resolve({
    ...{ serviceId, sensorId, result: 'ok', startedAt, responseTime: 17, dataSize: 2048, phases },
    ...nothing,
  })
}

for (let at = 0; at < Number(count); at++) {
  const sensorId = Number(first) + at
  connectToCore({
    ...{ server: new URL(server), token: String(sensorId), version: 'bench', categories: ['default'] },
    ...{ city: '', country: '', log },
    stations: { check: answer, diagnose: () => Promise.resolve({ isOk: false, lines: [] }) },
    kept: new KeptResults({
      ...{ directory: join(directory, String(sensorId)), maximumCount: 20_000, maximumBytes: 67_108_864, log },
    }),
  })
}
let before = process.cpuUsage()
process.on('message', () => {
  const { user, system } = process.cpuUsage(before)
  before = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1000 })
})
process.on('disconnect', () => {
  rmSync(directory, { recursive: true })
  process.exit(0)
})
