import { isAddressWithin } from '../../auth/address-filter.ts'
import { callerOf, findLoginOf } from '../../auth/callers.ts'
import type { Call } from '../../rest/call.ts'

/**
 * The owner of a secret link as the caller: a link shows their present rights, and only where they may log in. Null: it
 * shows nothing.
 */
export async function ownerAsCaller(call: Call, ownerId: number) {
  const login = await findLoginOf(call.database, { scope: 'customer', account_id: ownerId })
  if (login === undefined || login.is_blocked || !login.is_activated) return null
  if (login.ip_whitelist_enabled && !isAddressWithin(call.ipAddress, login.ip_whitelist)) return null
  return callerOf(login, null)
}
