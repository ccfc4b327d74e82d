import { summaries } from '../../domain/judging/status.ts'
import type { Counting } from '../../rest/declare.ts'
import { integer, object } from '../../rest/fields.ts'

const counted = { required: true, minimum: 0 } as const
const example = { failure: 1, ok: 12, paused: 2, suspended: 0, unknown: 1, degraded: 3 }

const answer = object(
  {
    ...Object.fromEntries(summaries.map((summary) => [summary, integer({ ...counted, example: example[summary] })])),
    degraded: integer({ ...counted, about: 'Those among `ok` that are degraded.', example: example.degraded }),
  },
  { example },
)

/** `GET /services/state_counts` */
export const stateCounts: Counting = {
  summary: 'Numbers of services by their states',
  about:
    'How many of the services that the caller may read have each `status.summary`, and how many of those that are `ok` are degraded. ' +
    'It takes the filters and the search of the list.',
  by: ['status.summary', 'status.is_degraded'],
  answer,
  shown(rows) {
    const countOf = (isCounted: (values: Readonly<Record<string, unknown>>) => boolean) =>
      rows.reduce((sum, { values, count }) => (isCounted(values) ? sum + count : sum), 0)
    return {
      ...Object.fromEntries(summaries.map((one) => [one, countOf((values) => values['status.summary'] === one)])),
      degraded: countOf((values) => values['status.is_degraded'] === true),
    }
  },
}
