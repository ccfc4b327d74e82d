import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isStorableJson } from '../../src/domain/input/storable.ts'
import { artifactLimits } from '../../src/domain/judging/evidence.ts'
import { verdictOf } from '../support/check.ts'
import {
  type FarCore,
  farCore,
  farJob as job,
  jobsOf,
  type RawStation,
  readyStation,
  resultsFrame as results,
} from '../support/far-core.ts'

let core: FarCore
const peers: RawStation[] = []
beforeEach(async () => {
  core = await farCore()
})
afterEach(async () => {
  for (const { socket } of peers.splice(0)) socket.terminate()
  await core.stop()
})

async function ready(sensorId: number): Promise<RawStation> {
  const station = await readyStation(core, sensorId)
  peers.push(station)
  return station
}

const ok = { result: 'ok', response_time: 12 }

describe('a job', () => {
  test('is all that a station sees: how to check, and nothing of whom it is for', async () => {
    const station = await ready(1)
    const asked = job(1)
    const answer = core.stations.check(asked)
    const [given] = await jobsOf(station)
    expect(given).toEqual({
      id: expect.any(String),
      service_id: 7,
      type_id: 'http',
      address: 'shop.example/',
      settings: { password: 'of the shop' },
      start_at: asked.startAt,
      deadline_at: asked.deadlineAt,
    })
    station.send(results({ id: given.id, started_at: asked.startAt, ...ok }))
    expect(await answer).toMatchObject({ serviceId: 7, sensorId: 1, result: 'ok', responseTime: 12 })
    expect(await station.next('acknowledge')).toEqual({ kind: 'acknowledge', ids: [given.id] })
  })

  test('of a good page brings the picture that it was asked for, and nothing else', async () => {
    const station = await ready(1)
    const evidence = {
      base_url: 'http://shop.example/',
      facts: { lie: true },
      artifacts: [
        { type_id: 'content', content_type: 'text/html', data: 'AAAA' },
        { type_id: 'screenshot', content_type: 'image/jpeg', data: '/9j/' },
      ],
    }
    const wanted = job(1, { wantsScreenshot: true })
    const answer = core.stations.check(wanted)
    const [given] = await jobsOf(station)
    expect(given).toMatchObject({ wants_screenshot: true })
    station.send(results({ id: given.id, started_at: wanted.startAt, ...ok, evidence }))
    const { result, evidence: brought } = await answer
    expect([result, brought?.facts]).toEqual(['ok', {}])
    expect(brought?.artifacts.map(({ typeId, bytes }) => [typeId, [...bytes]])).toEqual([
      ['screenshot', [0xff, 0xd8, 0xff]],
    ])
    const unwanted = job(1)
    const plain = core.stations.check(unwanted)
    const [second] = await jobsOf(station)
    station.send(results({ id: second.id, started_at: unwanted.startAt, ...ok, evidence }))
    expect((await plain).evidence).toBeNull()
  })

  test('that is good brings what its assertions said, and no other fact', async () => {
    const station = await ready(1)
    const told = { failed_assertions: 'assertion 1: …', assertion_1_result: 'degraded', assertion_20_came: '12' }
    const lies = { lie: true, assertion_1_lie: 'x', assertion_100_came: 'x', content_is_cut: true }
    const evidence = { base_url: 'http://shop.example/', facts: { ...told, ...lies } }
    const asked = job(1)
    const answer = core.stations.check(asked)
    const [given] = await jobsOf(station)
    station.send(results({ id: given.id, started_at: asked.startAt, ...ok, evidence }))
    expect((await answer).evidence).toMatchObject({ facts: told, artifacts: [] })
    expect(Object.keys((await answer).evidence?.facts ?? {})).toEqual(Object.keys(told))
  })

  test('may be large: many of them come in several frames, whole', async () => {
    const station = await ready(1)
    for (let count = 0; count < 3; count++)
      void core.stations.check(job(1, { settings: { scenario: 'x'.repeat(700_000) } }))
    const frames = [await jobsOf(station), await jobsOf(station), await jobsOf(station)]
    expect(frames.map((jobs) => jobs.length)).toEqual([1, 1, 1])
  })

  test('goes to its own station alone', async () => {
    const [first, second] = [await ready(1), await ready(2)]
    void core.stations.check(job(1))
    void core.stations.check(job(2, { address: 'other.example/' }))
    expect(await jobsOf(first)).toMatchObject([{ address: 'shop.example/' }])
    expect(await jobsOf(second)).toMatchObject([{ address: 'other.example/' }])
  })
})

