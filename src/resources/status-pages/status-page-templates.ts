import { countLimits } from '../../domain/input/count-limits.ts'
import { type IncidentStatus, incidentImpacts, incidentStatuses } from '../../domain/status-pages/status-page.ts'
import { resource, type Writing } from '../../rest/declare.ts'
import { text } from '../../rest/fields.ts'
import { ids, nameField } from '../on-call/references.ts'
import {
  firstFields,
  isDifferent,
  lastFields,
  type NamingFacts,
  namingFacts,
  namingProblems,
  pageProblems,
  partOf,
  partWriting,
} from './page-parts.ts'

interface Template extends Readonly<Record<string, unknown>> {
  readonly status: IncidentStatus
  readonly component_ids: readonly number[]
}

const defaults = { body: '', status: 'investigating', impact: 'minor', component_ids: [] } as const

/** The public does not see them, so the page stays as it is. */
const write: Writing<Template, NamingFacts> = {
  allowed: partWriting.allowed,
  explain: partWriting.explain,
  countLimit: { count: countLimits.statusPageTemplates, per: 'status_page_id' },
  facts: namingFacts,
  complete: (given, before, { now }) => ({
    row: {
      ...(before === null ? { ...defaults, created_at: now } : {}),
      ...given,
      ...(isDifferent(given, before) ? { updated_at: now } : {}),
    },
    problems: [],
  }),
  rules: (row, known, before) => [
    ...pageProblems(row, known),
    ...namingProblems(row.component_ids ?? [], known, before?.component_ids),
  ],
}

const name = 'status_page_incident_templates'

export const statusPageIncidentTemplates = resource(name, {
  ...partOf(name),
  about: 'Prepared incidents of a status page: a person chooses one when something happens, and changes its words.',
  singular: 'incident template',
  making: 'The console offers it in the form of a new incident.',
  fields: {
    ...firstFields,
    name: { ...nameField, about: 'For its owner.', example: 'The shop is slow' },
    title: text({
      about: 'The name of the incident. Public.',
      required: true,
      minimumLength: 1,
      maximumLength: 200,
      example: 'The shop is slow',
    }),
    body: text({
      about: 'Its first message. Public, plain text.',
      multiline: true,
      maximumLength: 10_000,
      example: 'We are looking into it.',
    }),
    status: text({
      about: 'A status of an incident or of maintenance.',
      oneOf: incidentStatuses,
      example: 'investigating',
    }),
    impact: text({ oneOf: incidentImpacts, example: 'minor' }),
    component_ids: ids('Components of the page that it concerns.', 500),
    ...lastFields,
  },
  configuration: {
    within: { resource: 'status_pages', member: 'incident_templates', field: 'status_page_id' },
    ownerOf: { table: 'status_pages', field: 'status_page_id' },
    references: { component_ids: { to: 'status_page_components' } },
  },
  write,
})
