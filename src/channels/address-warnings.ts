import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { isUnused } from '../outbox/silence.ts'
import type { WaitingAddress } from './confirmation-codes.ts'
import { destinationOf } from './index.ts'

export type AddressWarningId = 'no_confirmation_code' | 'no_service_uses_it'

interface Found extends WaitingAddress {
  readonly is_waiting: boolean
  readonly destinations: readonly string[]
  readonly is_unused: boolean
}

/**
 * The addresses that are told nothing, with the reasons: they wait for confirmation and received no code within the
 * counted period, or no active service notifies them. The others are left out.
 */
export async function warningsOfAddresses(
  executor: Executor,
  addressIds: readonly number[],
): Promise<ReadonlyMap<number, readonly AddressWarningId[]>> {
  const rows = await executor.query<Found>(sql`
    select a.id, a.address, a.notification_channel_id, a.confirmed_at is null as is_waiting,
      array(select code.destination from address_codes code where code.address_id = a.id) as destinations,
      ${isUnused(sql`a`)} as is_unused
    from notification_addresses a where a.id = any(${[...addressIds]}::int[])`)
  const warned = rows.map((row): [number, readonly AddressWarningId[]] => [row.id, warningsOf(row)])
  return new Map(warned.filter(([, ids]) => ids.length > 0))
}

function warningsOf(row: Found): readonly AddressWarningId[] {
  const { address, notification_channel_id: channelId, is_waiting, destinations, is_unused } = row
  const isWithoutCode = is_waiting && !destinations.includes(destinationOf(channelId, address))
  return [
    ...(isWithoutCode ? (['no_confirmation_code'] as const) : []),
    ...(is_unused ? (['no_service_uses_it'] as const) : []),
  ]
}
