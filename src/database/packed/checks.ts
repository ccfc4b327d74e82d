import type { Detail, PackedAnalysis } from './analysis.ts'
import type { ColumnReader, ColumnWriter } from './columns.ts'
import { type Lane, lanesOf, phaseCount, putLane, takeLane } from './lanes.ts'

/** Which sensors checked: nearly always the same ones. */
function putLists(writer: ColumnWriter, lists: readonly (readonly number[])[]): void {
  const known = new Map<string, number>()
  const found: (readonly number[])[] = []
  const places = lists.map((list) => {
    const key = String(list)
    const place = known.get(key) ?? found.push(list) - 1
    known.set(key, place)
    return place
  })
  writer.put([found.length])
  writer.put(found.map((list) => list.length))
  writer.put(found.flat())
  writer.put(places)
}

function takeLists(reader: ColumnReader, count: number): number[][] {
  const [foundCount = 0] = reader.take(1)
  const lengths = reader.take(foundCount)
  const all = reader.take(lengths.reduce((sum, length) => sum + length, 0))
  let end = 0
  const found = lengths.map((length) => {
    end += length
    return all.slice(end - length, end)
  })
  return reader.take(count).map((place) => found[place] ?? [])
}

export function putChecks(writer: ColumnWriter, analyses: readonly PackedAnalysis[]): void {
  putLists(
    writer,
    analyses.map(({ sensorIds }) => sensorIds),
  )
  for (const lane of lanesOf(analyses).values()) putLane(writer, lane)
}

type Checks = Pick<PackedAnalysis, 'sensorIds' | 'results' | 'timeOffsets' | 'responseTimes' | 'dataSizes' | 'phases'>

/** A lane with the place that is to be read next. */
interface Reading {
  readonly lane: Lane
  next: number
}

/** How many checks each sensor has. */
function countsOf(sensorLists: readonly (readonly number[])[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const sensorIds of sensorLists) {
    for (const sensorId of sensorIds) counts.set(sensorId, (counts.get(sensorId) ?? 0) + 1)
  }
  return counts
}

export function takeChecks(reader: ColumnReader, count: number, detail: Detail): Checks[] {
  const sensorLists = takeLists(reader, count)
  const readings = new Map<number, Reading>()
  for (const [sensorId, checks] of countsOf(sensorLists))
    readings.set(sensorId, { lane: takeLane(reader, checks, detail), next: 0 })
  return sensorLists.map((sensorIds) => checksOf(sensorIds, readings, detail))
}

/** The lists have their length from the start: ones that grow take five times the memory of a few numbers. */
function checksOf(sensorIds: readonly number[], readings: ReadonlyMap<number, Reading>, detail: Detail): Checks {
  const { length } = sensorIds
  const [measures, parts] = [detail === 'results' ? 0 : length, detail === 'everything' ? length * phaseCount : 0]
  const [results, phases] = [new Array<string>(length), new Array<number>(parts)]
  const timeOffsets = new Array<number>(measures)
  const responseTimes = new Array<number>(measures)
  const dataSizes = new Array<number>(measures)
  for (let place = 0; place < length; place++) {
    const reading = readings.get(sensorIds[place] ?? 0)
    if (reading === undefined) continue
    const { lane } = reading
    const index = reading.next++
    results[place] = lane.results[index] ?? ''
    if (measures === 0) continue
    timeOffsets[place] = lane.timeOffsets[index] ?? 0
    responseTimes[place] = lane.responseTimes[index] ?? -1
    dataSizes[place] = lane.dataSizes[index] ?? -1
    if (parts === 0) continue
    for (let part = 0; part < phaseCount; part++) phases[place * phaseCount + part] = lane.phases[part]?.[index] ?? -1
  }
  return { sensorIds, results, timeOffsets, responseTimes, dataSizes, phases }
}
