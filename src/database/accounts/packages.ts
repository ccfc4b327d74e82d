import sql from 'sql-template-tag'
import type { PackageLimits, ServiceCounts } from '../../domain/access/limits.ts'
import type { Executor } from '../connect.ts'

/**
 * The limits of an account. With `lock` the account's row is locked until the transaction ends, so two writers never
 * both take the last free place.
 */
export async function loadPackage(
  transaction: Executor,
  accountId: number,
  options: { readonly lock: boolean },
): Promise<PackageLimits | null> {
  if (options.lock) await transaction.execute(sql`select 1 from accounts where id = ${accountId} for no key update`)
  const [limits] = await transaction.query<PackageLimits>(sql`
    select p.maximum_services, p.maximum_sensors, p.maximum_sms_numbers, p.minimum_interval,
      p.available_notification_channel_ids, p.available_service_types
    from packages p join accounts a on a.package_id = p.id where a.id = ${accountId}`)
  return limits ?? null
}

/** The account's services that count against its package: those not archived, without the excluded one. */
export async function countServices(
  transaction: Executor,
  accountId: number,
  typeId: string,
  exceptServiceId: number | null,
): Promise<ServiceCounts> {
  const [counts] = await transaction.query<ServiceCounts>(sql`
    select count(*)::int as total, (count(*) filter (where type_id = ${typeId}))::int as "ofType"
    from services where owner_id = ${accountId} and not is_archived and id is distinct from ${exceptServiceId}`)
  return counts ?? { total: 0, ofType: 0 }
}

export async function countArchivedServices(transaction: Executor, accountId: number): Promise<number> {
  const [counts] = await transaction.query<{ archived: number }>(sql`
    select count(*)::int as archived from services where owner_id = ${accountId} and is_archived`)
  return counts?.archived ?? 0
}
