import type { Caller, SharedGroup } from './caller.ts'
import { all, always, any, type Condition, not, oneOf } from './condition.ts'

/** Conditions from which visibility and permission flags are built (specification: Permissions object; answers §15). */

/** The object belongs to the caller's own account. */
function own(caller: Caller, field = 'owner_id'): Condition {
  return oneOf(field, [caller.account_id])
}

/** The object belongs to the caller's account or to its parent. */
export function ownOrParents(caller: Caller, field = 'owner_id'): Condition {
  return oneOf(field, caller.account_ids)
}

/** What a share can allow beside reading (specification: Share). */
export type ShareFlag = Exclude<keyof SharedGroup, 'group_id'>

/** The object is in a group that is shared with the caller, with the flag when one is named. */
export function shared(caller: Caller, field = 'group_id', flag?: ShareFlag): Condition {
  const groups = caller.shares.filter((share) => flag === undefined || share[flag])
  return oneOf(
    field,
    groups.map((share) => share.group_id),
  )
}

/** Read-only users modify nothing anywhere. */
export function mayWrite(caller: Caller): Condition {
  return always(!caller.is_read_only)
}

/** Groups: readable by the owner, sub-accounts and those they are shared with. */
export function groupVisible(caller: Caller, field = 'id'): Condition {
  return any(ownOrParents(caller), shared(caller, field))
}

/** A right of the owner's side, or of a share that has the flag; never of a read-only user. */
export function ownersOrShared(caller: Caller, flag: ShareFlag, field = 'group_id'): Condition {
  return all(mayWrite(caller), any(ownOrParents(caller), shared(caller, field, flag)))
}

/**
 * Flags by name (specification: Group, Permissions). The default group cannot be deleted; a share gives away neither
 * the group nor further shares.
 */
export function groupPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = ownersOrShared(caller, 'can_modify_group', 'id')
  const owners = all(mayWrite(caller), ownOrParents(caller))
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

/** The owner's side sees all shares of a group; who received one sees it, and may give it back. */
export function sharePermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const receivers = oneOf('account_id', caller.account_ids)
  return {
    own: own(caller),
    read: shareVisible(caller),
    update: all(always(caller.can_share_groups), mayWrite(caller), ownOrParents(caller)),
    delete: all(mayWrite(caller), any(ownOrParents(caller), receivers)),
  }
}

/** The owner’s side and the receivers, sub-accounts of both included. */
export function shareVisible(caller: Caller): Condition {
  return any(ownOrParents(caller), oneOf('account_id', caller.account_ids))
}

/** Whoever may read the group that it is in. */
export function serviceVisible(caller: Caller): Condition {
  return any(ownOrParents(caller), shared(caller))
}

/** Suspensions and corrections: part of modifying the service. */
export function serviceTimePermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = ownersOrShared(caller, 'can_modify_services')
  return { own: own(caller), read: serviceVisible(caller), update, delete: update }
}

/** Comments of a failure: read with the service; the author alone deletes one, while the service may be modified. */
export function commentPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const author = own(caller, 'account_id')
  return {
    own: author,
    read: always(true),
    delete: all(ownersOrShared(caller, 'can_modify_services'), author),
  }
}

/** Flags by name (specification: Service, Permissions): each right that a share can give is asked for by itself. */
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

/** Tags: the owner's side alone; a share shows their names on services. */
export function tagPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = all(mayWrite(caller), ownOrParents(caller))
  return { own: own(caller), read: ownOrParents(caller), update, delete: update }
}

/** The addresses of contacts are the owner's side's, too; it may try whether SMS arrive. */
export function contactAddressPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const permissions = tagPermissions(caller)
  return { ...permissions, send_test_sms_notifications: all(mayWrite(caller), ownOrParents(caller)) }
}

/** Addresses of a group, of notifications or of reports: part of modifying the group. */
export function groupAddressPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = ownersOrShared(caller, 'can_modify_group')
  return {
    own: own(caller),
    read: groupVisible(caller, 'group_id'),
    update,
    delete: update,
  }
}

/** Those of the group’s addresses, and trying whether SMS arrive: that costs the owner, so no share gives it. */
export function notificationAddressPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  return {
    ...groupAddressPermissions(caller),
    send_test_sms_notifications: all(mayWrite(caller), ownOrParents(caller)),
  }
}

/**
 * Flags by name (specification: Account, Permissions). A parent writes its sub-accounts; a sub-account writes itself
 * alone and makes no further ones.
 */
export function accountPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const self = own(caller, 'id')
  const family = ownOrParents(caller, 'id')
  const children = all(always(!caller.is_sub_account), oneOf('parent_account_id', [caller.account_id]))
  const creating = all(mayWrite(caller), family)
  return {
    own: self,
    read: accountVisible(caller),
    update: all(mayWrite(caller), any(self, children)),
    delete: all(mayWrite(caller), children),
    share_groups: all(always(caller.can_share_groups), creating),
    create_subaccounts: all(always(caller.can_create_subaccounts && !caller.is_sub_account), mayWrite(caller), self),
    create_groups: creating,
    create_report_templates: creating,
    read_logs: any(family, children),
    read_stats: any(family, children),
  }
}

/** Report templates are shared with nobody. */
export function reportTemplatePermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = all(mayWrite(caller), ownOrParents(caller))
  return { own: own(caller), read: ownOrParents(caller), update, delete: update, create_reports: update }
}

/** Wallboards: the owner's side alone; whoever has the link of one reads what it shows. */
export function wallboardPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  const update = all(mayWrite(caller), ownOrParents(caller))
  return { own: own(caller), read: ownOrParents(caller), update, delete: update }
}

/** A report that is being made stays until it is finished. */
export function reportPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  return {
    own: own(caller),
    read: ownOrParents(caller),
    delete: all(mayWrite(caller), ownOrParents(caller), not({ kind: 'is', field: 'status', value: 'in_progress' })),
  }
}

/** Oneself, the parent, and the sub-accounts of either. */
export function accountVisible(caller: Caller): Condition {
  return any(ownOrParents(caller, 'id'), oneOf('parent_account_id', caller.account_ids))
}

/** Flags by name: who sees the data of a person may write them, but for read-only users. */
export function userDataPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  return {
    own: own(caller, 'id'),
    read: userDataVisible(caller),
    update: all(mayWrite(caller), userDataVisible(caller)),
    delete: always(false),
  }
}

/** One's own, and those of one's sub-accounts. */
export function userDataVisible(caller: Caller): Condition {
  const children = all(always(!caller.is_sub_account), oneOf('parent_account_id', [caller.account_id]))
  return any(own(caller, 'id'), children)
}

/** A status is its service's: it changes by itself alone. */
export function serviceStatusPermissions(caller: Caller): Readonly<Record<string, Condition>> {
  return { ...readOnlyPermissions(), own: own(caller) }
}

/** For catalogues: everybody reads, nobody writes. */
export function readOnlyPermissions(): Readonly<Record<string, Condition>> {
  return { own: always(false), read: always(true), update: always(false), delete: always(false) }
}
