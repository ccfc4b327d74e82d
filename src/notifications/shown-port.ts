import { serviceTypeOf } from '../checks/index.ts'
import type { NoticeFacts } from '../domain/notification/notice.ts'

/** The setting `port` where it is not the usual one of the type, as the field `port` of the API has it. */
export function shownPort({ type_id, port }: NoticeFacts['service']): number | null {
  const usual = serviceTypeOf(type_id)?.settings.find(({ setting_id }) => setting_id === 'port')?.default
  return port === undefined || port === usual ? null : port
}
