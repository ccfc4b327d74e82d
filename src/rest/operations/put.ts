import type { Executor } from '../../database/connect.ts'
import { all, always, holds, oneOf, type Row } from '../../domain/queries/condition.ts'
import type { Answer, Call } from '../call.ts'
import type { Resource } from '../declare.ts'
import { readKnown } from '../input.ts'
import { locatedKey, locatedRow } from '../locate.ts'
import { refuse } from '../problems.ts'
import { readOne } from '../select.ts'
import { countLimitProblems } from './count-limit.ts'
import { refuseCreation } from './create.ts'
import { change } from './update.ts'
import { insertRow, refuseWrite } from './write.ts'

/**
 * Creating below an object is a right to that object. It is locked, so that of two creations with one key the second is
 * a change.
 */
async function mayCreate(resource: Resource, transaction: Executor, call: Call): Promise<boolean> {
  const { parent, write } = resource
  if (parent === null) throw new Error(`${resource.name} has no parent that could hold two creations apart.`)
  const flag = write.parentFlag ?? 'update'
  const above = await locatedRow(call.registry.get(parent), call, { flags: [flag], lock: 'change' }, transaction)
  return (above['permissions'] as Row)[flag] === true && holds(write.allowed?.(call) ?? always(true), {})
}

async function createKnown(resource: Resource, transaction: Executor, call: Call, key: Row): Promise<void> {
  const { write } = resource
  const given = readKnown(resource.fields, call.body, key, call.nowAt)
  const facts = await write.facts?.(transaction, call, given.values, null)
  const completed = write.complete?.(given.values, null, facts, call) ?? { row: given.values, problems: [] }
  const ruled = write.rules?.(completed.row, facts, null) ?? []
  const limited = await countLimitProblems(resource, transaction, completed.row, null)
  refuseWrite([...given.problems, ...completed.problems, ...ruled, ...limited])
  const created = await insertRow(resource, transaction, completed.row)
  await write.created?.(transaction, call, { ...completed.row, ...created }, facts)
  refuseWrite((await write.concluded?.(transaction, call, { ...completed.row, ...created }, facts)) ?? [])
  call.trail?.note({ resource, before: null, after: { ...completed.row, ...created } })
}

/** `PUT /{resource}/{_id}` where the key is known beforehand: modifies the object, or creates it. */
export async function put(resource: Resource, call: Call): Promise<Answer> {
  await call.database.transaction(async (transaction) => {
    call.trail?.expect()
    const isAllowed = await mayCreate(resource, transaction, call)
    const key = await locatedKey(resource, call, transaction)
    const where = all(...Object.entries(key).map(([field, value]) => oneOf(field, [value])))
    const present = await readOne(resource, call, { where, columns: [], flags: [] }, transaction)
    if (present !== null) {
      await change(resource, transaction, call)
      return
    }
    if (call.ifMatch !== null) return refuse('object_changed')
    if (!isAllowed) return refuseCreation(resource, call, resource.write.parentFlag ?? 'update')
    return createKnown(resource, transaction, call, key)
  })
  return { status: 204 }
}
