import { isDeepStrictEqual } from 'node:util'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { lockKeys } from '../../database/locks.ts'
import { isManagedState } from '../../domain/configuration/managed-key.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { always, type Row, valueAt } from '../../domain/queries/condition.ts'
import type { Call } from '../call.ts'
import type { Resource } from '../declare.ts'

/** The rules of configuration as code for every write to its objects, beside those of the resource. */

async function ownerOf({ configuration }: Resource, transaction: Executor, row: Row): Promise<unknown> {
  const above = configuration?.ownerOf
  if (above === undefined) return row['owner_id']
  const id = row[above.field]
  if (typeof id !== 'number') return undefined
  const [found] = await transaction.query<{ owner_id: number }>(sql`
    select owner_id from ${raw(above.table)} where id = ${id}`)
  return found?.owner_id
}

function rowsOf({ source, name }: Resource, call: Call): Sql {
  if (source.kind !== 'table') throw new Error(`${name} is stored in no table.`)
  return source.select === null ? raw(`"${source.name}"`) : sql`(${source.select(call, always(true))})`
}

/** Problems: incorrect_value, value_is_not_unique. Until the transaction ends nobody else takes the key. */
export async function managedProblems(
  resource: Resource,
  transaction: Executor,
  call: Call,
  { row, before }: { readonly row: Row; readonly before: Row | null },
): Promise<readonly Problem[]> {
  if (resource.configuration === null) return []
  const { managed_key: key = null, managed_by: by = null, managed_state: state = null } = row
  const isSame = (name: string) => isDeepStrictEqual(row[name] ?? null, before?.[name] ?? null)
  if (!isSame('managed_state') && state !== null && !isManagedState(state)) return [wrongState]
  const isForeign = before === null && [key, by, state].some((value) => value !== null)
  if (isForeign && !(await isOfCallersSide(resource, transaction, call, row))) return strangersProblems(row)
  if (isSame('managed_key') && isSame('managed_by')) return []
  if ((key === null) !== (by === null)) return [alone(key === null ? 'managed_key' : 'managed_by')]
  if (key === null) return []
  const ownerId = await ownerOf(resource, transaction, row)
  if (typeof ownerId !== 'number') return []
  if (!call.caller.account_ids.includes(ownerId)) return strangersProblems({ managed_key: key })
  const digest = [resource.name, ownerId, by, key].join(' ')
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.managedKeys}, hashtext(${digest}))`)
  const taken = await transaction.query(sql`
    select 1 from ${rowsOf(resource, call)} other
    where other.managed_key = ${key} and other.managed_by = ${by} and other.owner_id = ${ownerId}
      and other.id is distinct from ${before?.['id'] ?? null} limit 1`)
  return taken.length === 0 ? [] : [{ error: 'value_is_not_unique', field: 'data.managed_key' }]
}

const wrongState: Problem = {
  ...{ error: 'incorrect_type', field: 'data.managed_state' },
  facts: { expected: 'object' },
}

const markNames = ['managed_key', 'managed_by', 'managed_state'] as const

function strangersProblems(row: Row): readonly Problem[] {
  const facts = { detail: 'object_of_owner' }
  const named = markNames.filter((name) => row[name] !== null && row[name] !== undefined)
  return named.map((name) => ({ error: 'incorrect_value', field: `data.${name}`, facts }))
}

/** True too for an object whose owner is unknown: other rules tell of that. */
async function isOfCallersSide(
  resource: Resource,
  transaction: Executor,
  { caller }: Call,
  row: Row,
): Promise<boolean> {
  const ownerId = await ownerOf(resource, transaction, row)
  return typeof ownerId !== 'number' || caller.account_ids.includes(ownerId)
}

/**
 * The values of a change without the owner's mark, for callers beyond the owner's side. They read null in its place, so
 * null from them changes nothing, and anything else is refused.
 */
export async function withoutOwnersMark(
  resource: Resource,
  transaction: Executor,
  call: Call,
  { given, before }: { readonly given: Row; readonly before: Row },
): Promise<{ readonly values: Row; readonly problems: readonly Problem[] }> {
  const isNamed = resource.configuration !== null && markNames.some((name) => Object.hasOwn(given, name))
  if (!isNamed || (await isOfCallersSide(resource, transaction, call, before))) return { values: given, problems: [] }
  const { managed_key: _key, managed_by: _by, managed_state: _state, ...values } = given
  return { values, problems: strangersProblems(given) }
}

function alone(name: string): Problem {
  return { error: 'missing_value', field: `data.${name}`, facts: { name } }
}

/**
 * A secret that is changed by hand is no longer the one that the configuration set: its digest is forgotten. A change
 * by the configuration itself brings new digests.
 */
export async function forgetChangedSecrets(
  resource: Resource,
  transaction: Executor,
  { given, row, before }: { readonly given: Row; readonly row: Row; readonly before: Row },
): Promise<void> {
  const paths = resource.configuration?.secrets?.(row) ?? []
  const { source } = resource
  if (paths.length === 0 || source.kind !== 'table') return
  if (Object.hasOwn(given, 'managed_state')) return
  const changed = paths.filter((path) => !isDeepStrictEqual(valueAt(row, path), valueAt(before, path)))
  if (changed.length === 0) return
  await transaction.execute(sql`
    update ${raw(`"${source.name}"`)} set managed_state = managed_state - ${changed}::text[]
    where id = ${row['id']} and managed_state is not null`)
}
