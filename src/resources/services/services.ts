import sql, { type Sql } from 'sql-template-tag'
import { channelIds } from '../../channels/index.ts'
import { needsSensors, reportsIn, serviceTypeOf, serviceTypes } from '../../checks/index.ts'
import type { Executor } from '../../database/connect.ts'
import { servicePermissions, serviceVisible } from '../../domain/access/permissions.ts'
import {
  notificationConditionIds,
  notificationModeIds,
  recoveryNotificationModeIds,
} from '../../domain/dictionaries.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { all, any, is, oneOf, type Row } from '../../domain/queries/condition.ts'
import { presentSettings, type StoredSettings, usualSettings } from '../../domain/services/extended-settings.ts'
import { addressProblems } from '../../domain/services/monitored-address.ts'
import type { Operation } from '../../rest/call.ts'
import { type Configuration, setSecretsField } from '../../rest/configuration.ts'
import { by, type ChildList, one, oneOfSameReaders, type Resource, resource, table } from '../../rest/declare.ts'
import { boolean, type ColumnContext, identifier, integer, json, list, moment, text } from '../../rest/fields.ts'
import { shareCoverageOf } from '../../service-state/coverage.ts'
import { removeServices } from '../../service-state/services.ts'
import { lockPlans } from '../../service-state/statuses.ts'
import { type ServiceWarningId, serviceWarnings as warningIds } from '../../service-state/warnings.ts'
import { availableSensors, canCheck } from '../dictionaries/sensors.ts'
import { contactFields, escalationField, peopleReferences } from '../on-call/references.ts'
import { forWriters } from './for-writers.ts'
import { heartbeatFields } from './heartbeat-fields.ts'
import { parentIds } from './parents.ts'
import { portField } from './port-field.ts'
import { serviceWrite } from './service-write.ts'
import { anySettings, settingsByType } from './setting-schemas.ts'
import { stateCounts } from './state-counts.ts'
import { serviceTags } from './tags.ts'
import { serviceWarnings, warningOf } from './warnings.ts'

const hours = { deprecated: true } as const

/** Sensors configured for the service: its own, else the group's of the type's category (answers §6). */
function monitoringSensors({ alias }: ColumnContext): Sql {
  const checked = serviceTypes.filter(({ id }) => needsSensors(id))
  const types = sql`unnest(${checked.map(({ id }) => id)}::text[], ${checked.map(({ category }) => category)}::text[])`
  return sql`coalesce((
    select case when cardinality(${alias}.sensor_ids) > 0 then to_jsonb(${alias}.sensor_ids)
      else g.assigned_sensor_ids -> known.category end
    from groups g, ${types} as known (type_id, category)
    where g.id = ${alias}.group_id and known.type_id = ${alias}.type_id), '[]'::jsonb)`
}

function settingsShown(value: unknown, row: Readonly<Record<string, unknown>>): unknown {
  const type = serviceTypeOf(String(row['type_id']))
  return type === undefined ? value : presentSettings(type, value as StoredSettings)
}

function formatsOf(row: Row) {
  return serviceTypeOf(String(row['type_id']))?.settings ?? []
}

function secretsOf(row: Row): readonly string[] {
  return formatsOf(row).flatMap(({ setting_id: id, isSecret }) => (isSecret ? [id] : []))
}

function addressProblemsOf({ type_id: typeId, address }: Row): readonly Problem[] {
  const type = serviceTypeOf(String(typeId))
  if (type === undefined || typeof address !== 'string') return []
  return addressProblems(type, address, 'data.address').problems
}

/** How files of configuration as code hold a service. */
const configuredService: Configuration = {
  references: {
    group_id: { to: 'groups' },
    parent_ids: { to: 'services' },
    sensor_ids: { to: 'sensors', isOpen: true },
    tags: { to: 'tags', by: 'name', isOpen: true },
    ...peopleReferences,
  },
  heldBy: ['group_id'],
  merged: ['extended_settings'],
  secrets: (row) => secretsOf(row).map((id) => `extended_settings.${id}`),
  usual: (row) => usualSettings(formatsOf(row), row['extended_settings']).map((id) => `extended_settings.${id}`),
  explicit: (row) => [
    ...['notification_channel_ids', 'notification_condition_ids'],
    ...(reportsIn(String(row['type_id'])) ? ['ping_slug'] : []),
  ],
  problems: addressProblemsOf,
  defaultFrom: { member: 'notification_channel_ids', kind: 'notification_addresses', by: 'group_id' },
  left: ['is_archived'],
}

