import sql from 'sql-template-tag'
import { readUnconfirmed } from '../../database/status-pages/known-page-failures.ts'
import { confirmComponent, pageChanged } from '../../database/status-pages/status-pages.ts'
import type { Operation } from '../../rest/call.ts'
import { moment } from '../../rest/fields.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { noContent } from '../../rest/routes.ts'

const ofServer = { readOnly: true, computed: true, nullable: true, example: null } as const

/** A failure that the page need not wait to show, because a person confirms it. */
export const confirmationFields = {
  confirmed_at: moment({ ...ofServer, about: 'When a person last confirmed that it fails.' }),
  unconfirmed_since: moment({
    ...ofServer,
    about:
      'Since when a service of it fails whose failure waits for the delay of the page; null: none. `POST …/confirm` shows it at once.',
    column: () => sql`null::timestamptz`,
    attached: readUnconfirmed,
  }),
} as const

const confirm: Operation = {
  id: 'status_page_components.confirm',
  method: 'POST',
  path: '/status_page_components/{_id}/confirm',
  tag: 'status_page_components',
  summary: 'Confirm that a component fails',
  about:
    'The page shows the present failures of its services at once, without the delay of the page, and their incident is opened within seconds. A component with parts stands for them. Nothing changes if nothing fails.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: noContent,
  async handle(call) {
    await call.database.transaction(async (transaction) => {
      const row = await lockForWrite(call.registry.get('status_page_components'), transaction, call, 'update')
      await confirmComponent(transaction, Number(row['id']), call.nowAt)
      await pageChanged(transaction, Number(row['status_page_id']), call.nowAt)
    })
    return { status: 204 }
  },
}

export const componentActions: readonly Operation[] = [confirm]
