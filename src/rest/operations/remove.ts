import type { Answer, Call } from '../call.ts'
import type { Resource } from '../declare.ts'
import { requireVersion } from './expected-version.ts'
import { deleteRow, lockForWrite, refuseWrite } from './write.ts'

/** `DELETE /{resource}/{_id}` */
export async function remove(resource: Resource, call: Call): Promise<Answer> {
  await call.database.transaction(async (transaction) => {
    call.trail?.expect()
    const row = await lockForWrite(resource, transaction, call, 'delete')
    await requireVersion(resource, transaction, call)
    refuseWrite((await resource.write.removing?.(transaction, call, row)) ?? [])
    await deleteRow(resource, transaction, row)
    await resource.write.removed?.(transaction, call, row)
    call.trail?.note({ resource, before: row, after: null })
  })
  return { status: 204 }
}
