import { all, always, any, type Condition, is, not, oneOf } from '../queries/condition.ts'
import type { Caller, ShareFlag } from './caller.ts'
import { groupWithinKey, isNarrowed, mayChangeGroups, withinKey } from './narrowing.ts'

/** Conditions from which visibility and permission flags are built (specification: Permissions object; answers §15). */

/** The object belongs to the caller's own account. */
function own(caller: Caller, field = 'owner_id'): Condition {
  return oneOf(field, [caller.account_id])
}

/** The object belongs to the caller's account or to its parent. */
export function ownOrParents(caller: Caller, field = 'owner_id'): Condition {
  return oneOf(field, caller.account_ids)
}

/** The object is in a group that is shared with the caller; if a flag is named, the share must have it. */
function shared(caller: Caller, field = 'group_id', flag?: ShareFlag): Condition {
  const groups = caller.shares.filter((share) => flag === undefined || share[flag])
  return oneOf(
    field,
    groups.map((share) => share.group_id),
  )
}

/** Read-only users change nothing. */
export function mayWrite(caller: Caller): Condition {
  return always(!caller.is_read_only)
}

/** Groups are readable by the owner, sub-accounts and those they are shared with. */
export function groupVisible(caller: Caller, field = 'id'): Condition {
  return all(groupReachable(caller, field), groupWithinKey(caller, field))
}

/** The same for the owner of an API key, whatever the key is narrowed to. */
export function groupReachable(caller: Caller, field = 'id'): Condition {
  return any(ownOrParents(caller), shared(caller, field))
}

/** Objects of the whole account are made by no key that is narrowed. */
export function mayMakeForAccount(caller: Caller): Condition {
  return all(mayWrite(caller), always(!isNarrowed(caller)))
}

/**
 * A right of the owner's side, or of a share with the flag; never of a read-only user. A key for tags changes no group.
 */
export function ownersOrShared(caller: Caller, flag: ShareFlag, field = 'group_id'): Condition {
  const isAllowed = flag !== 'can_modify_group' || mayChangeGroups(caller)
  return all(mayWrite(caller), always(isAllowed), any(ownOrParents(caller), shared(caller, field, flag)))
}

/**
 * Flags by name (specification: Group, Permissions). The default group cannot be deleted; a share gives away neither
 * the group nor further shares.
 */
export function groupPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = ownersOrShared(caller, 'can_modify_group', 'id')
  const owners = all(mayWrite(caller), always(mayChangeGroups(caller)), ownOrParents(caller))
  return {
    own: own(caller),
    read: groupVisible(caller),
    update,
    delete: all(owners, not({ kind: 'is', field: 'is_default', value: true })),
    share: all(always(caller.can_share_groups), owners),
    create_services: ownersOrShared(caller, 'can_create_services', 'id'),
    create_notification_addresses: update,
    create_periodic_report_addresses: update,
    send_test_sms_notifications: owners,
  }
}

/** The owner's side sees all shares of a group. The receiver of a share sees that one, and may give it back. */
export function sharePermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const receivers = oneOf('account_id', caller.account_ids)
  return {
    own: own(caller),
    read: shareVisible(caller),
    update: all(always(caller.can_share_groups), mayWrite(caller), ownOrParents(caller)),
    delete: all(mayWrite(caller), any(ownOrParents(caller), receivers)),
  }
}

/** Visible to the owner's side and the receivers, sub-accounts of both included. */
export function shareVisible(caller: Caller): Condition {
  return any(ownOrParents(caller), oneOf('account_id', caller.account_ids))
}

/** Visible to every reader of the service's group. */
export function serviceVisible(caller: Caller): Condition {
  return all(any(ownOrParents(caller), shared(caller)), withinKey(caller))
}

/** Suspensions and corrections are part of modifying the service. */
export function serviceTimePermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = ownersOrShared(caller, 'can_modify_services')
  return { own: own(caller), read: serviceVisible(caller), update, delete: update }
}

/**
 * Comments of a failure are readable with the service. Only the author may delete one, as long as they may modify the
 * service.
 */
export function commentPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const author = own(caller, 'account_id')
  return {
    own: author,
    read: always(true),
    delete: all(ownersOrShared(caller, 'can_modify_services'), author),
  }
}

/** Flags by name (specification: Service, Permissions). Each right that a share can grant is checked by itself. */
export function servicePermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = ownersOrShared(caller, 'can_modify_services')
  return {
    own: own(caller),
    read: serviceVisible(caller),
    update,
    delete: ownersOrShared(caller, 'can_delete_services'),
    archive: ownersOrShared(caller, 'can_archive_services'),
    restore: ownersOrShared(caller, 'can_archive_services'),
    force_analyses: ownersOrShared(caller, 'can_force_analyses'),
    create_suspensions: update,
    send_test_sms_notifications: all(mayWrite(caller), ownOrParents(caller)),
  }
}

/** Tags belong to the owner's side alone; a share shows their names on services. */
export function tagPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = all(mayWrite(caller), ownOrParents(caller))
  return { own: own(caller), read: ownOrParents(caller), update, delete: update }
}

/** Addresses of contacts also belong to the owner's side, which may send a test SMS to them. */
export function contactAddressPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const permissions = tagPermissions(caller)
  return { ...permissions, send_test_sms_notifications: all(mayWrite(caller), ownOrParents(caller)) }
}