export const serviceFields = {
  id: identifier(),
  name: text({
    required: true,
    minimumLength: 1,
    maximumLength: 200,
    filter: true,
    contains: true,
    sort: true,
    example: 'Sklep',
  }),
  description: text({ multiline: true, maximumLength: 5000, contains: true, example: '' }),
  badge_token: text({
    about:
      'Anybody who has it sees the state as a picture, `/badges/{token}.svg`; null: nobody does. Null for callers who may not change the service, too.',
    nullable: true,
    readOnly: true,
    computed: true,
    example: null,
    column: (context) => forWriters(context, sql`${context.alias}.badge_token`),
  }),
  type_id: text({
    about: 'Cannot be changed.',
    required: true,
    immutable: true,
    oneOf: serviceTypes.map(({ id }) => id),
    filter: true,
    sort: true,
    example: 'https',
  }),
  address: text({
    about: 'Without the address_prefix of the type. Empty for a heartbeat, which need not send it.',
    required: true,
    emptyFor: (input) => reportsIn(String(input['type_id'])),
    minimumLength: 1,
    maximumLength: 2048,
    filter: true,
    contains: true,
    sort: true,
    example: 'www.example.com/shop',
  }),
  interval: integer({
    about: 'Seconds between analyses.',
    minimum: 1,
    maximum: 86_400 * 7,
    filter: true,
    sort: true,
    example: 600,
  }),
  group_id: integer({ about: 'Default: the default group.', filter: true, sort: true }),
  owner_id: integer({
    about: "The group's owner; another one is refused.",
    immutable: true,
    filter: true,
    sort: true,
  }),
  is_active: boolean({ about: 'False stops monitoring.', filter: true, sort: true, example: true }),
  is_archived: boolean({
    about: 'Changed by archive and restore; a new service may say false.',
    immutable: true,
    filter: true,
    sort: true,
    example: false,
  }),
  extended_settings: json({
    about:
      'Settings by key; the keys depend on the type. A PUT merges; null resets to the default. Secrets are shown as null; null keeps a secret, an empty text removes it. Somebody who has the service by a share gives its secrets again with any change that decides where they go or what is told of the answer.',
    schema: anySettings,
    example: { timeout: 7000 },
    needs: ['type_id'],
    shown: settingsShown,
  }),
  set_secrets: setSecretsField(({ alias }) => sql`array(select jsonb_object_keys(${alias}.extended_settings))`, {
    needs: ['type_id'],
    secretsOf,
  }),
  notification_channel_ids: list(text({ oneOf: channelIds }), {
    filter: true,
    maximumLength: 100,
    example: ['email'],
  }),
  notification_condition_ids: list(text({ oneOf: notificationConditionIds }), {
    filter: true,
    maximumLength: 20,
    example: ['failure', 'recovery'],
  }),
  notification_mode_id: text({ oneOf: notificationModeIds, filter: true, sort: true, example: 'default' }),
  recovery_notification_mode_id: text({
    oneOf: recoveryNotificationModeIds,
    filter: true,
    sort: true,
    example: 'default',
  }),
  silent_hours: text({
    ...hours,
    about: 'Quiet hours of the day, 1 is silent.',
    pattern: /^[01]{24}$/,
    detail: 'hours_of_day',
    example: '0'.repeat(24),
  }),
  suspension_hours: text({
    ...hours,
    about: 'Suspended hours of the week from Monday 00:00, 1 is suspended.',
    pattern: /^[01]{168}$/,
    detail: 'hours_of_week',
    example: '0'.repeat(168),
  }),
  sensor_ids: list(integer({}), {
    about: "Overrides the group's stations; empty does not.",
    filter: true,
    maximumLength: 100,
    example: [],
  }),
  tags: serviceTags,
  parent_ids: parentIds,
  contact_ids: {
    ...contactFields.contact_ids,
    about:
      "The owner's contacts that are told, beside those of its group and whatever channels are chosen for the addresses of the group.",
  },
  contact_group_ids: {
    ...contactFields.contact_group_ids,
    about: "The owner's groups of contacts that are told, beside those of its group.",
  },
  escalation_id: {
    ...escalationField,
    about: 'The escalation that tells further people while nobody acknowledges a failure; null: the one of the group.',
  },
  query_name: text({
    about: 'The domain name that a DNS service asks its name server, the address, for; null for others.',
    nullable: true,
    readOnly: true,
    computed: true,
    example: null,
    column: ({ alias }) => sql`${alias}.extended_settings ->> 'query_name'`,
  }),
  ...portField,
  ...heartbeatFields,
  path_steps: list(text({}), {
    about: 'Names of the steps of a scenario; null for others.',
    nullable: true,
    readOnly: true,
    example: null,
  }),
  expires_at: moment({
    about: 'The nearest end of its certificate or domain; null when none was seen.',
    nullable: true,
    readOnly: true,
    filter: true,
    sort: true,
    example: null,
  }),
  created_at: moment({ readOnly: true, filter: true, sort: true }),
  warnings: list(warningOf(['no_sensor', 'no_capable_sensor', 'nobody_told']), {
    about:
      'The faults of the definition that keep the service from being checked, or its failures from reaching anybody; empty when nothing does.',
    readOnly: true,
    computed: true,
    example: [],
    column: ({ alias }) => warningIds(alias),
    shown: (ids, _row, language) => serviceWarnings(ids as readonly ServiceWarningId[], language),
  }),
  tag_ids: list(integer({}), { internal: true }),
  monitoring_sensor_ids: json({ internal: true, column: monitoringSensors }),
}

