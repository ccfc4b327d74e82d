import type { Stations } from '../protocol.ts'

/** Joins two sets of stations; a sensor connected to neither goes to `last`. */
export function uniteStations(first: Stations, last: Stations): Stations {
  const of = (sensorId: number) => (first.isConnected(sensorId) ? first : last)
  return {
    isConnected: (sensorId) => first.isConnected(sensorId) || last.isConnected(sensorId),
    leadMs: (sensorId) => of(sensorId).leadMs(sensorId),
    check: (job) => of(job.sensorId).check(job),
    diagnose: (job) => of(job.sensorId).diagnose(job),
  }
}
