import type { Answer, Call } from '../call.ts'
import type { Resource } from '../declare.ts'
import { located } from '../locate.ts'
import { refuse } from '../problems.ts'
import { parseFlags } from '../query.ts'
import { readOne } from '../select.ts'

/** `GET /{resource}/{_id}/permissions` */
export async function permissions(resource: Resource, call: Call): Promise<Answer> {
  const flags = parseFlags(resource, call)
  const row = await readOne(resource, call, { where: await located(resource, call), columns: [], flags })
  const shown = (row ?? refuse('not_found'))['permissions'] as Readonly<Record<string, unknown>>
  return { status: 200, body: Object.fromEntries(flags.map((flag) => [flag, shown[flag]])) }
}
