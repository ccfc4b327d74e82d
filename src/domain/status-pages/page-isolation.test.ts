import { expect, test } from 'vitest'
import {
  mayCheckPages,
  offersPages,
  type PageIsolation,
  pageCategories,
  pageTypeIds,
  withoutPages,
} from '../../checks/page-isolation.ts'

test.each<[PageIsolation, boolean, boolean]>([
  ['sandbox', true, true],
  ['container', true, true],
  ['none', true, false],
  ['sandbox', false, true],
  ['container', false, true],
  ['none', false, true],
])('pages behind %s, with registration open: %s, are checked: %s', (isolation, isRegistrationOpen, expected) => {
  expect(mayCheckPages(isolation, isRegistrationOpen)).toBe(expected)
})

test('a station that is asked for no pages keeps all else that it can do', () => {
  expect(pageCategories).toEqual(['mobile', 'webappcheck'])
  expect(pageTypeIds).toEqual(expect.arrayContaining(['fullpage', 'mobilepage']))
  expect(pageTypeIds).not.toContain('http')
  const station = { categories: ['default', 'ipv6', 'mobile', 'webappcheck'], unsupportedTypes: ['ping', 'fullpage'] }
  const without = withoutPages({ ...station, version: '1' })
  expect([offersPages(station), offersPages(without)]).toEqual([true, false])
  expect(without.version).toBe('1')
  expect(without.categories).toEqual(['default', 'ipv6'])
  expect(new Set(without.unsupportedTypes)).toEqual(new Set(['ping', ...pageTypeIds]))
  expect(without.unsupportedTypes.length).toBe(new Set(without.unsupportedTypes).size)
})
