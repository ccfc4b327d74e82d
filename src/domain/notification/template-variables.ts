import { notificationConditionIds } from '../dictionaries.ts'
import type { TemplateKind, TemplateShape } from './template-check.ts'

/**
 * The variables of message templates, with an example, in the order of the dictionary. `list`: its elements' members
 * follow it. `texts`: a list of texts; the example is one of them.
 */
export const templateVariables = {
  condition: ['text', 'failure'],
  failure: ['boolean', true],
  failure_continuation: ['boolean', false],
  silent_failure: ['boolean', false],
  recovery: ['boolean', false],
  pause: ['boolean', false],
  degraded: ['boolean', false],
  degraded_end: ['boolean', false],
  test: ['boolean', false],
  headline: ['text', 'FAILURE'],
  reason: ['text', 'Connection refused'],
  pause_reason: ['text', 'stopped by a user'],
  start_time: ['time', '2026-11-21T11:13:00Z'],
  duration: ['seconds', 303],
  seen_by: ['text', '2 of 3 stations'],
  'previous.status': ['text', 'working'],
  'previous.start_time': ['time', '2026-11-20T11:13:00Z'],
  'service.id': ['number', 12],
  'service.name': ['text', 'Shop'],
  'service.address': ['text', 'http://shop.example.com/'],
  'service.type': ['text', 'HTTP'],
  'service.url': ['text', 'https://watch.example.com/services/12'],
  'service.tags': ['texts', 'web'],
  'group.id': ['number', 3],
  'group.name': ['text', 'Default'],
  'analysis.id': ['text', '176372358000000'],
  'analysis.url': ['text', 'https://watch.example.com/services/12/analyses/176372358000000'],
  'analysis.ok': ['number', 1],
  'analysis.error': ['number', 2],
  'analysis.unknown': ['number', 0],
  'escalation.name': ['text', 'Night shift'],
  'escalation.step': ['number', 1],
  'escalation.steps': ['number', 3],
  'escalation.repeat': ['number', 0],
  acknowledge_url: ['text', 'https://watch.example.com/acknowledge?token=EXAMPLE'],
  checks: ['list', null],
  'checks.sensor': ['text', 'Warszawa 1 (Warszawa, Polska)'],
  'checks.result': ['text', 'error'],
  'checks.outcome': ['text', 'ERROR, 12 ms, Connection refused'],
  'checks.reason': ['text', 'Connection refused'],
  'checks.message': ['text', 'connect ECONNREFUSED 192.0.2.7:80'],
  'checks.response_time': ['number', 12],
  'checks.url': ['text', 'https://watch.example.com/services/12/analyses/176372358000000#sensor-1'],
  'checks.artifacts': ['text', 'Screenshot'],
  failed_checks: ['list', null],
  'failed_checks.sensor': ['text', 'Warszawa 1 (Warszawa, Polska)'],
  'failed_checks.result': ['text', 'error'],
  'failed_checks.outcome': ['text', 'ERROR, 12 ms, Connection refused'],
  'failed_checks.reason': ['text', 'Connection refused'],
  'failed_checks.message': ['text', 'connect ECONNREFUSED 192.0.2.7:80'],
  'failed_checks.response_time': ['number', 12],
  'failed_checks.url': ['text', 'https://watch.example.com/services/12/analyses/176372358000000#sensor-1'],
  'failed_checks.artifacts': ['text', 'Screenshot'],
  failures: ['list', null],
  'failures.start_time': ['time', '2026-11-21T11:13:00Z'],
  'failures.end_time': ['time', '2026-11-21T11:18:03Z'],
  'failures.duration': ['seconds', 303],
  meanings: ['list', null],
  'meanings.name': ['text', 'Connection refused'],
  'meanings.text': ['text', 'Nothing listens at this address and port.'],
  summary: ['list', null],
  'summary.label': ['text', 'Since'],
  'summary.value': ['text', '2026-11-21 12:13:00 +01:00'],
  'summary.line': ['text', 'Since:   2026-11-21 12:13:00 +01:00'],
  identity: ['list', null],
  'identity.label': ['text', 'Group'],
  'identity.value': ['text', 'Default'],
  'identity.line': ['text', 'Group:    Default'],
  time_zone: ['text', 'Europe/Warsaw'],
  'message.subject': ['text', 'Shop: FAILURE: Connection refused'],
  'message.text': ['text', 'FAILURE: Shop …'],
} as const satisfies Readonly<
  Record<string, readonly [kind: TemplateKind | 'texts' | 'list', example: string | number | boolean | null]>
>

export type TemplateVariable = keyof typeof templateVariables

export const templateVariableIds = Object.keys(templateVariables) as readonly TemplateVariable[]

/** The reasons for a message: the conditions of notifications, and a test. */
export const messageConditions = [...notificationConditionIds, 'test'] as const

/** The same variables as a tree, against which templates are checked. */
export const messageShape: TemplateShape = { members: membersBelow('') }

function membersBelow(prefix: string): Readonly<Record<string, TemplateShape>> {
  const members: Record<string, TemplateShape> = {}
  for (const id of templateVariableIds.filter((each) => each.startsWith(prefix))) {
    const [name = '', ...deeper] = id.slice(prefix.length).split('.')
    if (deeper.length === 0) members[name] = shapeOf(id)
    else members[name] ??= { members: membersBelow(`${prefix}${name}.`) }
  }
  return members
}

function shapeOf(id: TemplateVariable): TemplateShape {
  const [kind] = templateVariables[id]
  if (kind === 'texts') return { list: 'text' }
  return kind === 'list' ? { list: { members: membersBelow(`${id}.`) } } : kind
}
