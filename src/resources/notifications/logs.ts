import sql, { type Sql } from 'sql-template-tag'
import { loginMethods } from '../../auth/attempts.ts'
import { channelIds } from '../../channels/index.ts'
import type { SubjectScope } from '../../domain/access/key-scopes.ts'
import { all, always, before, from } from '../../domain/queries/condition.ts'
import {
  type Newest,
  one,
  type RangeParameters,
  type Resource,
  resource,
  type Select,
  type ShortWays,
  type Tally,
  view,
} from '../../rest/declare.ts'
import { boolean, type Fields, integer, moment, text } from '../../rest/fields.ts'
import { deliveryErrorText } from '../../wording/delivery-errors.ts'
import { periodFields, touchedPeriods } from '../history/status-changes.ts'

export const column = { readOnly: true, filter: true, sort: true } as const
export const id = integer({ ...column, about: 'Identifier; grows with time.' })

/** Half-open: rows from `from` on and before `to`. */
const ofTime: RangeParameters = {
  within: (fromAt, toAt) =>
    all(fromAt === null ? always(true) : from('time', fromAt), toAt === null ? always(true) : before('time', toAt)),
  defaultFrom: () => null,
  maximumSeconds: null,
}

interface Log {
  /** Default: `read`. */
  readonly scope?: SubjectScope
  readonly about: string
  readonly singular: string
  readonly rows: Select
  readonly shortWays?: ShortWays
  readonly fields: Fields
  readonly search: readonly string[]
}

/** A log of an account, for whom read_logs of that account permits (specification: Logs; answers §10). */
export function log(
  name: string,
  { rows, shortWays, ...declared }: Log,
  more: Partial<Pick<Resource, 'range' | 'key' | 'relations' | 'operations' | 'bound' | 'visible'>>,
) {
  return resource(`logs/${name}`, {
    ...declared,
    tag: 'logs',
    path: `/accounts/{_account_id}/logs/${name}`,
    parent: 'accounts',
    readFlag: 'read_logs',
    bound: { _account_id: 'account_id', ...more.bound },
    source: view(rows, shortWays),
    range: more.range ?? ofTime,
    key: more.key ?? ['id'],
    relations: more.relations ?? {},
    embed: Object.keys(more.relations ?? {}),
    visible: more.visible ?? (() => always(true)),
    operations: more.operations ?? ['list'],
  })
}

const service = one('services', 'service_id')
const group = one('groups', 'group_id')

const notificationFields = {
  id,
  time: moment(column),
  service_id: integer({
    ...column,
    nullable: true,
    about: 'Null for a confirmation code, and for a test message of a group or an address.',
  }),
  notification_channel_id: text({ ...column, oneOf: channelIds, example: 'email' }),
  notification_condition_id: text({
    ...column,
    about:
      'Element of the dictionary notification_conditions, or `test`, `confirmation` (a code that confirms the address), or `acknowledgement` (told to channels that keep incidents or threads).',
    example: 'failure',
  }),
  address: text({ ...column, contains: true, about: 'As it was then.', example: 'alice@example.com' }),
  subject: text({
    ...column,
    contains: true,
    nullable: true,
    about: 'Null until it was first worded.',
    example: 'Sklep: awaria',
  }),
  status: text({ ...column, oneOf: ['pending', 'sent', 'failed'], example: 'sent' }),
  attempts: integer({ ...column, minimum: 0 }),
  error_message: text({
    ...column,
    contains: true,
    nullable: true,
    about: 'Why the last attempt failed, in the language of the request; filters and search look at the English text.',
    example: null,
    shown: (kept, _row, language) => (kept === null ? null : deliveryErrorText(String(kept), language)),
  }),
  account_id: integer({ internal: true }),
}
const { id: _id, time, service_id, ...ofDelivery } = notificationFields

/** @param whose columns that only these messages have @param isMeant which they are */
function notificationRows(whose: Sql, isMeant: Sql): Select {
  return () => sql`
    select id, account_id, created_at as time, nullif(service_id, 0) as service_id, ${whose}, notification_channel_id,
      notification_condition_id, address, subject, status, attempts, error_message
    from notification_intents where ${isMeant}`
}

const inDelivery = ['address', 'subject', 'error_message']

