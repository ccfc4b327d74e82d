import { readTemplate } from '../domain/notification/template.ts'
import { faultOfTemplate, type TemplateShape } from '../domain/notification/template-check.ts'
import { renderTemplate, type TemplateValue } from '../domain/notification/template-render.ts'
import type { Language } from '../wording/language.ts'
import { templateFaultText } from '../wording/template-faults.ts'
import { filtersFor } from '../wording/template-filters.ts'
import type { EventBody } from './event.ts'

/** The variables of body templates: the members of a service's event. */
const eventShape = {
  members: {
    type: 'text',
    timestamp: 'time',
    data: {
      members: {
        service: {
          members: {
            ...{ id: 'number', name: 'text', address: 'text', type_id: 'text', group_id: 'number', url: 'text' },
            tags: { list: 'text' },
          },
        },
        status_change: {
          members: { change_id: 'text', start_time: 'time', end_time: 'time', duration: 'seconds' },
        },
        analysis: { members: { analysis_id: 'text', ok: 'number', error: 'number', unknown: 'number' } },
        checks: {
          list: {
            members: {
              ...{ sensor_id: 'number', sensor: 'text', result: 'text', error_type: 'text', message: 'text' },
              response_time: 'number',
            },
          },
        },
        escalation: {
          members: { escalation_id: 'number', name: 'text', step: 'number', steps: 'number', repeat: 'number' },
        },
        message: { members: { subject: 'text', text: 'text' } },
      },
    },
  },
} as const satisfies TemplateShape

/** Characters. A body template of 10,000 characters can use its longest value a hundred times. */
const longestFilled = 200_000

/** The fault in the template, for people; null: none. */
export function templateProblem(template: string): Readonly<Record<Language, string>> | null {
  const fault = faultOfTemplate(template, eventShape)
  return fault === null ? null : templateFaultText(fault)
}

/**
 * The template with the event's values for `{{data.service.name}}` and the like (docs/templates.md); times are in UTC.
 * `written` escapes a text for its place. Null: it cannot be filled in.
 */
export function fillTemplate(template: string, event: EventBody, written: (text: string) => string): string | null {
  const { nodes } = readTemplate(template)
  // An event has exactly the values of its JSON.
  const values = event as unknown as TemplateValue
  return nodes === null
    ? null
    : renderTemplate(nodes, values, { filters: filtersFor('UTC'), written, longest: longestFilled })
}

/** Escapes a text for the inside of a JSON string. */
export function asJsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
