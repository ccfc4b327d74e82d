import sql from 'sql-template-tag'
import { newToken } from '../../auth/tokens.ts'
import { type Call, type Operation, secretHeaders } from '../../rest/call.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { noContent } from '../../rest/routes.ts'

const path = '/services/{_id}/badge_token'

async function setToken(call: Call, token: string | null): Promise<void> {
  await call.database.transaction(async (transaction) => {
    const { id } = await lockForWrite(call.registry.get('services'), transaction, call, 'update')
    await transaction.execute(sql`update services set badge_token = ${token} where id = ${id}`)
  })
}

const issue: Operation = {
  id: 'services.issue_badge_token',
  method: 'POST',
  path,
  tag: 'services',
  summary: 'Make the token of a badge',
  about:
    'The badge is a picture for other sites: `/badges/{token}.svg`, with `metric` (`state`, `uptime` or `response_time`) and `days` (1 to 400, of `uptime`). The token in use before ends.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: {
    201: {
      about: 'The token, and the address of the picture.',
      schema: {
        type: 'object',
        properties: { badge_token: { type: 'string' }, url: { type: 'string' } },
        required: ['badge_token', 'url'],
        example: { badge_token: 'TOKEN', url: 'https://latarnik.example.com/badges/TOKEN.svg' },
      },
    },
  },
  async handle(call) {
    const token = newToken()
    await setToken(call, token)
    const url = `${call.baseUrl.replace(/\/v3$/, '')}/badges/${token}.svg`
    return { status: 201, body: { badge_token: token, url }, headers: secretHeaders }
  },
}

const revoke: Operation = {
  id: 'services.revoke_badge_token',
  method: 'DELETE',
  path,
  tag: 'services',
  summary: 'Switch a badge off',
  about: 'Its picture is not found from now on.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: noContent,
  async handle(call) {
    await setToken(call, null)
    return { status: 204 }
  },
}

/** The token with which other sites show the state of a service. */
export const badgeTokens: readonly Operation[] = [issue, revoke]
