import type { Authenticator } from '../../auth/authenticate.ts'
import { lockFactor } from '../../auth/second-factor.ts'
import type { Caller } from '../../domain/access/caller.ts'
import { mayWrite } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { all, any, type Condition, oneOf } from '../../domain/queries/condition.ts'
import { one, type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, identifier, integer, moment, text } from '../../rest/fields.ts'
import { passkeyOrigin } from './passkey-fields.ts'
import { passkeyRegistration } from './passkey-registration.ts'

/** The last passkey stays while the second factor has no application: only recovery codes would be left. */
function writingOf(authenticator: Authenticator): Writing {
  return {
    async removing(transaction, call, row) {
      const owner = Number(row['owner_id'])
      const { isOn, hasApplication } = await lockFactor(transaction, owner)
      if (!isOn || hasApplication) return []
      const { root } = passkeyOrigin(call)
      const left = await authenticator.passkeys.countOf(transaction, owner, root, Number(row['id']))
      return left === 0 ? [{ error: 'last_second_factor' }] : []
    },
  }
}

/** An account sees its own passkeys, and the main account those of its sub-accounts. */
function visible(caller: Caller): Condition {
  const own = oneOf('owner_id', [caller.account_id])
  return caller.is_sub_account ? own : any(own, oneOf('parent_account_id', [caller.account_id]))
}

function permissions(caller: Caller): Readonly<Record<string, Condition>> {
  const own = oneOf('owner_id', [caller.account_id])
  return { own, read: visible(caller), update: own, delete: any(own, all(mayWrite(caller), visible(caller))) }
}

/** Passkeys (WebAuthn) of accounts. */
export function passkeys(authenticator: Authenticator): Resource {
  return resource('passkeys', {
    about: `Passkeys of logins (WebAuthn), at most ${countLimits.passkeys} of each. They log in without a password, and serve as the second factor.`,
    singular: 'passkey',
    source: table('passkeys'),
    scope: 'account',
    fields: {
      id: identifier(),
      owner_id: integer({ about: 'The account that it logs in to.', readOnly: true, filter: true, sort: true }),
      name: text({
        ...{ required: true, minimumLength: 1, maximumLength: 200, filter: true, contains: true, sort: true },
        example: 'Telephone',
      }),
      rp_id: text({
        ...{ about: 'The host name at which it works.', readOnly: true, filter: true },
        example: 'status.example.com',
      }),
      is_synced: boolean({
        ...{ about: 'It is kept by a password manager, on all devices of the person.', readOnly: true, computed: true },
        filter: true,
      }),
      created_at: moment({ readOnly: true, filter: true, sort: true }),
      last_used_at: moment({ readOnly: true, computed: true, nullable: true, filter: true, sort: true, example: null }),
      parent_account_id: integer({ internal: true, nullable: true }),
    },
    relations: { owner: one('accounts', 'owner_id') },
    embed: ['owner', 'permissions'],
    search: ['name'],
    visible,
    permissions,
    operations: ['list', 'search', 'read', 'update', 'remove', 'permissions'],
    beforeSecondFactor: ['list', 'read', 'remove'],
    write: writingOf(authenticator),
    actions: passkeyRegistration(authenticator),
  })
}
