import sql from 'sql-template-tag'
import { type ShareFlag, shareFlags } from '../../domain/access/caller.ts'
import type { Operation } from '../../rest/call.ts'
import { boolean, integer, list } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { outcomeOf } from '../../rest/operations/bulk.ts'
import { put } from '../../rest/operations/put.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { reference, type Schema, schemaOf } from '../../rest/schemas.ts'

const path = '/accounts/{_id}/copy_group_shares'
const maximumAccounts = 100

const body = {
  account_ids: list(integer({ minimum: 1 }), {
    required: true,
    about: 'The primary accounts that get the same shares.',
    maximumLength: maximumAccounts,
    example: [7],
  }),
}

const id = integer({})
const outcome: Schema = {
  type: 'object',
  required: ['account_id', 'group_id', 'ok', 'problems'],
  properties: {
    account_id: schemaOf(id),
    group_id: schemaOf(id),
    ok: schemaOf(boolean({})),
    problems: reference('problems'),
  },
}

/** `POST /accounts/{_id}/copy_group_shares` */
export const copyGroupShares: Operation = {
  id: 'accounts.copy_group_shares',
  method: 'POST',
  path,
  tag: 'accounts',
  summary: 'Give other accounts the shares that one account has of your groups',
  about: `At most ${maximumAccounts} accounts. A refused share does not stop the others; one that is there already gets the same flags.`,
  access: 'customer',
  parameters: pathParameters(path),
  body,
  answers: {
    200: { about: 'One element for each account and group.', schema: { type: 'array', items: outcome } },
  },
  async handle(call) {
    const { values, problems } = readBody(body, call.body, call.nowAt)
    refuseAny(problems)
    const from = /^\d{1,9}$/.test(call.parameters['_id'] ?? '') ? Number(call.parameters['_id']) : 0
    const shares = await call.database.query<{ group_id: number } & Record<ShareFlag, boolean>>(sql`
      select sh.* from shares sh join groups g on g.id = sh.group_id
      where sh.account_id = ${from} and g.owner_id = any(${call.caller.account_ids}::int[]) order by sh.group_id`)
    if (shares.length === 0) return refuse('not_found')
    await call.charge(Math.ceil((shares.length * (values['account_ids'] as readonly number[]).length) / 10))
    const results: unknown[] = []
    for (const account of values['account_ids'] as readonly number[]) {
      for (const { group_id: group, ...share } of shares) {
        const one = {
          ...call,
          parameters: { _id: String(group), _account_id: String(account) },
          body: Object.fromEntries(shareFlags.map((flag) => [flag, share[flag]])),
          ifMatch: null,
        }
        const { shown } = await outcomeOf(call, () => put(call.registry.get('shares'), one))
        results.push({ account_id: account, group_id: group, ...shown })
      }
    }
    return { status: 200, body: results }
  },
}
