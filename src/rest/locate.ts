import type { Executor } from '../database/connect.ts'
import { lacksPermission } from '../domain/access/lacking-right.ts'
import { isStorable } from '../domain/input/storable.ts'
import { all, always, type Condition, oneOf, type Row } from '../domain/queries/condition.ts'
import type { Call } from './call.ts'
import type { Resource } from './declare.ts'
import type { Field } from './fields.ts'
import { itemPath } from './paths.ts'
import { refuse, refuseWith } from './problems.ts'
import { type RowLock, readOne } from './select.ts'

/** The value of a key written in a path; undefined when it can be no key of this field. */
function keyValue(resource: Resource, fieldName: string, written: string): string | number | undefined {
  const field = resource.fields[fieldName]
  if (field?.kind !== 'integer') return isStorable(written) ? written : undefined
  return /^\d{1,15}$/.test(written) && isWithin(field, Number(written)) ? Number(written) : undefined
}

function isWithin({ minimum, maximum }: Field, value: number): boolean {
  return value >= (minimum ?? 0) && value <= (maximum ?? Number.MAX_SAFE_INTEGER)
}

const parameterName = /^\{(\w+)\}$/

/** The parent's name for each parameter that its path shares with the resource's: `_account_id` → `_id`. */
function parentNames(resource: Resource, parent: Resource): ReadonlyMap<string, string> {
  const own = resource.path.split('/')
  const pairs = itemPath(parent)
    .split('/')
    .flatMap((segment, index) => {
      const name = parameterName.exec(segment)?.[1]
      const ownName = parameterName.exec(own[index] ?? '')?.[1]
      return name === undefined || ownName === undefined ? [] : [[ownName, name] as const]
    })
  return new Map(pairs)
}

/** Reads the object above; refuses when the caller lacks the flag that everything below it needs. */
async function readAbove(resource: Resource, parent: Resource, call: Call, executor: Executor): Promise<Row> {
  const named = [...parentNames(resource, parent)].map(([own, name]) => [name, call.parameters[own] ?? ''])
  const parameters = { ...call.parameters, ...Object.fromEntries(named) }
  const { readFlag } = resource
  const options = { columns: Object.values(parent.bound), flags: readFlag === null ? [] : [readFlag] }
  const row = await locatedRow(parent, { ...call, parameters }, options, executor)
  if (readFlag !== null && (row['permissions'] as Row)[readFlag] !== true)
    return refuseWith(lacksPermission(call.caller, readFlag))
  return row
}

/**
 * The condition of the path's parameters on the rows: identifiers and aliases are resolved, and the parent object is
 * readable. Refuses with not_found if there can be no such object.
 */
export async function located(resource: Resource, call: Call, executor: Executor = call.database): Promise<Condition> {
  const key = await locatedKey(resource, call, executor)
  return all(always(true), ...Object.entries(key).map(([field, value]) => oneOf(field, [value])))
}

/** The same as values of the fields that the path binds. */
export async function locatedKey(
  resource: Resource,
  call: Call,
  executor: Executor = call.database,
): Promise<Readonly<Record<string, string | number>>> {
  const parent = resource.parent === null ? null : call.registry.get(resource.parent)
  const above = parent === null ? null : await readAbove(resource, parent, call, executor)
  const names = parent === null ? new Map<string, string>() : parentNames(resource, parent)
  const bound: Record<string, string | number> = {}
  for (const [parameter, field] of Object.entries(resource.bound)) {
    const written = call.parameters[parameter]
    if (written === undefined) continue
    const alias = Object.hasOwn(resource.alias, written) ? resource.alias[written] : undefined
    // The parent has understood its own aliases already.
    const known = above?.[parent?.bound[names.get(parameter) ?? ''] ?? '']
    const value = known ?? (alias === undefined ? keyValue(resource, field, written) : await alias(call, bound))
    if (typeof value !== 'string' && typeof value !== 'number') return refuse('not_found')
    bound[field] = value
  }
  return bound
}

/**
 * Reads one located object, whole or some columns and its key, with permission flags. Refuses with not_found if the
 * caller may not read it.
 */
export async function locatedRow(
  resource: Resource,
  call: Call,
  options: { readonly flags: readonly string[]; readonly columns?: readonly string[]; readonly lock?: RowLock },
  executor: Executor = call.database,
): Promise<Row> {
  const where = await located(resource, call, executor)
  const row = await readOne(
    resource,
    call,
    { where, columns: options.columns ?? Object.keys(resource.fields), ...options },
    executor,
  )
  return row ?? refuse('not_found')
}

/** Reads the object named by `_id`, whole, with all its permission flags. */
export function readParent(parent: Resource, call: Call, executor: Executor = call.database): Promise<Row> {
  return locatedRow(parent, call, { flags: Object.keys(parent.permissions(call.caller)) }, executor)
}
