import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MeasuredService, openMetrics, serviceMetricNames } from './open-metrics.ts'

const service: MeasuredService = {
  ...{ id: 7, name: 'Shop', type: 'https', group_id: 2, summary: 'ok', is_degraded: false, is_acknowledged: false },
  ...{ response_time: 123, last_analysis_at: 1_795_392_780.5, expires_at: null },
}

const textOf = (...services: readonly MeasuredService[]) => [...openMetrics(services)].join('')

/** The value of a metric of service 7; undefined when it has none. */
function valueIn(text: string, name: string): string | undefined {
  return new RegExp(`^${name}\\{service_id="7",.*\\} (.+)$`, 'm').exec(text)?.[1]
}

test.each([
  ['ok', '1', '1'],
  ['failure', '0', '1'],
  ['unknown', undefined, '1'],
  ['paused', undefined, '0'],
  ['suspended', undefined, '0'],
])('a service whose summary is %s is up %s and monitored %s', (summary, up, monitored) => {
  const text = textOf({ ...service, summary })
  expect(valueIn(text, 'latarnik_service_up')).toBe(up)
  expect(valueIn(text, 'latarnik_service_monitored')).toBe(monitored)
})

test('times are in seconds, and what is not known has no line', () => {
  const text = textOf(service)
  expect(valueIn(text, 'latarnik_service_response_time_seconds')).toBe('0.123')
  expect(valueIn(text, 'latarnik_service_last_analysis_timestamp_seconds')).toBe('1795392780.5')
  expect(valueIn(text, 'latarnik_service_expires_timestamp_seconds')).toBeUndefined()
  expect(
    textOf()
      .split('\n')
      .filter((line) => !line.startsWith('#')),
  ).toEqual([''])
})

const label =
  /^[a-z_]+\{service_id="\d+",service="(?:[^"\\\n]|\\["\\n])*",type="(?:[^"\\\n]|\\["\\n])*",group_id="\d+"\} -?[\d.e+-]+$/

test('whatever a service is called, each line is a comment or a sample, and the text ends once', () => {
  let samples = 0
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 5 }), (names) => {
      const lines = textOf(...names.map((name, index) => ({ ...service, id: index, name }))).split('\n')
      expect(lines.slice(-2)).toEqual(['# EOF', ''])
      for (const line of lines.slice(0, -2)) {
        if (line.startsWith('# ')) continue
        samples++
        expect(line).toMatch(label)
      }
      expect(lines.filter((line) => line.startsWith('# TYPE')).length).toBe(serviceMetricNames.length)
    }),
  )
  expect(samples).toBeGreaterThan(100)
})
