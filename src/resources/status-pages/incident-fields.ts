import type { Problem } from '../../domain/input/problem.ts'
import { componentStatuses, type IncidentUpdate, incidentStatuses } from '../../domain/status-pages/status-page.ts'
import { integer, list, moment, object, text } from '../../rest/fields.ts'
import { componentProblems } from './page-parts.ts'

/** The fields of an update of an incident. */
export const updateFields = {
  status: text({
    about:
      'An incident is investigating, identified, monitoring, resolved or postmortem; maintenance is scheduled, in_progress, verifying or completed.',
    required: true,
    oneOf: incidentStatuses,
    example: 'identified',
  }),
  body: text({
    about: 'Public, plain text.',
    multiline: true,
    required: true,
    minimumLength: 1,
    maximumLength: 10_000,
    example: 'A disk is full. We are adding space.',
  }),
  display_at: moment({ about: 'The moment that the page shows. Default: now.', example: '2026-11-21T12:30:00Z' }),
  affected_components: list(
    object(
      { component_id: integer({ required: true }), status: text({ required: true, oneOf: componentStatuses }) },
      {},
    ),
    {
      about:
        'The states that the page gives its components until the next update names them, or the incident ends. It never hides a failure.',
      maximumLength: 500,
      example: [],
    },
  ),
}

export const updateShape = object(
  {
    id: text({ required: true }),
    ...updateFields,
    created_at: moment({ required: true }),
    updated_at: moment({ required: true }),
  },
  {},
)

const ofCreation = { writeOnly: true, elsewhere: true, untypical: true } as const

/** The fields of a creation that make the first update. */
export const firstUpdateFields = {
  body: { ...updateFields.body, about: 'The first message of a new incident.', required: false, ...ofCreation },
  affected_components: { ...updateFields.affected_components, ...ofCreation },
}

export function affectedProblems(
  affected: IncidentUpdate['affected_components'] = [],
  known: ReadonlySet<number>,
): readonly Problem[] {
  return componentProblems(
    affected.map(({ component_id: id }) => id),
    known,
    (index) => `data.affected_components[${index}].component_id`,
  )
}
