import { digestOf, newToken } from '../../auth/tokens.ts'
import type { Executor } from '../../database/connect.ts'
import { findWallboard, setWallboardToken, wallboardUsed } from '../../database/services/wallboards.ts'
import { mayWrite, ownOrParents, wallboardPermissions } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { any, is } from '../../domain/queries/condition.ts'
import { type Call, type Operation, secretHeaders } from '../../rest/call.ts'
import { resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, identifier, integer, list, moment, text } from '../../rest/fields.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { readPage } from '../../rest/select.ts'
import { boardOf, boardSchema } from './board.ts'
import { ownerAsCaller } from './link-owner.ts'

interface Wallboard extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly group_ids: readonly number[] | null
}

interface Facts {
  /** The named groups that the caller may read. */
  readonly visible: ReadonlySet<number>
}

async function facts(_transaction: Executor, call: Call, given: Partial<Wallboard>): Promise<Facts> {
  const ids = given.group_ids ?? []
  if (ids.length === 0) return { visible: new Set() }
  const { page } = await readPage(call.registry.get('groups'), call, {
    where: any(...ids.map((id) => is('id', id))),
    sort: [],
    limit: ids.length,
    offset: 0,
    columns: ['id'],
    flags: [],
  })
  const idAt = page.column('id')
  return { visible: new Set(Array.from({ length: page.length }, (_, place) => Number(idAt(place)))) }
}

/** Groups that were named before may have gone meanwhile: they are shown no more, and stay named. */
function groupProblems(row: Partial<Wallboard>, { visible }: Facts, before: Wallboard | null): readonly Problem[] {
  const known = new Set(before?.group_ids ?? [])
  return (row.group_ids ?? []).flatMap((id, index) =>
    visible.has(id) || known.has(id)
      ? []
      : [{ error: 'incorrect_value', field: `data.group_ids[${index}]`, facts: { detail: 'group' } }],
  )
}

const write: Writing<Wallboard, Facts> = {
  countLimit: { count: countLimits.wallboards, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts,
  complete: (given, before, _facts, { caller, nowAt }) => ({
    row: before === null ? { ...given, owner_id: caller.primary_account_id, created_at: nowAt } : given,
    problems: [],
  }),
  rules: groupProblems,
}

const path = '/wallboards/{_id}/link'
/** Characters of a token that lists show. */
const shownCharacters = 12

const issueLink: Operation = {
  id: 'wallboards.issue_link',
  method: 'POST',
  path,
  tag: 'wallboards',
  summary: 'Make the link of a wallboard',
  about: 'Shown this once: only a digest of it is kept. The link in use before ends at once.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: {
    201: {
      about: 'The link. Whoever has it sees the board without a login.',
      schema: {
        type: 'object',
        properties: {
          token: { type: 'string', description: 'For `Authorization: Bearer` of `GET /public/wallboard`.' },
          url: { type: 'string', description: 'For a browser. What follows the # is sent to no server.' },
        },
        required: ['token', 'url'],
        example: { token: 'wall_TOKEN', url: 'https://latarnik.example.com/wallboard/shared#wall_TOKEN' },
      },
    },
  },
  async handle(call) {
    const token = `wall_${newToken()}`
    await call.database.transaction(async (transaction) => {
      const { id } = await lockForWrite(call.registry.get('wallboards'), transaction, call, 'update')
      const prefix = token.slice(0, shownCharacters)
      await setWallboardToken(transaction, Number(id), { digest: digestOf(token), prefix })
    })
    const url = `${call.baseUrl.replace(/\/v3$/, '')}/wallboard/shared#${token}`
    return { status: 201, body: { token, url }, headers: secretHeaders }
  },
}

