import { expect, test } from 'vitest'
import { type Covered, coverage, endpointTable, reasons } from '../../scripts/coverage.ts'

/** Every operation that the specification names or implies is here and tested. */
const { specified, further, absent } = coverage()

const nameOf = ({ endpoint, operation }: Covered) =>
  `${endpoint?.method ?? operation?.method} ${endpoint?.path ?? operation?.path}`

test('the table is the whole one', () => {
  const count = (kind: string) => endpointTable().filter((endpoint) => endpoint.class === kind).length
  expect([count('S'), count('s'), count('N')]).toEqual([161, 60, 220])
})

test('no operation is missing', () => {
  const missing = specified.filter(({ operation }) => operation === undefined)
  expect(missing.map(nameOf)).toEqual([])
})

test('whatever else of interface 3.51 is missing has a reason, and most of it is here', () => {
  const unexplained = absent.filter(({ path }) => !reasons.some(([pattern]) => pattern.test(path)))
  expect(unexplained).toEqual([])
  expect(endpointTable().length - absent.length).toBeGreaterThanOrEqual(400)
})

test('every operation is held to a rule, and tested from its declaration or for its own behaviour', () => {
  const here = [...specified, ...further].filter(({ operation }) => operation !== undefined)
  expect(here.filter(({ duties }) => duties.length === 0).map(nameOf)).toEqual([])
  expect(here.filter(({ contract, behaviour }) => contract.length + behaviour.length === 0).map(nameOf)).toEqual([])
})
