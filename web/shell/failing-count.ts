import { useEffect } from 'react'
import { useStateCounts } from '../parts/state-counts.ts'
import { useReader } from '../reader.tsx'
import { showFailingCount } from './favicon.ts'

/** As the list of all services asks, so that both share the answer. */
const everyService = 'is_archived=false'

/** How many services fail now; the title and the icon of the tab say so too. */
export function useFailingCount(): number {
  const { isAdministrator } = useReader()
  const counted = useStateCounts(everyService, { isEnabled: !isAdministrator, inBackground: true })
  const failing = counted?.counts.failure ?? 0
  useEffect(() => showFailingCount(failing), [failing])
  return failing
}
