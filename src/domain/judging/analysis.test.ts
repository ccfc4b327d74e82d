import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  analysisIdOf,
  answerDeadline,
  type CheckResultValue,
  chooseSensors,
  configuredSensors,
  judge,
  type SensorFacts,
  turnDeadline,
  type Verdict,
} from './analysis.ts'

test.each<[string, number, Verdict]>([
  ['ok ok ok', 51, 'ok'],
  ['error ok ok', 51, 'ok'],
  ['error error ok', 51, 'failure'],
  ['error ok', 51, 'ok'],
  ['error ok', 50, 'failure'],
  ['error ok ok', 33, 'failure'],
  ['error ok ok', 34, 'ok'],
  ['error error error', 100, 'failure'],
  ['error error ok', 100, 'ok'],
  ['error', 51, 'failure'],
  ['unknown', 51, 'none'],
  ['', 51, 'none'],
  ['error unknown unknown', 51, 'none'],
  ['error unknown', 51, 'failure'],
  ['error error unknown', 51, 'failure'],
  ['ok unknown unknown unknown', 51, 'none'],
  ['ok ok unknown unknown unknown', 51, 'none'],
])('%s with a tolerance of %i %% is judged %s', (outcomes, tolerance, verdict) => {
  expect(judge(outcomes.split(' ').filter(isOutcome), tolerance)).toBe(verdict)
})

function isOutcome(text: string): text is CheckResultValue {
  return ['ok', 'error', 'unknown'].includes(text)
}

const outcomes = fc.array(fc.constantFrom<CheckResultValue>('ok', 'error', 'unknown'), { maxLength: 9 })
const tolerance = fc.integer({ min: 1, max: 100 })

test('one more error never turns a failure into ok', () => {
  const property = fc.property(outcomes, tolerance, (given, percent) => {
    if (judge(given, percent) === 'failure') expect(judge([...given, 'error'], percent)).toBe('failure')
  })
  fc.assert(property)
})

test('an unknown outcome never changes what the others say, it can only silence them', () => {
  const property = fc.property(outcomes, tolerance, (given, percent) => {
    expect([judge(given, percent), 'none']).toContain(judge([...given, 'unknown'], percent))
  })
  fc.assert(property)
})

test('with a lost majority there is no verdict', () => {
  const property = fc.property(outcomes, tolerance, (given, percent) => {
    const lost = given.filter((outcome) => outcome === 'unknown').length
    expect(judge(given, percent) === 'none').toBe(lost === given.length || lost > given.length / 2)
  })
  fc.assert(property)
})

function sensor(id: number, country: string, isAvailable = true, categoryIds = ['default']): [number, SensorFacts] {
  return [id, { id, country, isAvailable, categoryIds }]
}

test('an unavailable sensor is replaced by a free one of its country, else by any, each used once', () => {
  const sensors = new Map([
    sensor(1, 'PL', false),
    sensor(2, 'PL', false),
    sensor(3, 'DE'),
    sensor(4, 'PL'),
    sensor(5, 'PL', true, ['ipv6']),
  ])
  expect(chooseSensors([1, 2, 3], sensors, 'default', true)).toEqual([
    { sensorId: 4, isAvailable: true },
    { sensorId: 2, isAvailable: false },
    { sensorId: 3, isAvailable: true },
  ])
  expect(chooseSensors([1, 2], sensors, 'default', true).map(({ sensorId }) => sensorId)).toEqual([4, 3])
  expect(chooseSensors([1], sensors, 'default', false)).toEqual([{ sensorId: 1, isAvailable: false }])
  expect(chooseSensors([9], sensors, 'ipv6', true)).toEqual([{ sensorId: 5, isAvailable: true }])
})

test('every configured sensor gets one seat, no sensor sits twice, and only able ones check', () => {
  const anySensor = fc.record({
    id: fc.integer({ min: 1, max: 12 }),
    country: fc.constantFrom('PL', 'DE', ''),
    isAvailable: fc.boolean(),
    categoryIds: fc.subarray(['default', 'ipv6']),
  })
  const property = fc.property(
    fc.uniqueArray(anySensor, { selector: ({ id }) => id }),
    fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 5 }),
    fc.boolean(),
    (list, configured, failover) => {
      const sensors = new Map(list.map((one) => [one.id, one]))
      const able = (id: number) =>
        sensors.get(id)?.isAvailable === true && sensors.get(id)?.categoryIds.includes('ipv6')
      const seats = chooseSensors(configured, sensors, 'ipv6', failover)
      expect(seats).toHaveLength(configured.length)
      expect(new Set(seats.map(({ sensorId }) => sensorId)).size).toBe(configured.length)
      for (const [index, seat] of seats.entries()) {
        expect(seat.isAvailable).toBe(able(seat.sensorId))
        if (!failover || able(configured[index] ?? 0)) expect(seat.sensorId).toBe(configured[index])
      }
    },
  )
  fc.assert(property)
})

test("a service's own sensors override the group's of its category", () => {
  const assignedSensorIds = { default: [1, 2], ipv6: [3] }
  expect(configuredSensors({ ownSensorIds: [], assignedSensorIds, category: 'ipv6' })).toEqual([3])
  expect(configuredSensors({ ownSensorIds: [7, 7], assignedSensorIds, category: 'ipv6' })).toEqual([7])
  expect(configuredSensors({ ownSensorIds: [], assignedSensorIds, category: 'mobile' })).toEqual([])
})

test("stations have the type's own time limit and two seconds to answer", () => {
  expect(answerDeadline(1000, { timeout: 7000 })).toBe(10_000)
  expect(answerDeadline(1000, { reply_timeout: 3000 })).toBe(6000)
  expect(answerDeadline(0, {})).toBe(122_000)
  expect(answerDeadline(1000, { timeout: 30_000 }, true)).toBe(46_000)
  expect(answerDeadline(0, { timeout: 10 ** 9 })).toBe(122_000)
})

test('a page check waits for a free browser until the next round is due, five minutes at most, never less than its own time', () => {
  expect(turnDeadline(1000, 46_000, 60)).toBe(61_000)
  expect(turnDeadline(1000, 46_000, 30)).toBe(46_000)
  expect(turnDeadline(1000, 46_000, 300)).toBe(301_000)
  expect(turnDeadline(1000, 46_000, 3600)).toBe(301_000)
  expect(turnDeadline(1000, 136_000, 60)).toBe(136_000)
})

test('an analysis id has 15 digits, grows with time and tells claims of one millisecond apart', () => {
  expect(String(analysisIdOf(1_764_000_000_123, 41))).toBe('176400000012341')
  expect(analysisIdOf(1_764_000_000_123, 142)).toBe(176_400_000_012_342)
})
