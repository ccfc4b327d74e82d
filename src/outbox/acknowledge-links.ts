import sql from 'sql-template-tag'
import { isSignature, readSigningKey, sign } from '../database/accounts/signing-keys.ts'
import type { Executor } from '../database/connect.ts'

/** The failure that a message's link acknowledges, and the message's reader. */
export interface AcknowledgeTarget {
  readonly serviceId: number
  /** The status change that is the failure. */
  readonly changeId: number
  readonly addressId: number
}

/** The key that signs this installation's links. */
export function readLinkKey(executor: Executor): Promise<Buffer> {
  return readSigningKey(executor, 'links that acknowledge')
}

function signatureOf(key: Buffer, body: string): string {
  return sign(key, body).subarray(0, 16).toString('base64url')
}

/** Short, as people read it on telephones: three numbers to the base of 36 and 128 bits that nobody can guess. */
export function acknowledgeToken(key: Buffer, { serviceId, changeId, addressId }: AcknowledgeTarget): string {
  const body = [serviceId, changeId, addressId].map((number) => number.toString(36)).join('.')
  return `${body}.${signatureOf(key, body)}`
}

/** Null: it was not made here. */
export function readAcknowledgeToken(key: Buffer, token: string): AcknowledgeTarget | null {
  const found = /^([0-9a-z]{1,7})\.([0-9a-z]{1,11})\.([0-9a-z]{1,7})\.([\w-]{22})$/.exec(token)
  if (found === null) return null
  const [, service = '', change = '', address = '', given = ''] = found
  const signature = signatureOf(key, [service, change, address].join('.'))
  if (!isSignature(given, signature)) return null
  const [serviceId = 0, changeId = 0, addressId = 0] = [service, change, address].map((text) =>
    Number.parseInt(text, 36),
  )
  return { serviceId, changeId, addressId }
}

/** The failure that a link acknowledges. Moments in Unix milliseconds. */
export interface LinkedFailure {
  readonly service_name: string
  readonly started_at: number
  readonly ended_at: number | null
  readonly acknowledged_at: number | null
  /** The account that acknowledged it; null: none, or an account that is gone. */
  readonly acknowledged_by: string | null
  /** The reader of the message: the contact, or the address. */
  readonly reader_name: string
  /** The login of the contact, where it has one. */
  readonly reader_account_id: number | null
  readonly time_zone_id: string
}

/** Null: the service, the failure or the address is gone, or the address belongs to another account now. */
export async function readLinkedFailure(
  executor: Executor,
  { serviceId, changeId, addressId }: AcknowledgeTarget,
): Promise<LinkedFailure | null> {
  const [found] = await executor.query<LinkedFailure>(sql`
    with told as (
      select coalesce(contacts.name, target.address) as reader_name, contacts.account_id as reader_account_id,
        coalesce(contacts.owner_id, groups.owner_id) as owner_id, contacts.time_zone_id
      from notification_addresses target
      left join groups on groups.id = target.group_id
      left join contacts on contacts.id = target.contact_id
      where target.id = ${addressId})
    select services.name as service_name, changes.start_time as started_at, changes.end_time as ended_at, changes.acknowledged_at,
      coalesce(changes.acknowledged_by_name, (select author.name from accounts author where author.id = changes.acknowledged_by_account_id))
        as acknowledged_by,
      told.reader_name, told.reader_account_id, coalesce(told.time_zone_id, accounts.time_zone_id) as time_zone_id
    from status_changes changes
    join services on services.id = changes.service_id
    join accounts on accounts.id = services.owner_id
    join told on told.owner_id = services.owner_id
    where changes.service_id = ${serviceId} and changes.change_id = ${changeId} and changes.status = 'failure'`)
  return found ?? null
}
