import { digestOf, newToken } from '../../auth/tokens.ts'
import { pageChanged, setPageLink } from '../../database/status-pages/status-pages.ts'
import { type Operation, secretHeaders } from '../../rest/call.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { noContent } from '../../rest/routes.ts'

const path = '/status_pages/{_id}/link'

const issue: Operation = {
  id: 'status_pages.issue_link',
  method: 'POST',
  path,
  tag: 'status_pages',
  summary: 'Make the secret link of a status page',
  about: 'For access by link. Shown this once: only a digest of it is kept. The link in use before ends at once.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: {
    201: {
      about: 'The link. Whoever has it sees the page.',
      schema: {
        type: 'object',
        properties: { url: { type: 'string', description: 'For a browser.' } },
        required: ['url'],
        example: { url: 'https://latarnik.example.com/status/shop?key=page_TOKEN' },
      },
    },
  },
  async handle(call) {
    const token = `page_${newToken()}`
    const slug = await call.database.transaction(async (transaction) => {
      const page = await lockForWrite(call.registry.get('status_pages'), transaction, call, 'update')
      await setPageLink(transaction, Number(page['id']), digestOf(token))
      await pageChanged(transaction, Number(page['id']), call.nowAt)
      return String(page['slug'])
    })
    const url = `${call.baseUrl.replace(/\/v3$/, '')}/status/${slug}?key=${token}`
    return { status: 201, body: { url }, headers: secretHeaders }
  },
}

const revoke: Operation = {
  id: 'status_pages.revoke_link',
  method: 'DELETE',
  path,
  tag: 'status_pages',
  summary: 'Revoke the secret link of a status page',
  about: 'It leads nowhere from now on.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: noContent,
  async handle(call) {
    await call.database.transaction(async (transaction) => {
      const { id } = await lockForWrite(call.registry.get('status_pages'), transaction, call, 'update')
      await setPageLink(transaction, Number(id), null)
      await pageChanged(transaction, Number(id), call.nowAt)
    })
    return { status: 204 }
  },
}

/** The secret link of a page with access by link. */
export const pageLinks: readonly Operation[] = [issue, revoke]
