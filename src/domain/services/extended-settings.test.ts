import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serviceTypeOf, serviceTypes } from '../../checks/index.ts'
import { maximumProblems } from '../input/problem.ts'
import { effectiveSettings, mergeSettings, presentSettings } from './extended-settings.ts'
import type { ServiceType } from './service-types.ts'

function typeOf(id: string): ServiceType {
  const type = serviceTypeOf(id)
  if (type === undefined) throw new Error(`no type ${id}`)
  return type
}

const shortScenario = '{"title":"t","steps":[{"type":"navigate","url":"/"}]}'

const nativeTypes = { string: 'string', regex: 'string', integer: 'number', number: 'number', boolean: 'boolean' }

function merge(id: string, stored: Record<string, string | number | boolean | null>, input: unknown) {
  return mergeSettings(typeOf(id), stored, input, 'data.extended_settings')
}

describe('the formats', () => {
  test('ping follows the table of the specification', () => {
    // Extensions §2 add `degraded_response_time` to every type.
    const specified = typeOf('ping').settings.filter(({ setting_id }) => setting_id !== 'degraded_response_time')
    const shown = specified.map((format) => [
      format.setting_id,
      format.type,
      format.default,
      format.minimum,
      format.maximum,
      format.suggested_form_element,
    ])
    expect(shown).toEqual([
      ['bytes_to_send', 'integer', 64, 1, 65_535, 'number'],
      ['reply_timeout', 'integer', 3000, 1, 120_000, 'number'],
      ['error_tolerance', 'integer', 51, 1, 100, 'percent'],
      ['sensors_failover', 'boolean', true, null, null, 'checkbox'],
      ['disable_breakdown_checks', 'boolean', false, null, null, 'checkbox'],
    ])
  })

  test.each(serviceTypes)('$id has the common settings, and each setting once', ({ settings, reportsIn, inCore }) => {
    const ids = settings.map((format) => format.setting_id)
    // No station judges a service that reports in or is checked by the core.
    const ofStations = reportsIn === true || inCore === true ? [] : ['error_tolerance', 'sensors_failover']
    expect(ids).toEqual(expect.arrayContaining([...ofStations, 'disable_breakdown_checks']))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(serviceTypes.map(({ id }) => id))('the defaults of %s are values that it accepts itself', (id) => {
    const type = typeOf(id)
    const required = { query_name: 'example.com', scenario: shortScenario }
    const known = Object.fromEntries(
      Object.entries(required).filter(([key]) => type.settings.some((format) => format.setting_id === key)),
    )
    const all = effectiveSettings(type, known)
    expect(mergeSettings(type, {}, all, 'data.extended_settings').problems).toEqual([])
  })

  test('a null default means that the setting is nullable, unless a service cannot be without it', () => {
    for (const { settings } of serviceTypes) {
      for (const format of settings) {
        expect(format.is_nullable).toBe(format.default === null && !format.isRequired)
      }
    }
  })
})

describe('merging', () => {
  test('lays the input over the stored settings by key', () => {
    const { settings, problems } = merge('http', { timeout: 1000, port: 81 }, { port: 82, http_method: 'HEAD' })
    expect(problems).toEqual([])
    expect(settings).toEqual({ timeout: 1000, port: 82, http_method: 'HEAD' })
  })

  test('null takes a setting back to its default', () => {
    const { settings } = merge('http', { timeout: 1000 }, { timeout: null })
    expect(effectiveSettings(typeOf('http'), settings)['timeout']).toBe(7000)
  })

  test('nothing at all is fine where nothing is required', () => {
    expect(merge('http', {}, undefined)).toEqual({ settings: {}, problems: [] })
    expect(merge('http', {}, {})).toEqual({ settings: {}, problems: [] })
  })

  test.each([
    ['ping', 'reply_timeout', '2000', 2000],
    ['http', 'follow_redirects', 'false', false],
    ['http', 'username', 12, '12'],
    ['ping', 'sensors_failover_enabled', false, false],
    ['http', 'accepted_statuses', '200-299,304', '200-299,304'],
    ['http', 'accepted_statuses', 404, '404'],
    ['http', 'request_headers', 'X-One: 1\r\nX-Two:\n\nX-Three: a: b', 'X-One: 1\r\nX-Two:\n\nX-Three: a: b'],
    ['dns', 'query_name', '_dmarc.example.com', '_dmarc.example.com'],
    ['dns', 'query_name', 'żółć.pl', 'żółć.pl'],
    ['dns', 'query_name', '.', '.'],
    ['http', 'content_regex', '(?i)welcome\\s+\\w+', '(?i)welcome\\s+\\w+'],
    ['http', 'content_regex', '', ''],
  ])('%s takes %s = %j', (type, key, value, stored) => {
    const required: Record<string, string> = type === 'dns' ? { query_name: 'example.com' } : {}
    if (type === 'webappcheck') required['scenario'] = shortScenario
    const { settings, problems } = merge(type, required, { [key]: value })
    expect(problems).toEqual([])
    expect(settings[key === 'sensors_failover_enabled' ? 'sensors_failover' : key]).toBe(stored)
  })

  test.each([
    ['ping', 'reply_timeout', 0, 'incorrect_value'],
    ['ping', 'reply_timeout', 120_001, 'incorrect_value'],
    ['ping', 'reply_timeout', 1.5, 'incorrect_type'],
    ['ping', 'reply_timeout', 'soon', 'incorrect_type'],
    ['ping', 'reply_timeout', '', 'incorrect_type'],
    ['ping', 'reply_timeout', [3000], 'incorrect_type'],
    ['ping', 'sensors_failover', 1, 'incorrect_type'],
    ['http', 'http_method', 'get', 'incorrect_value'],
    ['http', 'http_method', {}, 'incorrect_type'],
    ['http', 'username', true, 'incorrect_type'],
    ['http', 'username', 'a:b', 'incorrect_value'],
    ['http', 'username', 'a'.repeat(256), 'value_too_long'],
    ['http', 'password', 'a\nb', 'incorrect_value'],
    ['http', 'content', 'a\0b', 'incorrect_value'],
    ['http', 'content', 'a\ud800b', 'incorrect_value'],
    ['http', 'content_regex', '(', 'incorrect_value'],
    ['http', 'content_regex', '(a)\\1', 'incorrect_value'],
    ['http', 'accepted_statuses', '', 'incorrect_value'],
    ['http', 'accepted_statuses', '299-200', 'incorrect_value'],
    ['http', 'accepted_statuses', '200,,301', 'incorrect_value'],
    ['http', 'accepted_statuses', '99-600', 'incorrect_value'],
    ['http', 'request_headers', 'no colon', 'incorrect_value'],
    ['http', 'request_headers', 'Content-Length: 3', 'incorrect_value'],
    ['http', 'request_headers', 'X: \u0142', 'incorrect_value'],
    ['smtp_helo', 'helo_name', 'me\r\nDATA', 'incorrect_value'],
    ['dns', 'query_name', '', 'missing_value'],
    ['dns', 'query_name', 'a..b', 'incorrect_value'],
    ['webappcheck', 'scenario', '{"steps":[', 'incorrect_value'],
    ['webappcheck', 'scenario', '[]', 'incorrect_value'],
    ['http', 'nonsense', 1, 'unknown_field'],
    ['http', '__proto__', 1, 'unknown_field'],
    ['http', 'constructor', 1, 'unknown_field'],
    ['webappcheck', 'secrets', 'no value', 'incorrect_value'],
  ])('%s refuses %s = %j as %4$s', (type, key, value, error) => {
    const required: Record<string, string> = type === 'dns' ? { query_name: 'example.com' } : {}
    if (type === 'webappcheck') required['scenario'] = shortScenario
    const input: unknown = JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(value)}}`)
    const { problems } = merge(type, required, input)
    expect(problems.find((problem) => problem.field === `data.extended_settings.${key}`)?.error).toBe(error)
    expect(problems).toHaveLength(1)
  })

  test.each([[null], ['text'], [7], [['timeout']]])('%j is no object', (input) => {
    expect(merge('http', {}, input).problems).toEqual([
      { error: 'incorrect_type', field: 'data.extended_settings', facts: { expected: 'object' } },
    ])
  })

  test('a dns service needs a name to ask for, also after a change', () => {
    const missing = [{ error: 'missing_value', field: 'data.extended_settings.query_name' }]
    expect(merge('dns', {}, undefined).problems).toEqual(missing)
    expect(merge('dns', { query_name: 'example.com' }, { query_name: null }).problems).toEqual(missing)
    expect(merge('dns', { query_name: 'example.com' }, { port: 54 }).problems).toEqual([])
  })

  test('all problems come together', () => {
    const { problems } = merge('dns', {}, { port: 0, transport: 'icmp', nonsense: 1 })
    expect(problems.map((problem) => problem.error)).toEqual([
      'incorrect_value',
      'incorrect_value',
      'unknown_field',
      'missing_value',
    ])
  })

  test('what is taken keeps to its format and is taken again unchanged', () => {
    const value = fc.oneof(fc.jsonValue(), fc.integer({ min: 0, max: 200 }), fc.boolean(), fc.constantFrom('5', '200'))
    const change = fc.constantFrom(...serviceTypes).chain((type) => {
      const keys = fc.constantFrom(...type.settings.map((format) => format.setting_id))
      return fc.tuple(fc.constant(type), fc.dictionary(keys, value, { maxKeys: 3 }))
    })
    let taken = 0
    fc.assert(
      fc.property(change, ([type, input]) => {
        const stored: Record<string, string> = type.id.startsWith('dns') ? { query_name: 'example.com' } : {}
        if (type.id === 'webappcheck') stored['scenario'] = shortScenario
        const merged = mergeSettings(type, stored, input, 'data')
        if (merged.problems.length > 0) return
        taken += 1
        expect(mergeSettings(type, {}, merged.settings, 'data')).toEqual(merged)
        const effective = effectiveSettings(type, merged.settings)
        for (const format of type.settings) {
          const shown = effective[format.setting_id]
          if (shown === null) expect(format.is_nullable).toBe(true)
          else expect(typeof shown).toBe(nativeTypes[format.type])
        }
      }),
      { numRuns: 300 },
    )
    expect(taken).toBeGreaterThan(50)
  })
})

describe('a body full of mistakes', () => {
  test('reading stops at a thousand problems, and what was not read is not called missing', () => {
    const id = serviceTypes.find((type) => type.settings.some((format) => format.setting_id === 'scenario'))?.id ?? ''
    const input = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`none_${index}`, 1]))
    const { problems } = merge(id, {}, { ...input, scenario: shortScenario })
    expect(problems).toHaveLength(maximumProblems)
    expect(new Set(problems.map(({ error }) => error))).toEqual(new Set(['unknown_field']))
  })
})

describe('showing', () => {
  test('every setting of the type is there, secrets as null', () => {
    const shown = presentSettings(typeOf('http'), { password: 'secret', port: 81 })
    expect(shown).toMatchObject({ password: null, port: 81, timeout: 7000, accepted_statuses: '200-299' })
    expect(Object.keys(shown)).toEqual(typeOf('http').settings.map((format) => format.setting_id))
    expect(effectiveSettings(typeOf('http'), { password: 'secret' })['password']).toBe('secret')
  })
})
