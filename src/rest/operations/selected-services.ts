import { isObject } from '../../domain/input/json.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { all, always, any, type Condition, is } from '../../domain/queries/condition.ts'
import type { Call } from '../call.ts'
import { boolean, type Fields, integer, list, text } from '../fields.ts'
import type { Values } from '../input.ts'
import { refuse } from '../problems.ts'
import { readPage } from '../select.ts'

/** Members that stand for services beside their identifiers. */
export const selections: Fields = {
  group_ids: list(integer({ minimum: 1, example: 1 }), {
    about:
      'Instead of `service_ids`: the services of these groups that the caller may change and that are not archived.',
    maximumLength: 100,
    example: [1],
  }),
  tags: list(text({ minimumLength: 1, maximumLength: 50 }), {
    about: 'Instead of `service_ids`: those that have any of these tags.',
    maximumLength: 50,
    example: ['web'],
  }),
  all: boolean({ about: 'Instead of `service_ids`, and true: all of them.', example: true }),
}

const names = ['service_ids', 'group_ids', 'tags', 'all'] as const
type Name = (typeof names)[number]

function conditionOf(name: Name, values: Values): Condition {
  const among = (field: string, member: Name) =>
    any(...(values[member] as readonly (string | number)[]).map((value) => is(field, value)))
  if (name === 'group_ids') return among('group_id', name)
  if (name === 'tags') return among('tags', name)
  return always(true)
}

function namesIn(values: Values): readonly Name[] {
  return names.filter((name) => values[name] !== undefined && values[name] !== false)
}

/** Exactly one of the members says which services are meant. `body` as it was written. */
export function selectionProblems(body: unknown): readonly Problem[] {
  if (!isObject(body)) return []
  const [name, ...further] = namesIn(body)
  if (name === undefined) return [{ error: 'missing_value', field: 'data.service_ids', facts: { name: 'service_ids' } }]
  return further.map((one) => ({ error: 'incorrect_value', field: `data.${one}`, facts: { detail: 'one_selection' } }))
}

/** Identifiers of the services that the values of a body select; `flag` is the permission that they need. */
export async function selectedServices(
  call: Call,
  values: Values,
  { flag, maximum }: { readonly flag: string; readonly maximum: number },
): Promise<readonly unknown[]> {
  const [name = 'service_ids'] = namesIn(values)
  if (name === 'service_ids') return values[name] as readonly unknown[]
  const where = all(conditionOf(name, values), is('is_archived', false), is(`permissions.${flag}`, true))
  const { page } = await readPage(call.registry.get('services'), call, {
    where,
    sort: [{ path: 'id', descending: false }],
    limit: maximum + 1,
    offset: 0,
    columns: ['id'],
    flags: [],
  })
  if (page.length > maximum) refuse('value_too_long', `data.${name}`, { maximum })
  if (page.length === 0) refuse('incorrect_value', `data.${name}`, { detail: 'nothing_selected' })
  const idAt = page.column('id')
  return Array.from({ length: page.length }, (_, place) => idAt(place))
}