/** The whole delivery of every notice to the addresses of the account's groups, of test messages and codes. */
export const notificationLog = log(
  'notifications',
  {
    scope: 'notifications',
    about: 'Notifications of an account: to whom, when, and how their delivery went.',
    singular: 'logged notification',
    rows: notificationRows(sql`group_id, address_id as notification_address_id`, sql`contact_id is null`),
    fields: {
      ...{ id, time, service_id },
      group_id: integer(column),
      notification_address_id: integer({ ...column, about: 'It may be gone meanwhile.' }),
      ...ofDelivery,
    },
    search: inDelivery,
  },
  { relations: { service, group }, bound: { _id: 'id' }, operations: ['list', 'read'] },
)

/** The same to the addresses of contacts. */
export const contactNotificationLog = log(
  'contact_notifications',
  {
    scope: 'notifications',
    about: "Notifications of an account's contacts: to whom, when, and how their delivery went.",
    singular: 'logged notification of a contact',
    rows: notificationRows(sql`contact_id, address_id as contact_address_id`, sql`contact_id is not null`),
    fields: {
      ...{ id, time, service_id },
      contact_id: integer({ ...column, about: 'It may be gone meanwhile.' }),
      contact_address_id: integer({ ...column, about: 'It may be gone meanwhile.' }),
      ...ofDelivery,
    },
    search: inDelivery,
  },
  {
    relations: { service, contact: one('contacts', 'contact_id') },
    bound: { _id: 'id' },
    operations: ['list', 'read'],
  },
)

const changeColumns = sql`c.*, c.change_id as change_key, s.owner_id as account_id, s.group_id, s.name as service_name`

/**
 * The newest change of a service is the one that lasts. So the services with the newest lasting changes have all of the
 * newest ones, and no older change of theirs is read. Other conditions than the account may leave out the lasting ones.
 */
const newestChanges: Newest = (where, count) => {
  if (where.kind !== 'oneOf' || where.field !== 'account_id') return null
  return sql`
    with lasting as materialized (
      select c.service_id, c.change_id from services s join status_changes c on c.service_id = s.id and c.end_time is null
      where s.owner_id = any(${[...where.values]}::int[]) order by c.change_id desc, c.service_id limit ${count})
    select ${changeColumns} from lasting l
      join services s on s.id = l.service_id
      join status_changes c on c.service_id = l.service_id and c.change_id >= (
        select case when count(*) = ${count} then min(change_id) else 0 end from lasting)`
}

/** The database counts the changes of each service as they are written. */
const changesOfServices: Tally = {
  fields: ['account_id', 'group_id', 'service_id', 'service_name'],
  select: sql`
    select s.owner_id as account_id, s.group_id, s.id as service_id, s.name as service_name, n.changes as rows
    from services s join status_change_counts n on n.service_id = s.id`,
}

/** The history of the services that the account owns now. */
export const statusChangeLog = log(
  'status_changes',
  {
    about: 'Status changes of all services of an account.',
    singular: 'logged status change',
    rows: () => sql`select ${changeColumns} from services s join status_changes c on c.service_id = s.id`,
    shortWays: { newest: newestChanges, tally: changesOfServices },
    fields: {
      ...periodFields,
      group_id: integer(column),
      service_name: text({ ...column, contains: true, about: 'As it is named now.', example: 'Sklep' }),
      change_key: integer({ internal: true }),
      account_id: integer({ internal: true }),
    },
    search: ['service_name', 'description'],
  },
  { relations: { service, group }, range: touchedPeriods, key: ['change_key', 'service_id'] },
)

export const authenticationLog = log(
  'authentications',
  {
    scope: 'account',
    about: 'Attempts to log in to an account; the use of a session is none.',
    singular: 'logged authentication',
    rows: () => sql`select * from authentications`,
    fields: {
      id,
      time: moment(column),
      ip_address: text({ ...column, contains: true, example: '192.0.2.7' }),
      user_agent: text({ ...column, contains: true, example: 'curl/8.5.0' }),
      method: text({ ...column, oneOf: loginMethods, example: 'session' }),
      success: boolean({ ...column, about: 'False for a wrong password or a login that was turned away.' }),
      account_id: integer({ internal: true }),
    },
    search: ['ip_address', 'user_agent'],
  },
  {},
)
