import { expect, test } from 'vitest'
import { failuresByPage, knownFailures, openedIncident, type PageFailure } from './page-failure.ts'

const failure = (pageId: number, componentId: number, serviceId: number, failedAt = 5): PageFailure => ({
  ...{ pageId, componentId, serviceId, failedAt, changeId: serviceId * 100 },
})

test('failures of one page are one incident, from the first of them', () => {
  const all = [failure(1, 10, 7), failure(1, 11, 7), failure(1, 11, 8, 3), failure(2, 20, 7)]
  expect([...failuresByPage(all)].map(([page, own]) => [page, openedIncident(own)])).toEqual([
    [
      1,
      {
        ...{ componentIds: [10, 11], startedAt: 3 },
        failures: [
          { serviceId: 7, changeId: 700 },
          { serviceId: 8, changeId: 800 },
        ],
      },
    ],
    [2, { componentIds: [20], startedAt: 5, failures: [{ serviceId: 7, changeId: 700 }] }],
  ])
})

test('without failures there is none', () => {
  expect([...failuresByPage([])]).toEqual([])
})

test.each([
  ['names it, after the failure', { componentIds: [11], downIds: [], createdAt: 150 }, [7, 7]],
  ['names it, a delay before the failure', { componentIds: [10], downIds: [], createdAt: 80 }, [7, 7]],
  ['names it, long before the failure', { componentIds: [10], downIds: [], createdAt: 79 }, []],
  ['said long ago that it is down', { componentIds: [], downIds: [10], createdAt: 0 }, [7, 7]],
  ['names another', { componentIds: [12], downIds: [12], createdAt: 150 }, [8]],
  ['names none', { componentIds: [], downIds: [], createdAt: 150 }, []],
] as const)('an incident tells of a failure if it %s', (_name, incident, services) => {
  const failures = [failure(1, 10, 7, 100), failure(1, 11, 7, 100), failure(1, 12, 8, 100)]
  expect(knownFailures(failures, [incident], 20).map(({ serviceId }) => serviceId)).toEqual(services)
})
