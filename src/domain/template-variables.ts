import { notificationConditionIds } from './dictionaries.ts'
import type { TemplateKind, TemplateShape } from './template-check.ts'

/** What templates of messages may name, in the order of the dictionary. `list`: of elements, whose members follow it. */
export const templateVariables = {
  condition: 'text',
  failure: 'boolean',
  failure_continuation: 'boolean',
  silent_failure: 'boolean',
  recovery: 'boolean',
  pause: 'boolean',
  test: 'boolean',
  headline: 'text',
  reason: 'text',
  pause_reason: 'text',
  start_time: 'time',
  duration: 'seconds',
  seen_by: 'text',
  'previous.status': 'text',
  'previous.start_time': 'time',
  'service.id': 'number',
  'service.name': 'text',
  'service.address': 'text',
  'service.type': 'text',
  'service.url': 'text',
  'service.tags': 'texts',
  'group.id': 'number',
  'group.name': 'text',
  'analysis.id': 'text',
  'analysis.url': 'text',
  'analysis.ok': 'number',
  'analysis.error': 'number',
  'analysis.unknown': 'number',
  acknowledge_url: 'text',
  checks: 'list',
  'checks.sensor': 'text',
  'checks.result': 'text',
  'checks.outcome': 'text',
  'checks.reason': 'text',
  'checks.message': 'text',
  'checks.response_time': 'number',
  'checks.url': 'text',
  'checks.artifacts': 'text',
  failed_checks: 'list',
  'failed_checks.sensor': 'text',
  'failed_checks.result': 'text',
  'failed_checks.outcome': 'text',
  'failed_checks.reason': 'text',
  'failed_checks.message': 'text',
  'failed_checks.response_time': 'number',
  'failed_checks.url': 'text',
  'failed_checks.artifacts': 'text',
  failures: 'list',
  'failures.start_time': 'time',
  'failures.end_time': 'time',
  'failures.duration': 'seconds',
  meanings: 'list',
  'meanings.name': 'text',
  'meanings.text': 'text',
  summary: 'list',
  'summary.label': 'text',
  'summary.value': 'text',
  'summary.line': 'text',
  identity: 'list',
  'identity.label': 'text',
  'identity.value': 'text',
  'identity.line': 'text',
  time_zone: 'text',
  'message.subject': 'text',
  'message.text': 'text',
} as const satisfies Readonly<Record<string, TemplateKind | 'texts' | 'list'>>

export type TemplateVariable = keyof typeof templateVariables

export const templateVariableIds = Object.keys(templateVariables) as readonly TemplateVariable[]

/** What a message is told for: the conditions of notifications, and a test. */
export const messageConditions = [...notificationConditionIds, 'test'] as const

/** The same as a tree, to which templates are held. */
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
  const kind = templateVariables[id]
  if (kind === 'texts') return { list: 'text' }
  return kind === 'list' ? { list: { members: membersBelow(`${id}.`) } } : kind
}