/** The wide suspensions that cover a service now. */
function coveredBy(list: string, summary: string): ChildList {
  return {
    list,
    summary,
    where: (service) =>
      all(
        oneOf('owner_id', [Number(service['owner_id'])]),
        any(is('group_id', null), is('group_id', Number(service['group_id']))),
        any(is('tag', null), oneOf('tag', service['tags'] as string[])),
      ),
  }
}

const children: Readonly<Record<string, ChildList>> = {
  available_groups: {
    list: 'groups',
    summary: 'Groups that the service can be moved to',
    where: (service) => all(oneOf('owner_id', [Number(service['owner_id'])]), is('permissions.create_services', true)),
  },
  monitoring_sensors: {
    list: 'sensors',
    summary: 'Sensors that monitor the service, without replacements',
    where: (service) => oneOf('id', service['monitoring_sensor_ids'] as number[]),
  },
  notification_addresses: {
    list: 'notification_addresses',
    summary: 'Addresses enabled for the service',
    where: (service) =>
      all(
        oneOf('group_id', [Number(service['group_id'])]),
        oneOf('notification_channel_id', service['notification_channel_ids'] as string[]),
        any(is('tags', null), ...(service['tags'] as string[]).map((tag) => is('tags', tag))),
      ),
  },
  notification_channels: {
    list: 'dictionaries/notification_channels',
    summary: 'Channels enabled for a service',
    where: (service) => oneOf('id', service['notification_channel_ids'] as string[]),
  },
  notification_conditions: {
    list: 'dictionaries/notification_conditions',
    summary: 'Conditions enabled for a service',
    where: (service) => oneOf('id', service['notification_condition_ids'] as string[]),
  },
  available_sensors: availableSensors('Sensors that can check a service', ({ type_id }) => canCheck(String(type_id))),
  corrections: by('corrections', 'service_id', 'Corrections of the service level of a service'),
  periodic_report_addresses: {
    list: 'periodic_report_addresses',
    summary: 'Report addresses that serve the service',
    where: (service) => oneOf('group_id', [Number(service['group_id'])]),
  },
  suspensions: by('suspensions', 'service_id', 'One-off suspensions of a service'),
  weekly_suspensions: by('weekly_suspensions', 'service_id', 'Weekly suspensions of a service'),
  scheduled_suspensions: by('scheduled_suspensions', 'service_id', 'Scheduled suspensions of a service'),
  wide_suspensions: coveredBy('wide_suspensions', 'One-off suspensions of its group, its tags and its account'),
  wide_weekly_suspensions: coveredBy(
    'wide_weekly_suspensions',
    'Weekly suspensions of its group, its tags and its account',
  ),
}

/** A change may take it into the reach of wide suspensions, or out of it. */
async function lockForChange(transaction: Executor, id: number): Promise<void> {
  await shareCoverageOf(transaction, id)
  await lockPlans(transaction, [id])
}

/** The actions are handed in: their limits are configuration. */
export function services(actions: readonly Operation[]): Resource {
  return resource('services', {
    about: 'The monitored things: web pages, servers, names.',
    singular: 'service',
    variants: settingsByType,
    source: table('services'),
    fields: serviceFields,
    relations: {
      group: one('groups', 'group_id'),
      type: one('service_types', 'type_id'),
      status: oneOfSameReaders('service_statuses', 'id'),
      owner: one('accounts', 'owner_id'),
      notification_mode: one('dictionaries/notification_modes', 'notification_mode_id'),
      recovery_notification_mode: one('dictionaries/recovery_notification_modes', 'recovery_notification_mode_id'),
    },
    embed: ['group', 'type', 'status', 'owner', 'permissions'],
    subresources: ['group', 'type', 'owner', 'notification_mode', 'recovery_notification_mode'],
    search: ['id', 'name', 'description', 'address', 'address_with_port'],
    forNarrowedKeys: true,
    visible: serviceVisible,
    permissions: servicePermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    configuration: configuredService,
    children,
    countings: { state_counts: stateCounts },
    write: {
      ...serviceWrite,
      lockedBy: { field: 'id', lock: lockForChange },
      async removing(transaction, _call, { id }) {
        await removeServices(transaction, [Number(id)])
        return []
      },
    },
    actions,
  })
}
