import { expect, test } from 'vitest'
import { browserKinds, kinds, reportingKinds, typesWithoutRow } from '../../bench/probes/kinds.ts'
import { serviceTypeOf, serviceTypes } from '../../src/checks/index.ts'

test('the bench `probes` has a row for each type of service, and for no other', () => {
  expect(typesWithoutRow()).toEqual([])
  const rows = [...kinds, ...browserKinds, ...reportingKinds]
  expect(rows.filter((id) => serviceTypeOf(id) === undefined)).toEqual([])
  expect(rows.toSorted()).toEqual([...new Set(serviceTypes.map(({ base }) => base))].toSorted())
})
