import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { CheckEvidence, CheckResult, Stations } from '../../src/sensor/protocol.ts'
import { verdictOf } from '../support/check.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type FakeStations, fakeStations } from '../support/fake-stations.ts'
import { checkOf, reaches, type TestProcess, testProcess } from '../support/message-bus.ts'
import { natsMissing, startNatsServer } from '../support/nats-server.ts'
import { patiently } from '../support/patience.ts'

/** A way to stations, and the stations at its end. */
interface Rig {
  readonly near: Stations
  readonly there: FakeStations
  connect(sensorId: number): Promise<void>
  disconnect(sensorId: number): Promise<void>
  stop(): Promise<void>
}

async function direct(): Promise<Rig> {
  const there = fakeStations()
  return {
    ...{ near: there, there },
    connect: async (sensorId) => there.connect(sensorId),
    disconnect: async (sensorId) => there.disconnect(sensorId),
    stop: async () => {},
  }
}

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

async function between([asking, holding]: readonly [TestProcess, TestProcess], end = async () => {}): Promise<Rig> {
  return {
    ...{ near: asking.bus, there: holding.stations },
    async connect(sensorId) {
      holding.hold(sensorId)
      await reaches(asking, sensorId)
    },
    async disconnect(sensorId) {
      holding.lose(sensorId)
      await reaches(asking, sensorId, false)
    },
    async stop() {
      await Promise.all([asking.stop(), holding.stop()])
      await end()
    },
  }
}

async function throughDatabase(): Promise<Rig> {
  const ways = { database: database.database }
  return between([await testProcess(ways), await testProcess(ways)])
}

async function throughNats(): Promise<Rig> {
  const server = await startNatsServer()
  const ways = { database: database.database, natsUrl: server.url }
  const processes = [await testProcess(ways), await testProcess(ways)] as const
  for (const { log } of processes)
    await vi.waitFor(() => expect(log).toContain('Processes talk through NATS.'), patiently)
  return between(processes, () => server.kill())
}

const ways = [
  ['asked directly', direct, null],
  ['asked through the database', throughDatabase, null],
  ['asked through NATS', throughNats, natsMissing],
] as const

const largeEvidence: CheckEvidence = {
  ...{ base_url: 'https://shop.example/', ip_address: '192.0.2.1', status_code: 500, response_headers: 'x: ż' },
  ...{ content_type: 'text/html', file_name: null, facts: { answer: 'łódź', count: 3 } },
  artifacts: [
    { typeId: 'content', contentType: 'text/html', bytes: bytesOf(1_048_577) },
    { typeId: 'har', contentType: 'application/json', bytes: bytesOf(4_194_304) },
    { typeId: 'screenshot', contentType: 'image/png', bytes: bytesOf(1_500_000) },
  ],
}

function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 256)
}

describe.each(ways)('stations %s', (_name, open, missing) => {
  let rig: Rig
  beforeAll(async () => {
    if (missing === null) rig = await open()
  })
  afterAll(() => rig?.stop())

  function promises(what: string, work: () => Promise<void>): void {
    test(what, async (context) => {
      if (missing !== null) {
        process.stdout.write(`NOT TESTED: stations asked through NATS: ${missing}\n`)
        context.skip(missing)
      }
      await work()
    })
  }

  promises('are connected as long as they are', async () => {
    expect(rig.near.isConnected(1)).toBe(false)
    await rig.connect(1)
    expect(rig.near.isConnected(1)).toBe(true)
    await rig.disconnect(1)
    expect(rig.near.isConnected(1)).toBe(false)
  })

  promises('answer a check with what they found', async () => {
    await rig.connect(2)
    const asked = checkOf(2)
    const result = await rig.near.check(asked)
    expect(result).toEqual({
      ...{ serviceId: asked.serviceId, sensorId: 2, result: 'ok', startedAt: asked.startAt, responseTime: 12 },
      ...{ dataSize: 345, errorTypeId: null, errorMessage: null, steps: null, evidence: null },
      phases: { dns: 0.5, connect: 1.25, tls: null, sent: 0.1, first_byte: 9, transfer: 1 },
    })
    expect(rig.there.jobs).toEqual([asked])
  })

  promises('are asked each job once, many at a time, and each answer is of its job', async () => {
    await rig.connect(3)
    rig.there.jobs.length = 0
    rig.there.answer = ({ serviceId }) => ({ result: 'ok', responseTime: serviceId })
    const jobs = Array.from({ length: 2000 }, (_, at) => checkOf(3, { serviceId: at + 1 }))
    const results = await Promise.all(jobs.map((job) => rig.near.check(job)))
    expect(results.map(({ responseTime }) => responseTime)).toEqual(jobs.map(({ serviceId }) => serviceId))
    expect(rig.there.jobs.map(({ serviceId }) => serviceId).toSorted((one, other) => one - other)).toEqual(
      jobs.map(({ serviceId }) => serviceId),
    )
    rig.there.answer = () => 'ok'
  })

  promises('bring evidence larger than any message, byte by byte', async () => {
    await rig.connect(4)
    rig.there.answer = () => ({ result: 'error', evidence: largeEvidence })
    const { evidence } = await rig.near.check(checkOf(4))
    rig.there.answer = () => 'ok'
    const bare = (of: CheckEvidence | null): unknown => ({ ...of, artifacts: null })
    expect(bare(evidence)).toEqual(bare(largeEvidence))
    for (const [at, artifact] of largeEvidence.artifacts.entries()) {
      const there = evidence?.artifacts[at]
      expect(there?.typeId).toBe(artifact.typeId)
      expect(Buffer.compare(there?.bytes ?? Buffer.alloc(0), artifact.bytes)).toBe(0)
    }
  })

  promises('find out what people ask of them', async () => {
    await rig.connect(5)
    const request = { kind: 'traceroute', host: 'łódź.example' } as const
    const found = await rig.near.diagnose({ sensorId: 5, request, deadlineAt: Date.now() + 5000 })
    expect(found).toEqual({ isOk: true, lines: ['traceroute łódź.example'] })
  })

  promises('may be far away: a job is handed over a bounded time before its start', async () => {
    await rig.connect(6)
    expect(rig.near.leadMs(6)).toBeGreaterThanOrEqual(0)
    expect(rig.near.leadMs(6)).toBeLessThanOrEqual(500)
  })
})

describe.each(ways.slice(1))('stations %s', (_name, open, missing) => {
  test('that are nowhere, and those that keep silent, leave their checks unknown', async (context) => {
    if (missing !== null) context.skip(missing)
    const rig = await open()
    expect(verdictOf(await rig.near.check(checkOf(9)))).toBe('sensor_lost')
    expect(
      (await rig.near.diagnose({ sensorId: 9, request: { kind: 'traceroute', host: 'x' }, deadlineAt: 0 })).isOk,
    ).toBe(false)
    await rig.connect(9)
    rig.there.answer = () => 'silent'
    const late: CheckResult = await rig.near.check(checkOf(9, { deadlineAt: Date.now() + 300 }))
    expect([late.result, verdictOf(late)]).toEqual(['unknown', 'sensor_late'])
    await rig.stop()
  })
})
