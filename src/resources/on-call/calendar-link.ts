import { digestOf, newToken } from '../../auth/tokens.ts'
import { calendarLinkUsed, findLinkedRotation, setCalendarLink } from '../../database/accounts/calendar-links.ts'
import { type Operation, secretHeaders } from '../../rest/call.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { ownerAsCaller } from '../groups/link-owner.ts'
import { calendarAnswer, calendarDescription } from './duty.ts'

/** The link by which calendar programs, which cannot log in, subscribe to a rotation. */

const path = '/rotations/{_id}/calendar_link'
/** Characters of a token that lists show. */
const shownCharacters = 12

const common = { path, tag: 'rotations', access: 'customer', parameters: pathParameters(path) } as const

export const issueCalendarLink: Operation = {
  ...common,
  id: 'rotations.issue_calendar_link',
  method: 'POST',
  summary: 'Make the link of a calendar',
  about:
    'Calendar programs subscribe to it. Shown this once: only its digest is kept. The link in use before ends at once.',
  answers: {
    201: {
      about: 'The link. Anybody with it reads who is on duty, without a login.',
      schema: {
        type: 'object',
        properties: { url: { type: 'string', description: 'The address to subscribe to.' } },
        required: ['url'],
        example: { url: 'https://latarnik.example.com/v3/public/rotation.ics?token=duty_TOKEN' },
      },
    },
  },
  async handle(call) {
    const token = `duty_${newToken()}`
    await call.database.transaction(async (transaction) => {
      const { id } = await lockForWrite(call.registry.get('rotations'), transaction, call, 'update')
      await setCalendarLink(transaction, Number(id), {
        digest: digestOf(token),
        prefix: token.slice(0, shownCharacters),
      })
    })
    const url = `${call.baseUrl}/public/rotation.ics?token=${token}`
    return { status: 201, body: { url }, headers: secretHeaders }
  },
}

export const revokeCalendarLink: Operation = {
  ...common,
  id: 'rotations.revoke_calendar_link',
  method: 'DELETE',
  summary: 'Revoke the link of a calendar',
  about: 'It shows nothing from now on.',
  answers: noContent,
  async handle(call) {
    await call.database.transaction(async (transaction) => {
      const { id } = await lockForWrite(call.registry.get('rotations'), transaction, call, 'update')
      await setCalendarLink(transaction, Number(id), null)
    })
    return { status: 204 }
  },
}

export const linkedCalendar: Operation = {
  id: 'rotations.linked_calendar',
  method: 'GET',
  path: '/public/rotation.ics',
  tag: 'rotations',
  summary: 'Calendar behind a link',
  about:
    'The same calendar as `GET /rotations/{_id}/calendar.ics`, without a login. Unknown and revoked links, those of a blocked account, and callers whom the address filter of the owner keeps out get 404.',
  access: 'open',
  parameters: [
    {
      name: 'token',
      in: 'query',
      about: 'As the link has it.',
      schema: { type: 'string', maxLength: 100 },
      example: 'duty_TOKEN',
      isRequired: true,
    },
  ],
  answers: { 200: calendarDescription },
  refusals: [404],
  async handle(call) {
    const token = call.query.get('token')
    const row = token === null ? undefined : await findLinkedRotation(call.database, digestOf(token))
    const owner = row === undefined ? null : await ownerAsCaller(call, Number(row['owner_id']))
    if (row === undefined || owner === null) refuse('not_found')
    await calendarLinkUsed(call.database, Number(row['id']), call.nowAt)
    const { headers, ...answer } = await calendarAnswer(call, row)
    return { ...answer, headers: { ...headers, ...secretHeaders } }
  },
}
