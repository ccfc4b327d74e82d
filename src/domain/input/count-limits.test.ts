import { expect, test } from 'vitest'
import { maximumArchivedServices } from './count-limits.ts'

test.each([
  [null, null],
  [0, 1000],
  [10, 1000],
  [101, 1010],
])('beside %s services that count there may be %s archived ones', (services, archived) => {
  expect(maximumArchivedServices(services)).toBe(archived)
})
