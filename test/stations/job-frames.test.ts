import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCoreFrame } from '../../src/sensor/far/wire-frames.ts'
import {
  jobFrames,
  jobOfWire,
  readJob,
  readSharedSettings,
  type WireJob,
  wireJob,
} from '../../src/sensor/far/wire-jobs.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'

const settings = fc.dictionary(
  fc.string({ maxLength: 5 }).filter((name) => name !== '__proto__'),
  fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null)),
  { maxKeys: 3 },
)
const job: fc.Arbitrary<WireJob> = fc.record(
  {
    id: fc.integer({ min: 1 }).map((number) => `run.${number}`),
    service_id: fc.nat(),
    type_id: fc.constantFrom('http', 'ping'),
    address: fc.string({ unit: 'binary' }),
    settings: fc.oneof(fc.constant({ timeout: 7000 }), settings),
    start_at: fc.nat(),
    deadline_at: fc.nat(),
    owner_key: fc.string({ unit: 'binary', maxLength: 64 }),
    wants_screenshot: fc.constant(true as const),
  },
  { requiredKeys: ['id', 'service_id', 'type_id', 'address', 'settings', 'start_at', 'deadline_at'] },
)

function readAll(frames: readonly string[]): readonly (WireJob | null)[] {
  return frames.flatMap((text) => {
    const frame = readCoreFrame(text)
    if (frame?.kind !== 'jobs') return [null]
    const shared = readSharedSettings(frame.settings)
    return frame.jobs.map((given) => readJob(given, shared))
  })
}

test.each([
  ['a station that knows shared settings', true],
  ['an older one', false],
])('what is put into frames for %s is what it reads', (_who, isShared) => {
  fc.assert(
    fc.property(fc.array(job, { minLength: 1, maxLength: 20 }), (jobs) => {
      // As JSON keeps it: of zero there is one.
      const kept = JSON.parse(JSON.stringify(jobs)) as WireJob[]
      expect(readAll(jobFrames(jobs, isShared))).toEqual(kept)
    }),
  )
})

test('settings that are alike are said once in a frame, and frames stay of their size', () => {
  const many = Array.from({ length: 3000 }, (_none, number) => ({
    ...{ id: `run.${number}`, service_id: number, type_id: 'http', address: 'shop.example' },
    ...{ settings: { scenario: 'x'.repeat(1000) }, start_at: 1, deadline_at: 2 },
  }))
  const shared = jobFrames(many, true)
  expect(shared.join('').match(/x{1000}/g)).toHaveLength(shared.length)
  const whole = jobFrames(many, false)
  expect(whole.length).toBeGreaterThan(3 * shared.length)
  expect(readAll(whole)).toHaveLength(3000)
  expect(Math.max(...[...whole, ...shared].map((text) => text.length))).toBeLessThan(1_100_000)
})

test.each<[string, Partial<CheckJob>]>([
  ['whose check it is', { ownerKey: 'abc' }],
  ['that a picture is wanted', { wantsScreenshot: true }],
  ['nothing of it, as an older core does', {}],
])('a job that tells %s arrives as it was', (_what, owner) => {
  const job = {
    serviceId: 7,
    sensorId: 0,
    typeId: 'http',
    address: 'a/',
    settings: {},
    startAt: 1,
    deadlineAt: 2,
    ...owner,
  }
  const [read] = readAll(jobFrames([wireJob('run.1', job)], true))
  expect(read === null || read === undefined ? null : jobOfWire(read)).toEqual(job)
})

test('a key of an owner that is none is left out, and the job is done', () => {
  const given = {
    id: 'run.1',
    service_id: 7,
    type_id: 'http',
    address: 'a/',
    settings: {},
    start_at: 1,
    deadline_at: 2,
  }
  for (const owner_key of [5, null, {}, 'x'.repeat(65)]) expect(readJob({ ...given, owner_key })).toEqual(given)
})
