import sql from 'sql-template-tag'
import { groupAddressPermissions, groupVisible } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { reportAddressProblems, reportFrequencies } from '../../domain/notification/notification-address.ts'
import type { Configuration } from '../../rest/configuration.ts'
import { one, type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { identifier, integer, text } from '../../rest/fields.ts'
import { onlyConfirmed } from '../accounts/confirmed-mailboxes.ts'
import {
  type GroupFacts,
  ownerOfGroup,
  ownerProblems,
  targetGroup,
  targetGroupProblems,
} from '../groups/target-group.ts'

interface ReportAddress extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly address: string
  readonly group_id: number
}

const write: Writing<ReportAddress, GroupFacts | null> = {
  countLimit: { count: countLimits.periodicReportAddresses, per: 'group_id' },
  facts: (transaction, call, given, before) => targetGroup(transaction, call, { given, before }, 'can_modify_group'),
  complete: (given, before, target) => ({
    row: before === null && target !== null ? { ...given, group_id: target.id } : given,
    problems: [],
  }),
  rules: ({ address, ...row }, target, before) => [
    ...targetGroupProblems(target, before),
    ...ownerProblems(target, row, before),
    ...(address === undefined ? [] : reportAddressProblems(address)),
  ],
}

const confirming = onlyConfirmed(write, {
  named: ({ address }) => [address],
  pointer: () => 'data.address',
  accepted: (before) => (before === null ? [] : [before.address]),
  ownerId: (_row, group) => group?.owner_id ?? 0,
})

const configured: Configuration = {
  within: { resource: 'groups', member: 'report_addresses', field: 'group_id' },
  ownerOf: { table: 'groups', field: 'group_id' },
  title: 'address',
}

/** @param mustConfirm whether a mailbox has to be a confirmed notification address */
export function periodicReportAddresses(mustConfirm: boolean): Resource {
  return resource('periodic_report_addresses', {
    about: 'Where the older periodic reports of a group are mailed to.',
    singular: 'periodic report address',
    source: table(
      'periodic_report_addresses',
      // Both sides of `visible` are columns of the group: only so can indexes find it.
      () => sql`
        select a.id, a.address, a.report_frequency, a.managed_key, a.managed_by, a.managed_state, g.id as group_id,
          g.owner_id
        from periodic_report_addresses a join groups g on g.id = a.group_id`,
    ),
    fields: {
      id: identifier(),
      address: text({
        about: 'E-mail address. Where people register themselves, a confirmed notification address of the same owner.',
        required: true,
        minimumLength: 1,
        maximumLength: 254,
        filter: true,
        contains: true,
        sort: true,
        example: 'alice@example.com',
      }),
      group_id: integer({ about: 'Default: the default group.', filter: true, sort: true }),
      report_frequency: text({
        required: true,
        oneOf: reportFrequencies,
        filter: true,
        sort: true,
        example: 'weekly',
      }),
      owner_id: ownerOfGroup,
    },
    relations: { group: one('groups', 'group_id'), owner: one('accounts', 'owner_id') },
    embed: ['group', 'owner', 'permissions'],
    subresources: ['group', 'owner'],
    search: ['id', 'address'],
    scope: 'reports',
    forNarrowedKeys: true,
    visible: (caller) => groupVisible(caller, 'group_id'),
    permissions: groupAddressPermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    configuration: configured,
    write: mustConfirm ? confirming : write,
  })
}
