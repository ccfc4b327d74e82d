import sql from 'sql-template-tag'
import { blockAccount, unblockAccount } from '../../auth/block-account.ts'
import { removeBelongings } from '../../auth/remove-account.ts'
import type { Executor } from '../../database/connect.ts'
import type { Caller } from '../../domain/access/caller.ts'
import { mayBlockAccount, mayCloseAccount } from '../../domain/access/permissions.ts'
import { type Condition, holds } from '../../domain/queries/condition.ts'
import type { Operation } from '../../rest/call.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'

interface Action {
  readonly name: 'block' | 'unblock' | 'close'
  readonly summary: string
  readonly about: string
  readonly allowed: (caller: Caller) => Condition
  readonly change: (
    transaction: Executor,
    account: { readonly id: number; readonly isBlocked: boolean; readonly isBlockedByOperator: boolean },
    now: number,
  ) => Promise<void>
}

function action({ name, summary, about, allowed, change }: Action): Operation {
  return {
    id: `accounts.${name}`,
    method: 'POST',
    path: `/accounts/{_id}/${name}`,
    tag: 'accounts',
    summary,
    about,
    access: 'customer',
    parameters: pathParameters('{_id}'),
    answers: noContent,
    async handle(call) {
      await call.database.transaction(async (transaction) => {
        const accounts = call.registry.get('accounts')
        const columns = [
          'id',
          'is_blocked',
          'family_parent_id',
          'maker_account_id',
          'maker_may_block',
          'blocked_by_operator',
        ]
        const account = await locatedRow(accounts, call, { flags: [], columns, lock: 'change' }, transaction)
        if (!holds(allowed(call.caller), account)) refuse('forbidden', undefined, { permission: name })
        const state = {
          id: Number(account['id']),
          isBlocked: account['is_blocked'] === true,
          isBlockedByOperator: account['blocked_by_operator'] === true,
        }
        await change(transaction, state, call.nowAt)
      })
      return { status: 204 }
    },
  }
}

/** Blocks, unblocks and closes accounts that the caller made, as far as it may. */
export const accountActions: readonly Operation[] = [
  action({
    name: 'block',
    summary: 'Block an account',
    about:
      'One of its own sub-accounts, or one that it made for a customer. Nobody logs in to it, its sessions end, and monitoring of its services stops. Twice is once.',
    allowed: mayBlockAccount,
    async change(transaction, { id, isBlocked }, now) {
      if (!isBlocked) await blockAccount(transaction, { accountId: id, by: 'customer', now })
    },
  }),
  action({
    name: 'unblock',
    summary: 'Unblock an account',
    about:
      'Services that were monitored before are monitored again. Twice is once. A block by the operator is undone by the operator alone: `forbidden`.',
    allowed: mayBlockAccount,
    async change(transaction, { id, isBlocked, isBlockedByOperator }, now) {
      if (isBlockedByOperator) refuse('forbidden', undefined, { permission: 'unblock' })
      if (isBlocked) await unblockAccount(transaction, id, now)
    },
  }),
  action({
    name: 'close',
    summary: 'Close an account for good',
    about:
      'One that the caller made for a customer and may block. It is deleted with everything that it owns, its history too; `block` keeps everything.',
    allowed: mayCloseAccount,
    async change(transaction, { id }) {
      await removeBelongings(transaction, id)
      await transaction.execute(sql`delete from accounts where id = ${id}`)
    },
  }),
]
