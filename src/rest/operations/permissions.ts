import type { Answer, Call } from '../call.ts'
import type { Resource } from '../declare.ts'
import { located } from '../locate.ts'
import { ApiError, refuse } from '../problems.ts'
import { readOne } from '../select.ts'

function wantedFlags(resource: Resource, call: Call): readonly string[] {
  const possible = Object.keys(resource.permissions(call.caller))
  const named = (call.query.get('fields') ?? '').split(',').filter((name) => name !== '')
  const unknown = named
    .map((name, index) => ({ name, index }))
    .filter(({ name }) => !possible.includes(name))
    .map(({ name, index }) => ({ error: 'incorrect_value', field: `query.fields[${index}]`, facts: { value: name } }))
  if (unknown.length > 0) throw new ApiError(unknown)
  return named.length > 0 ? named : possible
}

/** `GET /{resource}/{_id}/permissions` */
export async function permissions(resource: Resource, call: Call): Promise<Answer> {
  const flags = wantedFlags(resource, call)
  const row = await readOne(resource, call, { where: await located(resource, call), columns: [], flags })
  const shown = (row ?? refuse('not_found'))['permissions'] as Readonly<Record<string, unknown>>
  return { status: 200, body: Object.fromEntries(flags.map((flag) => [flag, shown[flag]])) }
}
