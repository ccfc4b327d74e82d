import { mayWrite } from '../../domain/access/permissions.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { holds, type Row } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import { readBody, type Values } from '../../rest/input.ts'
import { readParent } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'

type Fields = Parameters<typeof readBody>[0]

export const shared = {
  method: 'POST',
  tag: 'accounts',
  access: 'customer',
  parameters: pathParameters('{_id}'),
} as const

export interface CredentialHolder {
  readonly id: number
  readonly username: string
  /** False: a sub-account of the caller's. */
  readonly isOwn: boolean
}

/** A login's own credentials are its own to change, also when it may change nothing else; its parent may help. */
export async function holderOf(call: Call, who: 'own' | 'ownOrChild'): Promise<CredentialHolder> {
  const account: Row = await readParent(call.registry.get('accounts'), call)
  const isOwn = account['id'] === call.caller.account_id
  const isChild = account['family_parent_id'] === call.caller.account_id && holds(mayWrite(call.caller), account)
  if (!isOwn && !(isChild && who === 'ownOrChild')) refuse('forbidden')
  return { id: Number(account['id']), username: String(account['username']), isOwn }
}

export function given(fields: Fields, call: Call, more: (values: Values) => readonly Problem[] = () => []): Values {
  const { values, problems } = readBody(fields, call.body, call.nowAt)
  refuseAny([...problems, ...more(values)])
  return values
}
