import type { PackedAnalysis } from './analysis.ts'
import { type ColumnReader, type ColumnWriter, signed, unsigned } from './columns.ts'
import { once } from './once.ts'
import { codeOf, microsecondsOf } from './precision.ts'

/**
 * The checks of one sensor as columns, in the order of the analyses. `AnalysisRow` explains the numbers; -1 means no
 * value.
 */
export interface Lane {
  readonly results: string[]
  readonly timeOffsets: number[]
  readonly responseTimes: number[]
  readonly dataSizes: number[]
  /** Six columns. */
  readonly phases: number[][]
}

export const phaseCount = 6
/** Letters of results, indexed by their numbers in columns. */
export const letters = ['o', 'e', 'u']
const places = [0, 1, 2, 3, 4, 5]

/** By sensor, in order of first appearance. */
export function lanesOf(analyses: readonly PackedAnalysis[]): Map<number, Lane> {
  const lanes = new Map<number, Lane>()
  for (const analysis of analyses) {
    const { sensorIds, phases } = analysis
    for (let place = 0; place < sensorIds.length; place++) {
      const sensorId = sensorIds[place] ?? 0
      let lane = lanes.get(sensorId)
      if (lane === undefined) {
        lane = { results: [], timeOffsets: [], responseTimes: [], dataSizes: [], phases: places.map(() => []) }
        lanes.set(sensorId, lane)
      }
      lane.results.push(analysis.results[place] ?? '')
      lane.timeOffsets.push(analysis.timeOffsets[place] ?? 0)
      lane.responseTimes.push(analysis.responseTimes[place] ?? -1)
      lane.dataSizes.push(analysis.dataSizes[place] ?? -1)
      for (let part = 0; part < phaseCount; part++) lane.phases[part]?.push(phases[place * phaseCount + part] ?? -1)
    }
  }
  return lanes
}

/** Stored as codes if all values are rounded in the recorder's way, otherwise unchanged. */
function putPhase(writer: ColumnWriter, values: readonly number[]): void {
  const codes = values.map((value) => (value === -1 ? -1 : codeOf(value)))
  const areRounded = codes.every((code) => code !== undefined)
  writer.put([areRounded ? 1 : 0])
  if (areRounded) writer.put(codes.map((code) => (code ?? -1) + 1))
  else writer.putSigned(values)
}

function laterPhase(reader: ColumnReader, count: number): () => Float64Array {
  const [areRounded] = reader.take(1)
  if (areRounded === 0) return reader.laterSigned(count)
  const codes = reader.later(count)
  return once(() => {
    const phase = codes()
    for (let index = 0; index < count; index++) {
      const code = phase[index] ?? 0
      phase[index] = code === 0 ? -1 : microsecondsOf(code - 1)
    }
    return phase
  })
}

/** The response time that the phases suggest, in whole milliseconds. */
function expectedOf(phases: readonly ArrayLike<number>[], count: number): Float64Array {
  const sums = new Float64Array(count)
  for (const column of phases) {
    for (let index = 0; index < count; index++) sums[index] = (sums[index] ?? 0) + Math.max(0, column[index] ?? 0)
  }
  for (let index = 0; index < count; index++) sums[index] = Math.round((sums[index] ?? 0) / 1000)
  return sums
}

export function numberOf(letter: string): number {
  const number = letters.indexOf(letter)
  if (number < 0) throw new RangeError(`${letter} has no place in a packed day.`)
  return number
}

export function putLane(writer: ColumnWriter, lane: Lane): void {
  const { results, timeOffsets, responseTimes, dataSizes, phases } = lane
  writer.put(results.map(numberOf))
  for (const column of phases) putPhase(writer, column)
  const expected = expectedOf(phases, results.length)
  // No value is 0; everything else lies above it.
  writer.put(responseTimes.map((time, index) => (time === -1 ? 0 : 1 + unsigned(time - (expected[index] ?? 0)))))
  // All sensors start together and the slowest ends the analysis, so start plus response time is nearly constant.
  writer.putSigned(timeOffsets.map((offset, index) => offset + Math.max(0, responseTimes[index] ?? -1)))
  writer.putSigned(dataSizes.map((size, index) => size - (dataSizes[index - 1] ?? 0)))
}

/** A lane whose columns are read when they are first needed. */
export type LazyLane = { readonly [Measure in Exclude<keyof Lane, 'phases' | 'results'>]: () => Float64Array } & {
  /** Numbers of `letters`. */
  readonly results: () => Float64Array
  readonly phases: () => readonly Float64Array[]
}

/** Each column is decoded in place, because the reader hands it out only once. */
export function takeLane(reader: ColumnReader, count: number): LazyLane {
  const results = reader.later(count)
  const phaseColumns = places.map(() => laterPhase(reader, count))
  const [rests, sums, differences] = [reader.later(count), reader.laterSigned(count), reader.laterSigned(count)]
  const phases = once(() => phaseColumns.map((read) => read()))
  const responseTimes = once(() => {
    const expected = expectedOf(phases(), count)
    const times = rests()
    for (let index = 0; index < count; index++) {
      const rest = times[index] ?? 0
      times[index] = rest === 0 ? -1 : signed(rest - 1) + (expected[index] ?? 0)
    }
    return times
  })
  const timeOffsets = once(() => {
    const [times, offsets] = [responseTimes(), sums()]
    for (let index = 0; index < count; index++) offsets[index] = (offsets[index] ?? 0) - Math.max(0, times[index] ?? 0)
    return offsets
  })
  const dataSizes = once(() => {
    const sizes = differences()
    for (let index = 1; index < count; index++) sizes[index] = (sizes[index - 1] ?? 0) + (sizes[index] ?? 0)
    return sizes
  })
  return { results, phases, responseTimes, timeOffsets, dataSizes }
}
