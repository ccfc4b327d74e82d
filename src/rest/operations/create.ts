import type { Executor } from '../../database/connect.ts'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import { always, holds, type Row } from '../../domain/queries/condition.ts'
import { type Answer, type Call, secretHeaders } from '../call.ts'
import type { Resource } from '../declare.ts'
import { readBody } from '../input.ts'
import { refuseWith } from '../problems.ts'
import { countLimitProblems } from './count-limit.ts'
import { managedProblems } from './managed.ts'
import { insertRow, refuseWrite } from './write.ts'

/** `permission`: the one to the object above that is lacking. */
export function refuseCreation({ write }: Resource, call: Call, permission: string | null): never {
  refuseWrite(write.explain?.({}, 'create', call) ?? [])
  return refuseWith(lacksPermission(call.caller, permission))
}

/** The row that the body would make, checked like any creation, and the facts behind it. Nothing is written. */
export async function acceptNew(
  resource: Resource,
  transaction: Executor,
  call: Call,
): Promise<{ row: Row; facts: unknown }> {
  const { write } = resource
  if (!holds(write.allowed?.(call) ?? always(true), {})) refuseCreation(resource, call, null)
  const given = readBody(resource.fields, call.body, call.nowAt)
  const facts = await write.facts?.(transaction, call, given.values, null)
  const completed = write.complete?.(given.values, null, facts, call) ?? { row: given.values, problems: [] }
  const ruled = write.rules?.(completed.row, facts, null) ?? []
  const limited = await countLimitProblems(resource, transaction, completed.row, null)
  const managed = await managedProblems(resource, transaction, call, { row: completed.row, before: null })
  const problems = [...given.problems, ...completed.problems, ...ruled, ...limited, ...managed]
  const crowded = problems.length === 0 ? undefined : await write.crowded?.(transaction, completed.row, facts)
  refuseWrite([...problems, ...(crowded ?? [])])
  return { row: completed.row, facts }
}

/** `POST /{resource}`: one transaction from the facts to the effects. */
export async function create(resource: Resource, call: Call): Promise<Answer> {
  const { write } = resource
  const { id, warnings, shown } = await call.database.transaction(async (transaction) => {
    call.trail?.expect()
    const { row, facts } = await acceptNew(resource, transaction, call)
    const created =
      (await write.insert?.(transaction, call, row, facts)) ?? (await insertRow(resource, transaction, row))
    await write.created?.(transaction, call, { ...row, ...created }, facts)
    call.trail?.note({ resource, before: null, after: { ...row, ...created } })
    const shown = Object.keys(write.revealed ?? {}).map((name) => [name, row[name]] as const)
    const warnings = await write.warnings?.(transaction, call, Number(created['id']))
    refuseWrite((await write.concluded?.(transaction, call, { ...row, ...created }, facts)) ?? [])
    return { id: created['id'], warnings, shown }
  })
  return {
    status: 201,
    body: { id, ...Object.fromEntries(shown), ...(warnings === undefined ? {} : { warnings }) },
    headers: { ...(shown.length === 0 ? {} : secretHeaders), Location: `${call.baseUrl}${resource.path}/${id}` },
  }
}
