import sql from 'sql-template-tag'
import { serviceTypes } from '../../src/checks/index.ts'
import type { AvailableServiceType } from '../../src/domain/access/limits.ts'
import type { ApiWorld } from './api.ts'
import type { Person } from './people.ts'

export interface PackageOptions {
  readonly maximum_services?: number | null
  readonly maximum_sensors?: number | null
  readonly maximum_sms_numbers?: number | null
  readonly minimum_interval?: number
  readonly monthly_reports_limit?: number | null
  readonly available_notification_channel_ids?: readonly string[]
  readonly available_service_types?: readonly AvailableServiceType[]
}

/** Every type, limited by the package alone. */
export const everyType: readonly AvailableServiceType[] = serviceTypes.map(({ id }) => ({
  service_type_id: id,
  maximum_services: null,
  minimum_interval: null,
}))

/** Gives the person a package of their own; what is left out is not limited. */
export async function givePackage(api: ApiWorld, person: Person, options: PackageOptions): Promise<void> {
  const [made] = await api.database.query<{ id: number }>(sql`
    insert into packages (distribution_id, name, maximum_services, maximum_sensors, maximum_sms_numbers, minimum_interval,
      monthly_reports_limit, available_notification_channel_ids, available_service_types)
    select distribution_id, 'made for a test', ${options.maximum_services ?? null}, ${options.maximum_sensors ?? null},
      ${options.maximum_sms_numbers ?? null}, ${options.minimum_interval ?? 1}, ${options.monthly_reports_limit ?? null},
      ${options.available_notification_channel_ids ?? ['email', 'sms', 'jabber']},
      ${JSON.stringify(options.available_service_types ?? everyType)}
    from packages limit 1 returning id`)
  await api.database.execute(sql`update accounts set package_id = ${made?.id} where id = ${api.people.ids[person]}`)
}
