import type { PackedAnalysis } from './analysis.ts'
import type { CheckColumns } from './analysis-columns.ts'
import type { ColumnReader, ColumnWriter } from './columns.ts'
import { type LazyLane, lanesOf, putLane, takeLane } from './lanes.ts'
import { once } from './once.ts'

function areSame(list: readonly number[], other: readonly number[] | undefined): boolean {
  if (list.length !== other?.length) return false
  for (let index = 0; index < list.length; index++) if (list[index] !== other[index]) return false
  return true
}

/** The sensors that checked, nearly always the same ones. */
function putLists(writer: ColumnWriter, lists: readonly (readonly number[])[]): void {
  const known = new Map<string, number>()
  const found: (readonly number[])[] = []
  let place = -1
  const places = lists.map((list) => {
    if (areSame(list, found[place])) return place
    const key = String(list)
    place = known.get(key) ?? found.push(list) - 1
    known.set(key, place)
    return place
  })
  writer.put([found.length])
  writer.put(found.map((list) => list.length))
  writer.put(found.flat())
  writer.put(places)
}

function takeLists(reader: ColumnReader, count: number): readonly (readonly number[])[] {
  const [foundCount = 0] = reader.take(1)
  const lengths = reader.take(foundCount)
  const all = reader.take(lengths.reduce((sum, length) => sum + length, 0))
  let end = 0
  const found = Array.from(lengths, (length) => {
    end += length
    return Array.from(all.subarray(end - length, end))
  })
  const lists: (readonly number[])[] = []
  for (const place of reader.take(count)) lists.push(found[place] ?? [])
  return lists
}

export function putChecks(writer: ColumnWriter, analyses: readonly PackedAnalysis[]): void {
  putLists(
    writer,
    analyses.map(({ sensorIds }) => sensorIds),
  )
  for (const lane of lanesOf(analyses).values()) putLane(writer, lane)
}

/**
 * The indexes of each sensor's checks among all. Computed anew only where the sensors change, because analyses share
 * their lists.
 */
function placesOf(sensorLists: readonly (readonly number[])[]): Map<number, ArrayLike<number>> {
  const [usual = []] = sensorLists
  const { length } = sensorLists
  if (sensorLists.every((list) => list === usual)) {
    const everyRound = (place: number) => {
      const places = new Uint32Array(length)
      for (let round = 0; round < length; round++) places[round] = round * usual.length + place
      return places
    }
    return new Map(usual.map((sensorId, place) => [sensorId, everyRound(place)]))
  }
  return changingPlacesOf(sensorLists)
}

function changingPlacesOf(sensorLists: readonly (readonly number[])[]): Map<number, number[]> {
  const places = new Map<number, number[]>()
  let [list, lanes]: [readonly number[] | null, readonly number[][]] = [null, []]
  let next = 0
  for (const sensorIds of sensorLists) {
    if (sensorIds !== list) {
      for (const sensorId of sensorIds) if (!places.has(sensorId)) places.set(sensorId, [])
      lanes = sensorIds.map((sensorId) => places.get(sensorId) ?? [])
      list = sensorIds
    }
    for (const lane of lanes) lane.push(next++)
  }
  return places
}

interface Placed {
  readonly places: ArrayLike<number>
  readonly lane: LazyLane
}

/** The columns of all sensors merged into one, in the order of the checks; each check has a fixed number of values. */
function joined(placed: readonly Placed[], columnsOf: (lane: LazyLane) => readonly Float64Array[]): Float64Array {
  const columns = placed.map(({ places, lane }) => ({ places, parts: columnsOf(lane) }))
  const width = columns[0]?.parts.length ?? 1
  const all = new Float64Array(width * placed.reduce((sum, { places }) => sum + places.length, 0))
  for (const { places, parts } of columns) {
    for (const [part, values] of parts.entries()) {
      for (let index = 0; index < values.length; index++) all[(places[index] ?? 0) * width + part] = values[index] ?? 0
    }
  }
  return all
}

export function takeChecks(reader: ColumnReader, count: number): CheckColumns {
  const sensorLists = takeLists(reader, count)
  const placed = Array.from(placesOf(sensorLists).values(), (places) => ({
    places,
    lane: takeLane(reader, places.length),
  }))
  const column = (pick: (lane: LazyLane) => Float64Array) => once(() => joined(placed, (lane) => [pick(lane)]))
  return {
    sensorLists,
    results: column((lane) => lane.results()),
    timeOffsets: column((lane) => lane.timeOffsets()),
    responseTimes: column((lane) => lane.responseTimes()),
    dataSizes: column((lane) => lane.dataSizes()),
    phases: once(() => joined(placed, (lane) => lane.phases())),
  }
}
