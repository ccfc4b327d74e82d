import { expect, test } from 'vitest'
import { gaugeStation, gaugeStations } from '../../src/program/station-gauges.ts'
import { BrowserPlaces } from '../../src/sensor/browser/places.ts'
import type { Loads } from '../../src/sensor/local.ts'
import { exposed, watchedBy } from '../support/exposed.ts'

test('CPU of a process that was replaced goes on being counted, its memory is what it is now', async () => {
  const { metrics } = watchedBy()
  let loads: Loads = { plain: { cpuSeconds: 3, residentBytes: 100, places: null } }
  gaugeStations(
    metrics,
    { loads: () => loads, busyCount: () => null, unsearchedCounts: () => ({ late: 0, budget: 0 }) },
    { size: 4 },
  )
  const first = await exposed(metrics)
  expect(first.get('latarnik_probing_cpu_seconds_total{process="plain"}')).toBe(3)
  expect(first.get('latarnik_far_stations_connected')).toBe(4)
  expect(first.has('latarnik_browser_places{state="taken"}')).toBe(false)
  loads = { plain: { cpuSeconds: 5, residentBytes: 100, places: null } }
  expect((await exposed(metrics)).get('latarnik_probing_cpu_seconds_total{process="plain"}')).toBe(5)
  loads = { plain: { cpuSeconds: 1, residentBytes: 50, places: null } }
  const replaced = await exposed(metrics)
  expect(replaced.get('latarnik_probing_cpu_seconds_total{process="plain"}')).toBe(6)
  expect(replaced.get('latarnik_probing_resident_memory_bytes{process="plain"}')).toBe(50)
  loads = {}
  expect((await exposed(metrics)).has('latarnik_probing_resident_memory_bytes{process="plain"}')).toBe(false)
})

test('places of the browser are seen taken, free and waited for', async () => {
  const { metrics } = watchedBy()
  const places = new BrowserPlaces({ usual: 2, most: 2 })
  let busy = 0
  let unsearched = { late: 0, budget: 0 }
  const loads = () => ({ pages: { cpuSeconds: 0, residentBytes: 0, places: places.use } })
  gaugeStations(metrics, { loads, busyCount: () => busy, unsearchedCounts: () => unsearched }, null)
  const leave = [await places.enter(1000, 'a'), await places.enter(1000, 'a')]
  const third = places.enter(60_000, 'a')
  const full = await exposed(metrics)
  expect(full.get('latarnik_browser_places{state="taken"}')).toBe(2)
  expect(full.get('latarnik_browser_places{state="free"}')).toBe(0)
  expect(full.get('latarnik_browser_waiting')).toBe(1)
  expect(full.get('latarnik_browser_busy_total')).toBe(0)
  busy = 3
  await exposed(metrics)
  busy = 5
  unsearched = { late: 2, budget: 1 }
  await exposed(metrics)
  unsearched = { late: 2, budget: 4 }
  const later = await exposed(metrics)
  expect(later.get('latarnik_browser_busy_total')).toBe(5)
  expect(later.get('latarnik_patterns_unsearched_total{reason="late"}')).toBe(2)
  expect(later.get('latarnik_patterns_unsearched_total{reason="budget"}')).toBe(4)
  for (const go of leave) go?.()
  ;(await third)?.()
  expect((await exposed(metrics)).get('latarnik_browser_places{state="free"}')).toBe(2)
})

test('a station far away shows whether it reaches its core and what it keeps for it', async () => {
  const { metrics } = watchedBy()
  const connection = { isReady: false }
  gaugeStation(metrics, { connection, kept: { size: 17 } })
  expect((await exposed(metrics)).get('latarnik_core_connected')).toBe(0)
  connection.isReady = true
  const shown = await exposed(metrics)
  expect([shown.get('latarnik_core_connected'), shown.get('latarnik_kept_results')]).toEqual([1, 17])
})
