/** The far ends of lines to a core: so many stations that answer each job at once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectToCore } from '../../src/sensor/far/core-connection.ts'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import type { CheckJob, CheckResult } from '../../src/sensor/protocol.ts'
import { exampleResult } from './example-result.ts'
import { answerCpu } from './far-process.ts'

const [server = '', first = '1', count = '1'] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'latarnik-bench-'))
const log = () => undefined

const { response_time: responseTime, data_size: dataSize, phases } = exampleResult('')

/** Written out: the bench measures the line, not the copying of objects here. */
function answer({ serviceId, sensorId, startAt: startedAt }: CheckJob): Promise<CheckResult> {
  return Promise.resolve({
    serviceId,
    sensorId,
    result: 'ok',
    startedAt,
    responseTime,
    dataSize,
    phases,
    errorTypeId: null,
    errorMessage: null,
    steps: null,
    evidence: null,
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
answerCpu(() => rmSync(directory, { recursive: true }))
