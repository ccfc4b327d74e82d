import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import {
  mayWrite,
  servicePermissions,
  serviceTimePermissions,
  serviceVisible,
} from '../../domain/access/permissions.ts'
import { periodProblems } from '../../domain/calendars/period.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { all, always, before, from, holds, type Row } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import type { Configuration } from '../../rest/configuration.ts'
import { one, type RangeParameters, type Source, table, type Writing } from '../../rest/declare.ts'
import { boolean, integer, list, text } from '../../rest/fields.ts'
import { calendarsChanged, hearCalendars } from '../../service-state/pauses.ts'
import { lockPlans } from '../../service-state/statuses.ts'

/** Parts of a service without an owner of their own: suspensions, corrections. */

/** Rows of the table with whose they are, as far as `where` (on `part`) lets them through. */
export function partOfService(name: string, where: Sql = empty): Source {
  return table(
    name,
    () =>
      sql`select part.*, s.owner_id, s.group_id, s.tag_ids from ${raw(name)} part join services s on s.id = part.service_id ${where}`,
  )
}

export const partFields = {
  service_id: integer({ required: true, immutable: true, filter: true, sort: true, example: 1 }),
  description: text({ multiline: true, maximumLength: 5000, contains: true, example: 'Planned work' }),
  owner_id: integer({ internal: true }),
  group_id: integer({ internal: true }),
  tag_ids: list(integer({}), { internal: true }),
} as const

/** The field that tells quiet hours from stops of monitoring. */
export const onlyNotifications = boolean({
  about: 'False: monitoring stops. True: quiet hours, monitoring goes on.',
  filter: true,
  sort: true,
  example: false,
})

/** How files of configuration as code hold a part. */
export const partConfiguration: Configuration = {
  references: { service_id: { to: 'services' } },
  ownerOf: { table: 'services', field: 'service_id' },
  title: 'description',
  goesAlong: true,
}

export const servicePart = {
  relations: { service: one('services', 'service_id') },
  embed: ['service', 'permissions'],
  forNarrowedKeys: true,
  subresources: ['service'],
  visible: serviceVisible,
  permissions: serviceTimePermissions,
} as const

/** The service that a part is for, with what the caller may do there. */
interface ServiceFacts {
  readonly id: number
  readonly owner_id: number
  readonly group_id: number
  readonly tag_ids: readonly number[]
  readonly is_archived: boolean
  readonly refusal: Problem | null
}

/** Null when the caller may not read it. Its plan is held, and so is it against deletion. */
async function targetService(
  transaction: Executor,
  { caller }: Call,
  serviceId: unknown,
  flag: string,
): Promise<ServiceFacts | null> {
  if (typeof serviceId !== 'number') return null
  await lockPlans(transaction, [serviceId])
  const [service] = await transaction.query<Omit<ServiceFacts, 'refusal'>>(sql`
    select id, owner_id, group_id, tag_ids, is_archived from services where id = ${serviceId}`)
  if (service === undefined || !holds(serviceVisible(caller), { ...service })) return null
  const condition = servicePermissions(caller)[flag]
  const isAllowed = condition !== undefined && holds(condition, { ...service })
  return { ...service, refusal: isAllowed ? null : lacksPermission(caller, flag) }
}

export type PartWriting = Writing<Row, ServiceFacts | null>

interface PartRules {
  /** The permission flag of the service that creating needs. */
  readonly flag: string
  readonly isForArchived: boolean
}

/** The rules for writing any part of a service: the service is readable, may be changed, and is not archived. */
export function partWrite(options: PartRules): PartWriting {
  return {
    lockedBy: { field: 'service_id', lock: (transaction, serviceId) => lockPlans(transaction, [serviceId]) },
    allowed: ({ caller }) => mayWrite(caller),
    facts: (transaction, call, given, before) =>
      targetService(transaction, call, before?.['service_id'] ?? given['service_id'], options.flag),
    rules(row, service): readonly Problem[] {
      // A missing or malformed service_id was told before.
      if (row['service_id'] === undefined) return []
      if (service === null)
        return [{ error: 'incorrect_value', field: 'data.service_id', facts: { detail: 'service' } }]
      if (service.refusal !== null) return [service.refusal]
      return service.is_archived && !options.isForArchived ? [{ error: 'service_is_archived' }] : []
    },
  }
}

async function speaksAnew(transaction: Executor, { nowAt }: Call, { service_id: id }: Row): Promise<void> {
  await calendarsChanged(transaction, [Number(id)], nowAt)
}

/** For parts of the service's calendar: what it said until now has happened, and whatever is planned holds at once. */
export function calendarWrite(part: PartWriting): PartWriting {
  return {
    ...part,
    async facts(transaction, call, given, before) {
      const service = (await part.facts?.(transaction, call, given, before)) ?? null
      if (service !== null) await hearCalendars(transaction, [service.id], call.nowAt)
      return service
    },
    async removing(transaction, { nowAt }, { service_id: id }) {
      await hearCalendars(transaction, [Number(id)], nowAt)
      return []
    },
    created: speaksAnew,
    changed: speaksAnew,
    removed: speaksAnew,
  }
}

/** The rules for writing a part that lasts from one moment to another, in the fields of these names. */
export function periodWrite(options: PartRules & { readonly start: string; readonly end: string }): PartWriting {
  const { start, end } = options
  const part = partWrite(options)
  return {
    ...part,
    rules: (row, service, before) => [
      ...(part.rules?.(row, service, before) ?? []),
      ...periodProblems(row[start] as number | undefined, row[end] as number | undefined, `data.${end}`),
    ],
  }
}

/**
 * `from` and `to` of lists choose everything that touches that range. The end is exclusive, and moments are whole
 * milliseconds.
 */
export const touchedTimes: RangeParameters = {
  within: (fromAt, toAt) =>
    all(
      fromAt === null ? always(true) : from('end_time', fromAt + 1),
      toAt === null ? always(true) : before('start_time', toAt),
    ),
  defaultFrom: () => null,
  maximumSeconds: null,
}
