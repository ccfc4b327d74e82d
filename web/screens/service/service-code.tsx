import { AsCode } from '../../parts/as-code.tsx'
import type { ShownService } from './service-query.ts'

/** The definition of a service; other members are its history. */
const written = [
  'name',
  'description',
  'type_id',
  'address',
  'interval',
  'group_id',
  'is_active',
  'extended_settings',
  'notification_channel_ids',
  'notification_condition_ids',
  'notification_mode_id',
  'recovery_notification_mode_id',
  'sensor_ids',
  'tags',
] as const satisfies readonly (keyof ShownService)[]

/** The call that makes a service like this one. */
export function ServiceCode({ service }: { readonly service: ShownService }) {
  const body = Object.fromEntries(written.map((name) => [name, service[name]]))
  return <AsCode method="POST" path="/services" body={body} />
}
