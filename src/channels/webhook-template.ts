import type { EventBody } from './event.ts'

/** What templates may name, with a value of each: those of an event of a service. */
const everyMember: EventBody = {
  type: '',
  timestamp: '',
  data: {
    service: { id: 0, name: '', address: '', type_id: '', group_id: 0, tags: [], url: '' },
    status_change: { change_id: '', start_time: '', end_time: '', duration: 0 },
    analysis: { analysis_id: '', ok: 0, error: 0, unknown: 0 },
    checks: [],
    message: { subject: '', text: '' },
  },
}

const placeholder = /\{\{([^{}]*)\}\}/g

/** What stands between the braces: a path, and whether the member is wanted as JSON. */
function read(between: string): { readonly isJson: boolean; readonly path: string } {
  const [first = '', ...rest] = between.trim().split(/\s/)
  return first === 'json' ? { isJson: true, path: rest.join(' ').trim() } : { isJson: false, path: between.trim() }
}

/** Undefined: there is no such member. Null where the event has none. */
function valueAt(event: object, path: string): unknown {
  let value: unknown = event
  for (const name of path.split('.')) {
    if (value === null) return null
    if (typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}

/** The first placeholder that names no member of an event, or a whole object where a single value is needed. Null: all are right. */
export function unknownPlaceholder(template: string): string | null {
  for (const [, between = ''] of template.matchAll(placeholder)) {
    const { isJson, path } = read(between)
    const value = valueAt(everyMember, path)
    if (value === undefined || (!isJson && !isPlain(value))) return path
  }
  return null
}

/**
 * The template with the members of the event in place of `{{data.service.name}}` and the like; `{{json data.checks}}` is a member as JSON.
 * `written` makes a text fit its place in the body.
 */
export function fillTemplate(template: string, event: EventBody, written: (text: string) => string): string {
  return template.replaceAll(placeholder, (_, between: string) => {
    const { isJson, path } = read(between)
    const value = valueAt(event, path) ?? null
    if (isJson) return JSON.stringify(value)
    return value === null ? '' : written(String(value))
  })
}

/** Within the quotes of a JSON text. */
export function asJsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
