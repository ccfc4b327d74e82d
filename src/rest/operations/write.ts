import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Row } from '../../domain/queries/condition.ts'
import type { Call } from '../call.ts'
import type { Resource } from '../declare.ts'
import type { Field } from '../fields.ts'
import { locatedRow } from '../locate.ts'
import { ApiError, refuse, refuseWith } from '../problems.ts'

/** Stops the write if there are problems. A missing permission hides faults of the values. */
export function refuseWrite(problems: readonly Problem[]): void {
  const forbidden = problems.filter((problem) => problem.error === 'forbidden')
  if (problems.length > 0) throw new ApiError(forbidden.length > 0 ? forbidden.slice(0, 1) : problems)
}

function asColumn(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (field.stored === 'json') return JSON.stringify(value)
  if (field.stored !== undefined) return field.stored(value)
  return field.kind === 'moment' ? new Date(Number(value)) : value
}

function columnsOf(resource: Resource, values: Row): { name: Sql; value: unknown }[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = resource.fields[name]
    const isColumn = field !== undefined && !field.internal && !field.writeOnly && !field.embedOnly && !field.elsewhere
    if (!isColumn || value === undefined) return []
    return [{ name: raw(`"${field.storedIn ?? name}"`), value: asColumn(field, value) }]
  })
}

function tableOf(resource: Resource): Sql {
  if (resource.source.kind !== 'table') throw new Error(`${resource.name} cannot be written.`)
  return raw(`"${resource.source.name}"`)
}

/** Inserts the row and returns the columns that identify it. */
export async function insertRow(resource: Resource, transaction: Executor, row: Row): Promise<Row> {
  const columns = columnsOf(resource, row)
  const names = join(columns.map(({ name }) => name))
  const values = join(columns.map(({ value }) => sql`${value}`))
  const identity = raw(
    Object.keys(resource.storedKey)
      .map((column) => `"${column}"`)
      .join(', '),
  )
  const statement = sql`insert into ${tableOf(resource)} (${names}) values (${values}) returning ${identity}`
  const [inserted] = await transaction.query<Row>(statement)
  return inserted ?? refuse('internal_error')
}

function storedRow(resource: Resource, row: Row): Sql {
  const parts = Object.entries(resource.storedKey).map(([column, field]) => sql`${raw(`"${column}"`)} = ${row[field]}`)
  return join(parts, ' and ')
}

/** Writes the given columns of the row. */
export async function updateRow(resource: Resource, transaction: Executor, row: Row, values: Row): Promise<void> {
  const columns = columnsOf(resource, values)
  if (columns.length === 0) return
  const changes = join(columns.map(({ name, value }) => sql`${name} = ${value}`))
  await transaction.execute(sql`update ${tableOf(resource)} set ${changes} where ${storedRow(resource, row)}`)
}

/** The table's rules delete dependent rows. */
export async function deleteRow(resource: Resource, transaction: Executor, row: Row): Promise<void> {
  await transaction.execute(sql`delete from ${tableOf(resource)} where ${storedRow(resource, row)}`)
}

async function lockedRow(resource: Resource, transaction: Executor, call: Call, flag: string): Promise<Row> {
  const { lockedBy } = resource.write
  const lock = flag === 'delete' ? 'removal' : 'change'
  if (lockedBy === undefined) return locatedRow(resource, call, { flags: [flag], lock }, transaction)
  const seen = await locatedRow(resource, call, { flags: [], columns: [lockedBy.field] }, transaction)
  await lockedBy.lock(transaction, Number(seen[lockedBy.field]))
  return locatedRow(resource, call, { flags: [flag] }, transaction)
}

/**
 * Locks the object for a write and reads it whole. Not readable: not_found. Readable without the flag: forbidden.
 */
export async function lockForWrite(resource: Resource, transaction: Executor, call: Call, flag: string): Promise<Row> {
  const row = await lockedRow(resource, transaction, call, flag)
  const { permissions, ...fields } = row
  if ((permissions as Row | undefined)?.[flag] !== true) {
    refuseWrite(resource.write.explain?.(fields, flag, call) ?? [])
    return refuseWith(lacksPermission(call.caller, flag))
  }
  return fields
}
