import { serviceTypeOf } from '../src/checks/index.ts'
import { effectiveSettings } from '../src/domain/services/extended-settings.ts'
import type { Settings } from '../src/sensor/protocol.ts'

/** As a core sends them. */
export function completeSettings(typeId: string, given: Settings): Settings {
  const type = serviceTypeOf(typeId)
  if (type === undefined) throw new Error(`There is no type ${typeId}.`)
  return effectiveSettings(type, given)
}
