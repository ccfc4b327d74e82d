import { expect, test } from 'vitest'
import { type Covered, coverage, endpointTable } from '../../scripts/coverage.ts'

/** Every operation that the specification names or implies is here and tested. */
const { specified, further } = coverage()

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

test('every operation is held to a rule, and tested from its declaration or for its own behaviour', () => {
  const here = [...specified, ...further].filter(({ operation }) => operation !== undefined)
  expect(here.filter(({ duties }) => duties.length === 0).map(nameOf)).toEqual([])
  expect(here.filter(({ contract, behaviour }) => contract.length + behaviour.length === 0).map(nameOf)).toEqual([])
})
