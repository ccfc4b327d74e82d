import { describe, expect, test } from 'vitest'
import { serviceTypeOf, serviceTypes } from '../../checks/index.ts'
import { type Guarded, keptSecretProblems } from './kept-secrets.ts'

function moved(
  typeId: string,
  before: Guarded,
  written: Guarded,
  input: unknown = {},
): readonly (string | undefined)[] {
  const type = serviceTypeOf(typeId)
  if (type === undefined) throw new Error(`There is no type ${typeId}.`)
  return keptSecretProblems(type, { before, written, input }, 'data').map(({ field }) => field)
}

const settings = { password: 's3cret', username: 'alice' }
const before = {
  address: 'shop.example.com/cart',
  name: 'Shop',
  group_id: 1,
  sensor_ids: [1],
  extended_settings: settings,
}

describe('a password that was kept', () => {
  test.each<readonly [string, Guarded]>([
    ['another host', { address: 'evil.example.com/cart' }],
    ['another port', { address: 'shop.example.com:8080/cart' }],
    ['another page, which may answer otherwise', { address: 'shop.example.com/echo' }],
    ['a name in the address', { address: 'eve@shop.example.com/cart' }],
    ['other stations', { sensor_ids: [7] }],
    ['the stations of another group', { group_id: 2 }],
    ['another virtual host', { extended_settings: { ...settings, request_headers: 'Host: evil.example.com' } }],
    ['another username', { extended_settings: { ...settings, username: 'eve' } }],
    ['a question about the answer', { extended_settings: { ...settings, content_regex: 'YWxpY2U6c' } }],
    ['a failure that shows the answer', { extended_settings: { ...settings, maximum_response_time: 1 } }],
    ['a certificate that nobody verifies', { extended_settings: { ...settings, verify_certificate: false } }],
    ['a field that nobody has listed as harmless', { field_of_tomorrow: true }],
  ])('does not go with %s unless it is given again or removed', (_what, written) => {
    expect(moved('http', before, written)).toEqual(['data.password'])
    expect(moved('http', before, written, { password: null })).toEqual(['data.password'])
    expect(moved('http', before, written, { username: 'eve' })).toEqual(['data.password'])
    expect(moved('http', before, written, { password: 's3cret' })).toEqual([])
    expect(moved('http', before, written, { password: '' })).toEqual([])
  })
  test.each<readonly [string, Guarded]>([
    ['is judged otherwise', { extended_settings: { ...settings, error_tolerance: 80 } }],
    ['is checked by replacements no more', { extended_settings: { ...settings, sensors_failover: false } }],
    ['is not checked faster', { extended_settings: { ...settings, disable_breakdown_checks: true } }],
    ['has a default written out', { extended_settings: { ...settings, timeout: 7000 } }],
    ['gets another name, interval and rest', { name: 'Sklep', interval: 60, is_active: false }],
    ['is written back as it was', before],
  ])('stays when the service %s', (_what, written) => {
    expect(moved('http', before, written)).toEqual([])
  })
  test('is nobody’s concern where there was none', () => {
    expect(moved('http', { ...before, extended_settings: {} }, { address: 'b.example.com' })).toEqual([])
  })
})

/** A value that differs from the default; the rule only compares values. */
const other = (standard: unknown) => (typeof standard === 'boolean' ? !standard : standard === 7 ? 8 : 7)

const withSecret = serviceTypes.filter((type) => type.settings.some(({ isSecret }) => isSecret))

test.each(withSecret.map((type) => [type.id, type] as const))(
  'every setting of %s is guarded but for the three that judge',
  (id, type) => {
    const secret = type.settings.find(({ isSecret }) => isSecret)?.setting_id ?? 'password'
    const kept = { [secret]: 'x=y' }
    const free = type.settings.filter(({ setting_id, isSecret, default: standard }) => {
      const written = { extended_settings: { ...kept, [setting_id]: other(standard) } }
      return !isSecret && moved(id, { extended_settings: kept }, written).length === 0
    })
    const judging = ['error_tolerance', 'sensors_failover', 'disable_breakdown_checks']
    expect(free.map(({ setting_id }) => setting_id)).toEqual(judging)
  },
)