const revokeLink: Operation = {
  id: 'wallboards.revoke_link',
  method: 'DELETE',
  path,
  tag: 'wallboards',
  summary: 'Revoke the link of a wallboard',
  about: 'It shows nothing from now on.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: noContent,
  async handle(call) {
    await call.database.transaction(async (transaction) => {
      const { id } = await lockForWrite(call.registry.get('wallboards'), transaction, call, 'update')
      await setWallboardToken(transaction, Number(id), null)
    })
    return { status: 204 }
  },
}

const board: Operation = {
  id: 'wallboards.board',
  method: 'GET',
  path: '/wallboard',
  tag: 'wallboards',
  summary: 'States of everything that the caller may read, group by group',
  about: 'The content of a wallboard, for somebody who is logged in.',
  access: 'customer',
  answers: { 200: { about: 'The board.', schema: boardSchema } },
  handle: async (call) => ({
    status: 200,
    body: await boardOf(call, { name: null, groupIds: null, hasAddresses: true, hasIds: true }),
    headers: secretHeaders,
  }),
}

const sharedBoard: Operation = {
  id: 'wallboards.shared_board',
  method: 'GET',
  path: '/public/wallboard',
  tag: 'wallboards',
  summary: 'The content behind the link of a wallboard',
  about:
    'Send the token of the link as `Authorization: Bearer`. Names and states of the groups that the owner of the wallboard may read now, and nothing else. Unknown, revoked and expired links, those of a blocked account, and callers whom the address filter of the owner keeps out get 404.',
  access: 'open',
  answers: { 200: { about: 'The board.', schema: boardSchema } },
  refusals: [404],
  async handle(call) {
    const token = call.bearerToken
    const found = token === null ? undefined : await findWallboard(call.database, digestOf(token), call.nowAt)
    const caller = found === undefined ? null : await ownerAsCaller(call, found.owner_id)
    if (found === undefined || caller === null) refuse('not_found')
    await wallboardUsed(call.database, found.id, call.nowAt)
    const { name, group_ids: groupIds, shows_addresses: hasAddresses } = found
    const body = await boardOf({ ...call, caller }, { name, groupIds, hasAddresses, hasIds: false })
    return { status: 200, body, headers: secretHeaders }
  },
}

const ofServer = { readOnly: true, filter: true, sort: true } as const

export const wallboards = resource('wallboards', {
  about: 'Screens for a wall: the states of groups, readable without a login by whoever has the link.',
  singular: 'wallboard',
  making: 'Then `POST /wallboards/{_id}/link` makes its link.',
  source: table('wallboards'),
  fields: {
    id: identifier(),
    owner_id: integer({ about: 'The main account: what it may read is shown.', ...ofServer }),
    name: text({
      required: true,
      minimumLength: 1,
      maximumLength: 200,
      filter: true,
      contains: true,
      sort: true,
      example: 'Operations room',
    }),
    group_ids: list(integer({ minimum: 1 }), {
      about: 'The groups that are shown; null: every group that the owner may read.',
      nullable: true,
      maximumLength: 1000,
      example: null,
    }),
    shows_addresses: boolean({
      about: 'Whether addresses of failing services are shown.',
      filter: true,
      example: false,
    }),
    expires_at: moment({
      about: 'When the link ends; null: when it is revoked.',
      nullable: true,
      filter: true,
      sort: true,
      example: '2030-12-31T00:00:00Z',
    }),
    token_prefix: text({
      about: 'The beginning of the token of the link; null while there is no link.',
      nullable: true,
      readOnly: true,
      computed: true,
      filter: true,
      example: null,
    }),
    created_at: moment(ofServer),
    last_used_at: moment({
      about: 'When the link was last used, to a minute.',
      nullable: true,
      computed: true,
      ...ofServer,
      example: null,
    }),
  },
  embed: ['permissions'],
  search: ['id', 'name'],
  visible: (caller) => ownOrParents(caller),
  permissions: wallboardPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: { references: { group_ids: { to: 'groups' } } },
  write,
  actions: [issueLink, revokeLink, board, sharedBoard],
})
