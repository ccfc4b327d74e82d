import type { FarStations } from '../sensor/far/far-stations.ts'
import type { LocalStations } from '../sensor/local.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** Reports the cost of the probing processes, and the browser's free places. */
type StationsHere = Pick<LocalStations, 'loads' | 'busyCount' | 'unsearchedCounts'>

export function gaugeLocalStations(metrics: Metrics, stations: StationsHere): void {
  const counted = new Map<string, number>()
  let countedBusy = 0
  let countedUnsearched = { late: 0, budget: 0 }
  metrics.onCollect(() => {
    const busy = stations.busyCount()
    if (busy !== null) {
      metrics.count('latarnik_browser_busy_total', {}, busy - countedBusy)
      countedBusy = busy
    }
    const unsearched = stations.unsearchedCounts()
    for (const reason of ['late', 'budget'] as const) {
      metrics.count('latarnik_patterns_unsearched_total', { reason }, unsearched[reason] - countedUnsearched[reason])
    }
    countedUnsearched = unsearched
    metrics.forget('latarnik_probing_resident_memory_bytes', 'latarnik_browser_places', 'latarnik_browser_waiting')
    for (const [process, { cpuSeconds, residentBytes, places }] of Object.entries(stations.loads())) {
      metrics.set('latarnik_probing_resident_memory_bytes', { process }, residentBytes)
      const before = counted.get(process) ?? 0
      // A replaced process counts from zero.
      metrics.count('latarnik_probing_cpu_seconds_total', { process }, cpuSeconds - (cpuSeconds < before ? 0 : before))
      counted.set(process, cpuSeconds)
      if (places === null) continue
      metrics.set('latarnik_browser_places', { state: 'taken' }, places.taken)
      metrics.set('latarnik_browser_places', { state: 'free' }, places.free)
      metrics.set('latarnik_browser_waiting', {}, places.waiting)
    }
  })
}

/** Reports the stations of a process with a database: those inside it, and the number of connected remote ones. */
export function gaugeStations(
  metrics: Metrics | null,
  local: StationsHere | null,
  far: Pick<FarStations, 'size'> | null,
): void {
  if (metrics === null) return
  if (local !== null) gaugeLocalStations(metrics, local)
  if (far !== null) metrics.onCollect(() => metrics.set('latarnik_far_stations_connected', {}, far.size))
}

interface StationHere {
  readonly connection: { readonly isReady: boolean }
  readonly kept: { readonly size: number }
}

/** Reports the connection of this process, a remote station, with its core. */
export function gaugeStation(metrics: Metrics, { connection, kept }: StationHere): void {
  metrics.onCollect(() => {
    metrics.set('latarnik_core_connected', {}, connection.isReady ? 1 : 0)
    metrics.set('latarnik_kept_results', {}, kept.size)
  })
}
