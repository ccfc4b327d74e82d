import { always } from '../../domain/queries/condition.ts'
import { stepsView } from '../../history/step-history.ts'
import { one, resource } from '../../rest/declare.ts'
import { integer, moment, text } from '../../rest/fields.ts'
import { analysisIdentity } from './analyses.ts'
import { checksRange, stepResults } from './checks.ts'
import { historyView } from './kept-analyses.ts'

const column = { readOnly: true, filter: true, sort: true } as const

export const performanceSteps = resource('performance_steps', {
  about: 'Steps of the checks of a scenario, one by one.',
  singular: 'step of a check',
  tag: 'history',
  path: '/services/{_id}/history/performance/steps',
  parent: 'services',
  bound: { _id: 'service_id' },
  key: ['analysis_key', 'sensor_id', 'step'],
  source: historyView((analyses) => stepsView(analyses)),
  range: checksRange,
  fields: {
    ...analysisIdentity,
    sensor_id: integer(column),
    time: moment({ ...column, about: 'When the check began.' }),
    step: integer({ ...column, minimum: 0, about: 'Place among the steps, from 0.', example: 0 }),
    path_step: text({ ...column, about: 'Name of the step, as path_steps had it then.', example: 'Log in' }),
    result: text({ ...column, oneOf: stepResults, about: 'not_run: a step before it failed.', example: 'ok' }),
    response_time: integer({ ...column, nullable: true, about: 'Milliseconds.', example: 123 }),
  },
  relations: { sensor: one('sensors', 'sensor_id') },
  embed: ['sensor'],
  search: ['path_step'],
  visible: () => always(true),
  operations: ['list'],
})
