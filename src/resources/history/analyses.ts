import sql, { raw } from 'sql-template-tag'
import { always } from '../../domain/queries/condition.ts'
import { analysesView } from '../../history/analyses.ts'
import { analysisRows } from '../../history/history-columns.ts'
import { newestArrived } from '../../history/unsent.ts'
import type { Call } from '../../rest/call.ts'
import { type Alias, resource } from '../../rest/declare.ts'
import { boolean, integer, moment, text } from '../../rest/fields.ts'
import { historyRange, historyView } from './kept-analyses.ts'

/** The columns of a status, with the verdict that their analyses have; null: any. */
const specials = { last_analysis_id: null, last_ok_analysis_id: 'ok', last_failure_analysis_id: 'failure' } as const

type Special = keyof typeof specials

function special(column: Special): Alias {
  return async ({ database }: Call, bound) => {
    const serviceId = bound['service_id'] as number
    const [status] = await database.query<{ last_id: number | null; may_wait: boolean }>(sql`
      select last_id, exists (select from unsent_analyses where oldest_id <= last_id) as may_wait
      from (select ${raw(column)} as last_id from service_statuses where service_id = ${serviceId}) status`)
    const { last_id: analysisId = null, may_wait: mayWait = false } = status ?? {}
    if (analysisId === null || !mayWait) return analysisId
    return newestArrived(database, { serviceId, analysisId, verdict: specials[column] })
  }
}

/** The special identifiers of analyses (specification: Analysis). */
export const specialAnalyses = {
  last_analysis: special('last_analysis_id'),
  last_ok_analysis: special('last_ok_analysis_id'),
  last_failure_analysis: special('last_failure_analysis_id'),
} as const

const column = { readOnly: true, filter: true, sort: true } as const

/** Identity of a row of the history; the numeric key is what the tables know it by. */
export const analysisIdentity = {
  analysis_id: text({ ...column, sortBy: 'analysis_key', example: '179539278012300' }),
  service_id: integer(column),
  analysis_key: integer({ internal: true }),
}

export const analyses = resource('analyses', {
  about: 'Rounds of checks with their verdicts.',
  singular: 'analysis',
  tag: 'history',
  path: '/services/{_id}/history/analyses',
  parent: 'services',
  bound: { _id: 'service_id', _analysis_id: 'analysis_key' },
  key: ['analysis_key'],
  alias: specialAnalyses,
  source: historyView((analyses) => analysesView({ analyses }), {
    detail: 'results',
    rows: analysisRows,
  }),
  range: historyRange,
  fields: {
    ...analysisIdentity,
    time: moment({ ...column, about: 'When the verdict was decided.', sortBy: 'analysis_key' }),
    failure: boolean({ ...column, example: false }),
    ok_checks_count: integer({ ...column, minimum: 0, example: 3 }),
    error_checks_count: integer({ ...column, minimum: 0, example: 0 }),
    unknown_checks_count: integer({ ...column, minimum: 0, example: 0 }),
    error_tolerance: integer({
      ...column,
      about: 'Percent of answering stations that must report an error.',
      example: 51,
    }),
  },
  search: ['analysis_id'],
  visible: () => always(true),
  operations: ['list', 'read'],
})
