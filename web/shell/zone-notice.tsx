import { lazy, Suspense } from 'react'
import { areAlike, browserZone } from '../format/zone.ts'
import { useReader } from '../reader.tsx'

const ZoneQuestion = lazy(() => import('./zone-question.tsx').then((file) => ({ default: file.ZoneQuestion })))

/** Says that times are in another zone than the browser's, until one of the two was chosen. */
export function ZoneNotice() {
  const { zone, preferences, isAdministrator } = useReader()
  const here = browserZone()
  if (isAdministrator || preferences.zoneKeptIn === here || areAlike(zone, here, Date.now())) return null
  return (
    <Suspense fallback={null}>
      <ZoneQuestion here={here} />
    </Suspense>
  )
}