describe('a result', () => {
  test('of a job that another station was given changes nothing', async () => {
    const [first, second] = [await ready(1), await ready(2)]
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(first)
    second.send(results({ id: given.id, started_at: 0, result: 'error', error_type_id: 2001, error_message: 'a lie' }))
    await second.next('acknowledge')
    first.send(results({ id: given.id, started_at: given.start_at, ...ok }))
    expect(await answer).toMatchObject({ sensorId: 1, result: 'ok' })
  })

  test('of a job that nobody was given is acknowledged and forgotten', async () => {
    const station = await ready(1)
    station.send(results({ id: 'made-up', started_at: 0, ...ok }))
    expect(await station.next('acknowledge')).toMatchObject({ ids: ['made-up'] })
    expect(core.stations.isConnected(1)).toBe(true)
  })

  test('that is said twice counts once, and the second saying changes nothing', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    const said = { id: given.id, started_at: given.start_at, ...ok }
    station.send(results(said, { ...said, result: 'error', error_type_id: 2001, error_message: 'no' }))
    expect(await answer).toMatchObject({ result: 'ok' })
    expect(await station.next('acknowledge')).toMatchObject({ ids: [given.id, given.id] })
  })

  test('that comes after its deadline finds its job answered as late', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1, { deadlineAt: Date.now() + 50 }))
    const [given] = await jobsOf(station)
    expect(verdictOf(await answer)).toBe('sensor_late')
    station.send(results({ id: given.id, started_at: given.start_at, ...ok }))
    expect(await station.next('acknowledge')).toMatchObject({ ids: [given.id] })
  })

  test('names no service and no sensor of its own: they come from the job', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    station.send(results({ id: given.id, started_at: given.start_at, ...ok, service_id: 99, sensor_id: 2 }))
    expect(await answer).toMatchObject({ serviceId: 7, sensorId: 1 })
  })

  test.each([
    ['before its job', -86_400_000, 0],
    ['in the future', 86_400_000, 10_000],
  ])('that began %s began between the job’s start and now', async (_when, shift, most) => {
    const station = await ready(1)
    const asked = job(1)
    const answer = core.stations.check(asked)
    const [given] = await jobsOf(station)
    station.send(results({ id: given.id, started_at: given.start_at + shift, ...ok }))
    const { startedAt } = await answer
    expect(startedAt - asked.startAt).toBeGreaterThanOrEqual(0)
    expect(startedAt - asked.startAt).toBeLessThanOrEqual(most)
  })

  test('lasted no longer than its check had, and neither did its parts', async () => {
    const station = await ready(1)
    const asked = job(1)
    const answer = core.stations.check({ ...asked, deadlineAt: asked.startAt + 5000 })
    const [given] = await jobsOf(station)
    const long = { response_time: 80_000_000, phases: { dns: 1_000_000, connect: 3 } }
    station.send(results({ id: given.id, started_at: given.start_at, result: 'ok', ...long }))
    expect(await answer).toMatchObject({ responseTime: 5000, phases: { dns: 5000, connect: 3, tls: null } })
  })

  test.each([
    ['nothing but its job', {}],
    ['a result that does not exist', { result: 'splendid' }],
    ['a negative time', { ...ok, response_time: -1 }],
    ['a time that no history can keep', { ...ok, response_time: 2 ** 40 }],
    ['a size that no history can keep', { ...ok, data_size: 2 ** 31 }],
    ['no moment', { ...ok, started_at: 'yesterday' }],
    ['phases without bounds', { ...ok, phases: { dns: 1e300 } }],
    ['a prototype for what it says', JSON.parse('{"__proto__":{"result":"ok","response_time":1}}') as object],
    ['too long a message', { result: 'error', error_type_id: 2001, error_message: 'x'.repeat(5000) }],
    [
      'too many facts',
      { ...ok, evidence: { base_url: '', facts: Object.fromEntries([...Array(200).keys()].map((n) => [n, n])) } },
    ],
    ['too long headers', { ...ok, evidence: { base_url: '', response_headers: 'x'.repeat(100_000) } }],
    [
      'too large a file',
      {
        ...ok,
        evidence: { base_url: '', artifacts: [{ type_id: 'har', content_type: '', data: 'A'.repeat(8_000_000) }] },
      },
    ],
    ['steps without end', { ...ok, steps: Array.from({ length: 1000 }, () => ({ name: '', result: 'ok' })) }],
  ])('with %s makes that check unknown at once, and harms no other', async (_what, malformed) => {
    const station = await ready(1)
    const [bad, good] = [core.stations.check(job(1)), core.stations.check(job(1))]
    const [first, second] = await jobsOf(station)
    station.send(
      results(
        { id: first.id, started_at: first.start_at, ...malformed },
        { id: second?.id, started_at: first.start_at, ...ok },
      ),
    )
    expect(verdictOf(await bad)).toBe('sensor_fault')
    expect(await good).toMatchObject({ result: 'ok' })
    expect(core.stations.isConnected(1)).toBe(true)
  })

  test('blames no target for a fault of the sensor', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    station.send(results({ id: given.id, started_at: given.start_at, result: 'error', error_type_id: 9004 }))
    expect(await answer).toMatchObject({ result: 'unknown', errorTypeId: 9004, responseTime: null })
  })

  test('of a failure that this version does not know keeps its sentence', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    const failure = { result: 'error', error_type_id: 8_999, error_message: 'the tea is cold', later_member: 1 }
    station.send(results({ id: given.id, started_at: given.start_at, ...failure }))
    expect(await answer).toMatchObject({ result: 'error', errorTypeId: null, errorMessage: 'the tea is cold' })
  })

  test('brings the steps of its job’s scenario, and no others', async () => {
    const station = await ready(1)
    const scenario = JSON.stringify({
      title: 'Shop',
      steps: [{ type: 'navigate', url: 'http://shop.example/', title: 'Home' }],
    })
    const step = (name: string) => ({ name, result: 'ok', response_time: 5 })
    const outcomes: unknown[] = []
    for (const [settings, steps] of [
      [{ scenario }, [step('Home')]],
      [{ scenario }, [step('Office')]],
      [{ scenario }, [step('Home'), step('Home')]],
      [{}, [step('Home')]],
    ] as const) {
      const answer = core.stations.check(job(1, { settings }))
      const [given] = await jobsOf(station)
      station.send(results({ id: given.id, started_at: given.start_at, ...ok, steps }))
      outcomes.push((await answer).steps)
    }
    expect(outcomes).toEqual([[{ name: 'Home', result: 'ok', responseTime: 5 }], null, null, null])
  })

  test('says nothing that no database can keep', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    const nul = 'a\0b\ud800c'
    const artifacts = [{ type_id: 'content', content_type: nul, data: '' }]
    const evidence = { base_url: nul, content_type: nul, facts: { [nul]: nul }, artifacts }
    const failure = { result: 'error', error_type_id: 4001, error_message: nul, evidence }
    station.send(results({ id: given.id, started_at: given.start_at, ...failure }))
    const result = await answer
    expect(result.errorMessage).toBe('a\ufffdb\ufffdc')
    expect(isStorableJson({ ...result, evidence: { ...result.evidence, artifacts: [] } })).toBe(true)
    expect(result.evidence?.artifacts[0]?.contentType).toBe('a\ufffdb\ufffdc')
  })

  test('tells what it could not take, of known types that it does not bring, for a known reason', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    const missing = [
      ...[
        { id: 'content', reason: 'timed_out' },
        { id: 'virus', reason: 'timed_out' },
      ],
      ...[
        { id: 'har', reason: 'a newer reason' },
        { id: 'screenshot', reason: 'timed_out' },
      ],
      { id: 'screenshot', reason: 'not_taken' },
    ]
    const artifacts = [{ type_id: 'content', content_type: '', data: 'AAAA' }]
    const failure = { result: 'error', error_type_id: 4001, evidence: { base_url: '', artifacts, missing } }
    station.send(results({ id: given.id, started_at: given.start_at, ...failure }))
    expect((await answer).evidence?.missing).toEqual([
      { id: 'har', reason: 'not_taken' },
      { id: 'screenshot', reason: 'timed_out' },
    ])
  })

  test('brings of its files those of known types, one of each, within their bounds', async () => {
    const station = await ready(1)
    const answer = core.stations.check(job(1))
    const [given] = await jobsOf(station)
    const file = (type_id: string, size: number) => ({
      ...{ type_id, content_type: 'text/plain' },
      data: Buffer.alloc(size, 1).toString('base64'),
    })
    const artifacts = [
      ...[file('content', 10), file('content', 20), file('virus', 10)],
      file('screenshot', artifactLimits.screenshot + 2),
    ]
    const evidence = { base_url: 'http://shop.example/', artifacts }
    const failure = { result: 'error', error_type_id: 4001, error_message: 'HTTP status 503', evidence }
    station.send(results({ id: given.id, started_at: given.start_at, ...failure }))
    const kept = (await answer).evidence?.artifacts ?? []
    expect(kept.map(({ typeId, bytes }) => [typeId, bytes.length])).toEqual([['content', 10]])
  })
})
