import { type Condition, oneOf, type Row } from '../../domain/queries/condition.ts'
import type { Answer, Call } from '../call.ts'
import type { Resource } from '../declare.ts'
import { located, readParent } from '../locate.ts'
import { needsOf, present } from '../present.ts'
import { refuse } from '../problems.ts'
import { parseRead } from '../query.ts'
import { readOne } from '../select.ts'

const changing = { update: 'PUT', delete: 'DELETE' } as const

/** The methods that this caller may use on this object. */
function allowed(resource: Resource, row: Row): string {
  const permissions = (row['permissions'] ?? {}) as Row
  const methods = ['GET', 'HEAD', 'OPTIONS']
  const canChange = resource.operations.includes('update') || resource.operations.includes('put')
  if (canChange && permissions['update'] === true) methods.push(changing.update)
  if (resource.operations.includes('remove') && permissions['delete'] === true) methods.push(changing.delete)
  return methods.join(', ')
}

async function readWhere(resource: Resource, call: Call, where: Condition): Promise<Answer> {
  const request = parseRead(resource, call)
  const needs = needsOf(resource, call, request)
  const possible = Object.keys(resource.permissions(call.caller))
  const flags = new Set([...needs.flags, ...Object.keys(changing).filter((flag) => possible.includes(flag))])
  const row = await readOne(resource, call, { where, columns: needs.columns, flags: [...flags] })
  if (row === null) return refuse('not_found')
  const body = await present(resource, call, request, withOnly(row, needs.flags))
  return { status: 200, body, headers: { Allow: allowed(resource, row) } }
}

/** The row with just those permission flags that were asked for. */
function withOnly(row: Row, flags: readonly string[]): Row {
  if (flags.length === 0) return row
  const permissions = (row['permissions'] ?? {}) as Row
  return { ...row, permissions: Object.fromEntries(flags.map((flag) => [flag, permissions[flag]])) }
}

/** `GET /{resource}/{_id}` */
export async function read(resource: Resource, call: Call): Promise<Answer> {
  return readWhere(resource, call, await located(resource, call))
}

/** `GET /{resource}/{_id}/{relation}`: the related object itself. */
export async function readRelated(resource: Resource, name: string, call: Call): Promise<Answer> {
  const row = await readParent(resource, call)
  const relation = resource.relations[name]
  const key = relation === undefined ? null : row[relation.by]
  if (relation === undefined || (typeof key !== 'string' && typeof key !== 'number')) return refuse('not_found')
  return readWhere(call.registry.get(relation.to), call, oneOf(relation.key, [key]))
}
