import { expect, test } from 'vitest'
import { openedIncidents, type PageFailure } from './page-failure.ts'

const failure = (pageId: number, componentId: number, serviceId: number, failedAt = 5): PageFailure => ({
  ...{ pageId, componentId, serviceId, failedAt, changeId: serviceId * 100 },
})

test('failures of one page are one incident, from the first of them', () => {
  expect(openedIncidents([failure(1, 10, 7), failure(1, 11, 7), failure(1, 11, 8, 3), failure(2, 20, 7)])).toEqual([
    {
      ...{ pageId: 1, componentIds: [10, 11], startedAt: 3 },
      failures: [
        { serviceId: 7, changeId: 700 },
        { serviceId: 8, changeId: 800 },
      ],
    },
    { pageId: 2, componentIds: [20], startedAt: 5, failures: [{ serviceId: 7, changeId: 700 }] },
  ])
})

test('without failures there is none', () => {
  expect(openedIncidents([])).toEqual([])
})