/** Addresses of a group, for notifications or reports, are part of modifying the group. */
export function groupAddressPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = ownersOrShared(caller, 'can_modify_group')
  return {
    own: own(caller),
    read: groupVisible(caller, 'group_id'),
    update,
    delete: update,
  }
}

/** The same as for a group's addresses, with the test SMS. The owner pays for it, so no share grants it. */
export function notificationAddressPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  return {
    ...groupAddressPermissions(caller),
    send_test_sms_notifications: all(mayWrite(caller), ownOrParents(caller)),
  }
}

/**
 * Flags by name (specification: Account, Permissions). A parent may write its sub-accounts. A sub-account writes only
 * itself and creates no others.
 */
export function accountPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const self = own(caller, 'id')
  const family = ownOrParents(caller, 'id')
  const dependents = dependentAccounts(caller)
  const creating = all(mayWrite(caller), family)
  return {
    own: self,
    read: accountVisible(caller),
    update: all(mayWrite(caller), any(self, childAccounts(caller), all(dependents, is('maker_may_edit', true)))),
    delete: all(mayWrite(caller), childAccounts(caller)),
    share_groups: all(always(caller.can_share_groups), creating),
    create_subaccounts: all(always(caller.can_create_subaccounts && !caller.is_sub_account), mayWrite(caller), self),
    create_groups: creating,
    create_report_templates: creating,
    read_logs: any(family, childAccounts(caller)),
    read_stats: any(family, childAccounts(caller), dependents),
  }
}

/** Report templates are shared with nobody. */
export function reportTemplatePermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = all(mayWrite(caller), ownOrParents(caller))
  return { own: own(caller), read: ownOrParents(caller), update, delete: update, create_reports: update }
}

/** Wallboards belong to the owner's side alone; anyone with a wallboard's link reads its content. */
export function wallboardPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = all(mayWrite(caller), ownOrParents(caller))
  return { own: own(caller), read: ownOrParents(caller), update, delete: update }
}

/** Message templates belong to the owner's side alone. */
export function templatePermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = all(mayWrite(caller), ownOrParents(caller))
  return { own: own(caller), read: ownOrParents(caller), update, delete: update }
}

/** A report cannot be deleted until it is finished. */
export function reportPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  return {
    own: own(caller),
    read: ownOrParents(caller),
    delete: all(mayWrite(caller), ownOrParents(caller), not({ kind: 'is', field: 'status', value: 'in_progress' })),
  }
}

/** The account itself, its parent, the sub-accounts of either, and the accounts that it made for its customers. */
export function accountVisible(caller: Caller): Condition {
  return any(ownOrParents(caller, 'id'), oneOf('family_parent_id', caller.account_ids), dependentAccounts(caller))
}

/** The sub-accounts of the caller. */
function childAccounts(caller: Caller): Condition {
  return all(always(!caller.is_sub_account), oneOf('family_parent_id', [caller.account_id]))
}

/** The accounts that the caller made for customers. They own what they have. */
function dependentAccounts(caller: Caller): Condition {
  return all(always(!caller.is_sub_account), oneOf('maker_account_id', [caller.account_id]))
}

/** Accounts that the caller may block and unblock. */
export function mayBlockAccount(caller: Caller): Condition {
  const dependents = all(dependentAccounts(caller), is('maker_may_block', true))
  return all(mayWrite(caller), any(childAccounts(caller), dependents))
}

/** Accounts that the caller may close for good: no maker closes what it may not even block. */
export function mayCloseAccount(caller: Caller): Condition {
  return all(mayWrite(caller), dependentAccounts(caller), is('maker_may_block', true))
}

/** Accounts whose ping key the caller reads and replaces: its own and its sub-accounts', none that it only made. */
export function mayHavePingKey(caller: Caller): Condition {
  return all(mayWrite(caller), any(own(caller, 'id'), childAccounts(caller)))
}

/** Resources of which a sub-account may not see what is its parent's or of other sub-accounts. */
const personResources = ['accounts', 'admin/accounts', 'user_data']
const personalResources = [...personResources, 'api_keys', 'sessions']

/** Logged changes: a sub-account sees those of persons and keys only if they are its own. */
export function auditVisible(caller: Caller): Condition {
  if (!caller.is_sub_account) return always(true)
  const ofItself = all(oneOf('resource', personResources), oneOf('object_id', [String(caller.account_id)]))
  const byItself = own(caller, 'account_id')
  return any(not(oneOf('resource', personalResources)), ofItself, byItself)
}

/** Flags by name. Everyone who sees a person's data may write them, except read-only users. */
export function userDataPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  return {
    own: own(caller, 'id'),
    read: userDataVisible(caller),
    update: all(mayWrite(caller), userDataVisible(caller)),
    delete: always(false),
  }
}

/** The caller's own data, and those of its sub-accounts. */
export function userDataVisible(caller: Caller): Condition {
  const children = all(always(!caller.is_sub_account), oneOf('parent_account_id', [caller.account_id]))
  return any(own(caller, 'id'), children)
}

/** A status belongs to its service and changes only by itself. */
export function serviceStatusPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  return { ...readOnlyPermissions(), own: own(caller) }
}

/** Catalogues: everybody reads, nobody writes. */
export function readOnlyPermissions(): Readonly<Record<string, Condition>> {
  return { own: always(false), read: always(true), update: always(false), delete: always(false) }
}
