/** The documents of the read API (version 2 of Statuspage) as JSON Schemas: what its published clients rely on. */

type Schema = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const id = { type: 'string', minLength: 1 }
const flag = { type: 'boolean' }
const moment = { type: 'string', format: 'date-time' }
const orNull = ({ type, ...rest }: { readonly type: string }): Schema => ({ type: [type, 'null'], ...rest })
const oneOf = (...values: readonly string[]) => ({ enum: values })

/** Every member is there, and no other. */
function object(properties: Readonly<Record<string, Schema>>, optional: Readonly<Record<string, Schema>> = {}): Schema {
  return {
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  }
}
const list = (items: Schema): Schema => ({ type: 'array', items })

const status = oneOf('operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance')
const page = object({ id, name: text, url: { type: 'string', format: 'uri' }, time_zone: text, updated_at: moment })

const component = object(
  {
    ...{ id, name: text, status, created_at: moment, updated_at: moment, position: { type: 'integer' } },
    ...{ description: orNull(text), showcase: flag, start_date: orNull({ ...text, ...{ format: 'date' } }) },
    ...{ group_id: orNull(id), page_id: id, group: flag, only_show_if_degraded: flag },
  },
  { components: list(id) },
)

const affected = object({ code: id, name: text, old_status: status, new_status: status })

function incidentWith(statuses: Schema, more: Readonly<Record<string, Schema>>): Schema {
  const update = object({
    ...{ id, status: statuses, body: text, incident_id: id },
    ...{ created_at: moment, updated_at: moment, display_at: moment, affected_components: list(affected) },
  })
  return object({
    ...{ id, name: text, status: statuses, impact: oneOf('none', 'minor', 'major', 'critical') },
    ...{ created_at: moment, updated_at: moment, monitoring_at: orNull(moment), resolved_at: orNull(moment) },
    ...{ started_at: moment, shortlink: { type: 'string', format: 'uri' }, page_id: id },
    ...{ components: list(component), incident_updates: list(update), ...more },
  })
}

const incident = incidentWith(oneOf('investigating', 'identified', 'monitoring', 'resolved', 'postmortem'), {})
const maintenance = incidentWith(oneOf('scheduled', 'in_progress', 'verifying', 'completed'), {
  ...{ scheduled_for: moment, scheduled_until: moment },
})

const parts = {
  status: object({ indicator: oneOf('none', 'minor', 'major', 'critical', 'maintenance'), description: text }),
  components: list(component),
  incidents: list(incident),
  scheduled_maintenances: list(maintenance),
}

function documentOf(...names: readonly (keyof typeof parts)[]): Schema {
  return object({ page, ...Object.fromEntries(names.map((name) => [name, parts[name]])) })
}

/** By the name of the document below `api/v2/`. */
export const documentSchemas: Readonly<Record<string, Schema>> = {
  summary: documentOf('status', 'components', 'incidents', 'scheduled_maintenances'),
  status: documentOf('status'),
  components: documentOf('components'),
  incidents: documentOf('incidents'),
  'incidents/unresolved': documentOf('incidents'),
  'scheduled-maintenances': documentOf('scheduled_maintenances'),
  'scheduled-maintenances/upcoming': documentOf('scheduled_maintenances'),
  'scheduled-maintenances/active': documentOf('scheduled_maintenances'),
}
