import sql from 'sql-template-tag'
import { countArchivedServices, countServices, loadPackage } from '../../database/accounts/packages.ts'
import type { Executor } from '../../database/connect.ts'
import { restorationProblems } from '../../domain/access/limits.ts'
import { maximumArchivedServices } from '../../domain/input/count-limits.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { stopMonitoring } from '../../service-state/stops.ts'
import type { Service } from './service-write.ts'

function actionOf(
  name: 'archive' | 'restore',
  texts: Pick<Operation, 'summary' | 'about'>,
  act: (transaction: Executor, call: Call, service: Service) => Promise<void>,
): Operation {
  return {
    id: `services.${name}`,
    method: 'POST',
    path: `/services/{_id}/${name}`,
    tag: 'services',
    ...texts,
    access: 'customer',
    parameters: pathParameters('{_id}'),
    answers: noContent,
    async handle(call) {
      await call.database.transaction(async (transaction) => {
        const service = await lockForWrite(call.registry.get('services'), transaction, call, name)
        await act(transaction, call, service as Service)
      })
      return { status: 204 }
    },
  }
}

/** Archived services count nowhere else: who archives and makes anew all day would have room without end. */
async function refuseFullArchive(transaction: Executor, ownerId: number): Promise<void> {
  const limits = await loadPackage(transaction, ownerId, { lock: true })
  const most = maximumArchivedServices(limits?.maximum_services ?? null)
  if (most !== null && (await countArchivedServices(transaction, ownerId)) >= most) {
    refuse('limit_exceeded', undefined, { limit: 'archived_services', value: most })
  }
}

/** `POST /services/{_id}/archive` */
export const archiveService = actionOf(
  'archive',
  {
    summary: 'Archive a service',
    about: 'Monitoring stops, is_active becomes false, nothing but the history can be read, no limit counts it.',
  },
  async (transaction, call, { id, owner_id: ownerId, is_archived: isArchived }) => {
    if (isArchived) refuse('service_is_archived')
    await refuseFullArchive(transaction, ownerId)
    await transaction.execute(sql`update services set is_archived = true, is_active = false where id = ${id}`)
    await stopMonitoring(transaction, id, 'archived', call.nowAt)
  },
)

/** `POST /services/{_id}/restore` */
export const restoreService = actionOf(
  'restore',
  { summary: 'Restore an archived service', about: 'It counts against the limits again; is_active stays false.' },
  async (transaction, _call, service) => {
    if (!service.is_archived) refuse('service_is_not_archived')
    const limits = await loadPackage(transaction, service.owner_id, { lock: true })
    if (limits === null) return refuse('not_found')
    const counts = await countServices(transaction, service.owner_id, service.type_id, service.id)
    refuseAny(restorationProblems(limits, service.type_id, service.interval, counts))
    await transaction.execute(sql`update services set is_archived = false where id = ${service.id}`)
  },
)
