import sql from 'sql-template-tag'
import { timeZoneName } from '../../domain/calendars/time-zones.ts'
import type { NoticeFacts } from '../../domain/notification/notice.ts'
import { messageConditions } from '../../domain/notification/template-variables.ts'
import type { Call } from '../../rest/call.ts'
import { integer, text } from '../../rest/fields.ts'
import { refuse } from '../../rest/problems.ts'
import { readOne } from '../../rest/select.ts'

/** The content of previews: a notification that was sent, or an example. */

/** A notification that was sent; else the condition of an example. */
export type PreviewedNotice = NoticeFacts | (typeof messageConditions)[number]

/** Members of `noticeFields` as they were read. */
export interface ChosenNotice {
  readonly service_id?: number
  readonly change_id?: string
  readonly condition?: (typeof messageConditions)[number]
}

export const noticeFields = {
  service_id: integer({ about: 'Words the last notification of this service.', minimum: 1, untypical: true }),
  change_id: text({
    about: 'With `service_id`: words the last notification of this status change.',
    pattern: /^\d{1,15}$/,
    detail: 'past_notification',
    maximumLength: 15,
  }),
  condition: text({
    about: 'Without `service_id`: what the example tells.',
    oneOf: messageConditions,
    example: 'failure',
  }),
}

/** The notification that the caller chose. */
export function noticeOf(call: Call, chosen: ChosenNotice): Promise<NoticeFacts> | PreviewedNotice {
  const { service_id: serviceId, change_id: changeId, condition = 'failure' } = chosen
  if (serviceId !== undefined) return pastNotice(call, serviceId, changeId)
  if (changeId !== undefined) refuse('missing_value', 'data.service_id', { name: 'service_id' })
  return condition
}

/** The last notification of a service that the caller may read, of an account whose log they may read. */
async function pastNotice(call: Call, serviceId: number, changeId: string | undefined): Promise<NoticeFacts> {
  const where = { kind: 'is', field: 'id', value: serviceId } as const
  const service = await readOne(call.registry.get('services'), call, { where, columns: ['id'], flags: [] })
  if (service === null) refuse('incorrect_value', 'data.service_id', { detail: 'service' })
  const [found] = await call.database.query<{ facts: NoticeFacts }>(sql`
    select facts from notification_intents
    where service_id = ${serviceId} and account_id = any(${[...call.caller.account_ids]}::int[])
      and notification_condition_id <> all(${['test', 'confirmation', 'acknowledgement']}::text[])
      and (${changeId ?? null}::text is null or facts -> 'change' ->> 'id' = ${changeId ?? null}::text)
    order by id desc limit 1`)
  const field = changeId === undefined ? 'data.service_id' : 'data.change_id'
  return found?.facts ?? refuse('incorrect_value', field, { detail: 'past_notification' })
}

/** The IANA name of the caller's zone. */
export async function zoneOf({ database, caller }: Call): Promise<string> {
  const [account] = await database.query<{ time_zone_id: string }>(
    sql`select time_zone_id from accounts where id = ${caller.account_id}`,
  )
  return timeZoneName(account?.time_zone_id ?? 'utc') ?? 'UTC'
}
