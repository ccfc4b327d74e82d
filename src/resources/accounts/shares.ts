import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { lacksAccountRight } from '../../domain/access/lacking-right.ts'
import { sharePermissions, shareVisible } from '../../domain/access/permissions.ts'
import { type ShareOwner, type ShareTarget, shareTargetProblems } from '../../domain/access/share.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Call } from '../../rest/call.ts'
import { one, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, integer } from '../../rest/fields.ts'

interface Share extends Readonly<Record<string, unknown>> {
  readonly group_id: number
  readonly account_id: number
}

interface Facts {
  readonly owner: ShareOwner
  readonly target: ShareTarget | null
}

async function facts(
  transaction: Executor,
  _call: Call,
  given: Partial<Share>,
  before: Share | null,
): Promise<Facts | null> {
  if (before !== null) return null
  const [owner] = await transaction.query<ShareOwner>(sql`
    select a.id, a.distribution_id from groups g join accounts a on a.id = g.owner_id where g.id = ${given.group_id}`)
  const [target] = await transaction.query<ShareTarget>(sql`
    select id, distribution_id, parent_account_id from accounts where id = ${given.account_id}::bigint for key share`)
  return owner === undefined ? null : { owner, target: target ?? null }
}

const write: Writing<Share, Facts | null> = {
  countLimit: { count: countLimits.shares, per: 'group_id' },
  parentFlag: 'share',
  explain: (_row, flag, { caller }) =>
    flag === 'delete' || caller.is_read_only || caller.can_share_groups ? [] : [lacksAccountRight('can_share_groups')],
  facts,
  rules: (_row, known) => (known === null ? [] : shareTargetProblems(known.owner, known.target)),
}

const key = { immutable: true, filter: true, sort: true } as const
const flag = { filter: true, sort: true, example: false } as const

export const shares = resource('shares', {
  about: 'Groups shared with other accounts: read-only unless flags say more.',
  singular: 'share',
  making:
    'The account is another main account of the installation, which reads its number as `id` in `GET /accounts/my_account`. It sees the group at once; without flags it only reads.',
  path: '/groups/{_id}/shares',
  parent: 'groups',
  bound: { _id: 'group_id', _account_id: 'account_id' },
  key: ['group_id', 'account_id'],
  storedKey: { group_id: 'group_id', account_id: 'account_id' },
  source: table('shares', () => sql`select sh.*, g.owner_id from shares sh join groups g on g.id = sh.group_id`),
  fields: {
    group_id: integer(key),
    account_id: integer({ ...key, about: 'A primary account, known to the owner by its id.' }),
    can_modify_group: boolean({ ...flag, about: "Also the group's notification and report addresses." }),
    can_modify_services: boolean({ ...flag, about: 'Also suspensions, corrections, descriptions of status changes.' }),
    can_create_services: boolean(flag),
    can_delete_services: boolean(flag),
    can_archive_services: boolean({ ...flag, about: 'And restore them.' }),
    can_force_analyses: boolean(flag),
    owner_id: integer({ internal: true }),
  },
  relations: { group: one('groups', 'group_id'), account: one('accounts', 'account_id') },
  embed: ['group', 'account', 'permissions'],
  search: ['account_id'],
  sort: ['account_id'],
  scope: 'account',
  forNarrowedKeys: false,
  visible: shareVisible,
  permissions: sharePermissions,
  operations: ['list', 'read', 'put', 'remove', 'permissions'],
  write,
})
