import type { Executor } from '../../database/connect.ts'
import type { Answer, Call } from '../call.ts'
import type { Resource, Warning } from '../declare.ts'
import { readChange } from '../input.ts'
import { countLimitProblems } from './count-limit.ts'
import { requireVersion } from './expected-version.ts'
import { forgetChangedSecrets, managedProblems, withoutOwnersMark } from './managed.ts'
import { lockForWrite, refuseWrite, updateRow } from './write.ts'

/** Names each warning once; no header without any. */
export function warningHeader(warnings: readonly string[]): Readonly<Record<string, string>> {
  return warnings.length === 0 ? {} : { 'Latarnik-Warning': [...new Set(warnings)].join(', ') }
}

/** The change of the object that the path names, from the facts to the effects. */
export async function change(resource: Resource, transaction: Executor, call: Call): Promise<readonly Warning[]> {
  const { write } = resource
  call.trail?.expect()
  const before = await lockForWrite(resource, transaction, call, 'update')
  await requireVersion(resource, transaction, call)
  const read = readChange(resource.fields, call.body, before, call.nowAt)
  const given = await withoutOwnersMark(resource, transaction, call, { given: read.values, before })
  const facts = await write.facts?.(transaction, call, given.values, before)
  const completed = write.complete?.(given.values, before, facts, call) ?? { row: given.values, problems: [] }
  const after = { ...before, ...completed.row }
  const ruled = write.rules?.(after, facts, before) ?? []
  const limited = await countLimitProblems(resource, transaction, after, before)
  const managed = await managedProblems(resource, transaction, call, { row: after, before })
  refuseWrite([...read.problems, ...given.problems, ...completed.problems, ...ruled, ...limited, ...managed])
  await updateRow(resource, transaction, before, completed.row)
  await write.changed?.(transaction, call, after, before, facts)
  await forgetChangedSecrets(resource, transaction, { given: given.values, row: after, before })
  call.trail?.note({ resource, before, after })
  return (await write.warnings?.(transaction, call, Number(before['id']))) ?? []
}

/** `PUT /{resource}/{_id}` with any subset of the fields. */
export async function update(resource: Resource, call: Call): Promise<Answer> {
  const verified = await resource.write.verify?.(call)
  const warnings = await call.database.transaction((transaction) =>
    change(resource, transaction, { ...call, verified }),
  )
  return { status: 204, headers: warningHeader(warnings.map(({ warning }) => warning)) }
}
