import type { Sql } from 'sql-template-tag'
import { appendAudit, noOwner, ownerOfWhole } from '../database/accounts/audit-log.ts'
import type { Database, Executor } from '../database/connect.ts'
import { auditSource, difference, marked, whole } from '../domain/access/audit.ts'
import { all, oneOf, type Row } from '../domain/queries/condition.ts'
import type { Call, Change, Operation, Trail } from './call.ts'
import type { Resource } from './declare.ts'
import { isForAnybody } from './keys.ts'
import { locatedKey } from './locate.ts'
import { itemPath } from './paths.ts'
import { presentValue } from './present.ts'
import { ApiError } from './problems.ts'
import { shownFields } from './query.ts'
import { readOne } from './select.ts'

/** The audit log: one record for each transaction of an operation that changed something, in that transaction. */

const unrecorded = /\.(search|preview|trial|force_custom_analysis|write_setting|remove_setting|(passkey_2fa_)?options)$/

/** True if the operation changes something that the audit log tells. Logins have a log of their own. */
export function isRecorded(operation: Operation): boolean {
  return operation.method !== 'GET' && !isForAnybody(operation) && !unrecorded.test(operation.id)
}

const writing = /^\s*(insert|update|delete|with)\b/i

interface State {
  changes: Change[]
  isExpected: boolean
  hasWritten: boolean
  /** The object of the path before the first statement that writes. */
  before: Row | null
  parameters: Call['parameters']
}

/** The call with a database that records what is changed through it. */
export function recorded(call: Call, operation: Operation): Call {
  if (!isRecorded(operation)) return call
  const state: State = {
    ...{ changes: [], isExpected: false, hasWritten: false, before: null },
    parameters: call.parameters,
  }
  const trail: Trail = {
    expect: () => {
      state.isExpected = true
    },
    note: (change) => state.changes.push(change),
    turnTo: (parameters) => {
      state.parameters = parameters
    },
  }
  return { ...call, trail, database: recordingDatabase(call, operation, state) }
}

function recordingDatabase(call: Call, operation: Operation, state: State): Database {
  const { database } = call
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (executor) => {
      Object.assign(state, { changes: [], isExpected: false, hasWritten: false, before: null })
      const result = await work(watching(executor, call, operation, state))
      await append(executor, call, operation, state)
      return result
    })
  return {
    ...database,
    transaction,
    query: (statement, name) =>
      writing.test(statement.text)
        ? transaction((executor) => executor.query(statement, name))
        : database.query(statement, name),
    execute: (statement, name) =>
      writing.test(statement.text)
        ? transaction((executor) => executor.execute(statement, name))
        : database.execute(statement, name),
  }
}

/** Notices the first statement that writes, and reads the object before it unless its change is going to be noted. */
function watching(executor: Executor, call: Call, operation: Operation, state: State): Executor {
  const before = async ({ text }: Sql): Promise<void> => {
    if (state.hasWritten || !writing.test(text)) return
    state.hasWritten = true
    if (!state.isExpected) state.before = await subject(executor, call, operation, state)
  }
  return {
    async query(statement, name) {
      await before(statement)
      return executor.query(statement, name)
    },
    async execute(statement, name) {
      await before(statement)
      return executor.execute(statement, name)
    },
  }
}

function resourceOf({ registry }: Call, { resource }: Operation): Resource | null {
  return resource === undefined ? null : registry.get(resource)
}

