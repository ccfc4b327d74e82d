import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkFunction } from '../../src/checks/functions.ts'
import { reportsIn, serviceTypes } from '../../src/checks/index.ts'

const checks = [...new Set(serviceTypes.filter(({ id }) => !reportsIn(id)).map(({ check }) => check))]

test('a station has a function for every check that stations do, loaded once', async () => {
  const ofStations = checks.filter((check) => checkFunction(check) !== undefined)
  // The core asks registries itself.
  expect(checks.filter((check) => !ofStations.includes(check))).toEqual(['domain'])
  for (const check of ofStations) {
    expect(typeof (await checkFunction(check))).toBe('function')
    expect(checkFunction(check)).toBe(checkFunction(check))
  }
  expect(ofStations.length).toBeGreaterThan(20)
})

test('an unknown check has none, whatever it is called', () => {
  for (const check of ['none', '__proto__', 'constructor', '']) expect(checkFunction(check)).toBeUndefined()
})

test('a station loads the code of a check with its first job: nothing is imported before', () => {
  const source = readFileSync('src/checks/functions.ts', 'utf8')
  const imported = [...source.matchAll(/^import (?!type\b).*/gm)].map(([line]) => line)
  expect(imported).toEqual([])
})
