import { callTo } from '../../api/calls.ts'
import { AsCode } from '../../parts/as-code.tsx'
import type { ShownService } from './service-query.ts'

/** The definition of a service; other members are its history. */
function definitionOf(service: ShownService) {
  return {
    ...{ name: service.name, description: service.description, type_id: service.type_id, address: service.address },
    ...{ interval: service.interval, group_id: service.group_id, is_active: service.is_active },
    extended_settings: service.extended_settings,
    notification_channel_ids: service.notification_channel_ids,
    notification_condition_ids: service.notification_condition_ids,
    notification_mode_id: service.notification_mode_id,
    recovery_notification_mode_id: service.recovery_notification_mode_id,
    ...{ sensor_ids: service.sensor_ids, tags: service.tags },
  }
}

/** The call that makes a service like this one. */
export function ServiceCode({ service }: { readonly service: ShownService }) {
  return <AsCode {...callTo('POST', '/services', definitionOf(service))} />
}