/** The object of the path, if the path names one and the caller may read it. */
async function subject(executor: Executor, call: Call, operation: Operation, state: State): Promise<Row | null> {
  const resource = resourceOf(call, operation)
  const isOfObject = resource !== null && (operation.path.startsWith(itemPath(resource)) || isTurned(call, state))
  if (!isOfObject || resource.source.kind === 'prepared') return null
  try {
    const key = await locatedKey(resource, { ...call, parameters: state.parameters }, executor)
    const where = all(...Object.entries(key).map(([field, value]) => oneOf(field, [value])))
    return await readOne(resource, call, { where, columns: Object.keys(resource.fields), flags: [] }, executor)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function isTurned({ parameters }: Call, state: State): boolean {
  return state.parameters !== parameters
}

async function append(executor: Executor, call: Call, operation: Operation, state: State): Promise<void> {
  if (!state.hasWritten) return
  const { changes } = state
  if (changes.length > 0) {
    for (const change of changes) await appendChange(executor, call, operation, change)
    return
  }
  const resource = resourceOf(call, operation)
  const after = state.before === null ? null : await subject(executor, call, operation, state)
  await appendChange(executor, call, operation, { resource, before: state.before, after, isAction: true })
}

type Recorded = Omit<Change, 'resource'> & {
  readonly resource: Resource | null
  /** It is recorded even if the object shows nothing of it. */
  readonly isAction?: true
}

/** A change to the values that were there already. */
function isNothing({ before, after }: { readonly before: unknown; readonly after: unknown }): boolean {
  return [before, after].every((side) => side !== null && Object.keys(side as Row).length === 0)
}

async function appendChange(executor: Executor, call: Call, operation: Operation, change: Recorded): Promise<void> {
  const { caller } = call
  const { resource, before, after, isAction = false } = change
  const row = after ?? before
  const told = resource === null ? { before: null, after: null } : sidesOf(resource, call, change)
  if (isNothing(told) && !isAction) return
  await appendAudit(executor, {
    ownerId: await ownerOf(executor, call, resource, row ?? {}),
    at: call.nowAt,
    accountId: caller.account_id === 0 ? null : caller.account_id,
    apiKeyId: caller.key?.id ?? null,
    ipAddress: call.ipAddress,
    source: auditSource(call.source, caller),
    operation: operation.id,
    resource: resource?.name ?? operation.tag,
    objectId: resource === null || row === null ? null : idOf(resource, row),
    ...told,
  })
}

function idOf({ key }: Resource, row: Row): string | null {
  const parts = key.map((name) => row[name])
  return parts.some((part) => part === undefined || part === null) ? null : parts.join('/')
}

const ofTheirId = ['accounts', 'admin/accounts']

/** The account whose log tells of it: the owner of the object, else the caller's. */
async function ownerOf(executor: Executor, { caller }: Call, resource: Resource | null, row: Row): Promise<number> {
  if (typeof row['owner_id'] === 'number') return row['owner_id']
  if (resource !== null && ofTheirId.includes(resource.name) && row['id'] !== undefined) {
    // The displayed parent may be the maker of the account, whose log is another one.
    const parentId = row[Object.hasOwn(row, 'family_parent_id') ? 'family_parent_id' : 'parent_account_id']
    return Number(parentId ?? row['id'])
  }
  const own = caller.scope === 'customer' ? caller.primary_account_id : noOwner
  return (await ownerOfWhole(executor, row)) ?? own
}

/** The displayed values of a row, with marks for secrets and personal data. Undeclared members are left out. */
function toldOf(resource: Resource, call: Call, row: Row, other: Row | null): Row {
  const told: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(resource.fields)) {
    const stored = row[name]
    if (field.internal || stored === undefined || (field.computed && other !== null)) continue
    if (field.writeOnly || field.isPersonal) told[name] = marked(name, { stored, shown: null }, other?.[name])
    else if (shownFields(resource).includes(name)) {
      const value = field.shown?.(stored, row, call.language, call.baseUrl) ?? stored
      const shown = presentValue(field, value)
      told[name] = marked(name, { stored, shown: shown ?? null }, other?.[name])
    }
  }
  return told
}

function sidesOf(resource: Resource, call: Call, { before, after }: Recorded): { before: unknown; after: unknown } {
  const shownBefore = before === null ? null : toldOf(resource, call, before, after === null ? null : before)
  const shownAfter = after === null ? null : toldOf(resource, call, after, before)
  if (shownBefore !== null && shownAfter !== null) return difference(shownBefore, shownAfter)
  return {
    before: shownBefore === null ? null : whole(shownBefore),
    after: shownAfter === null ? null : whole(shownAfter),
  }
}
