import { type ColumnReader, type ColumnWriter, signed, unsigned } from './columns.ts'
import { codeOf, microsecondsOf } from './precision.ts'

/** What one sensor measured in one analysis. Of the numbers see `AnalysisRow`; -1 stands for nothing. */
export interface Measured {
  readonly result: string
  readonly timeOffset: number
  readonly responseTime: number
  readonly dataSize: number
  /** Six. */
  readonly phases: readonly number[]
}

export const phaseCount = 6
const results = ['o', 'e', 'u']
const places = [0, 1, 2, 3, 4, 5]

/** What the phases let expect of the response time, in whole milliseconds. */
function expected(phases: readonly number[]): number {
  let sum = 0
  for (const phase of phases) sum += Math.max(0, phase)
  return Math.round(sum / 1000)
}

/** Nothing as 0, everything else beyond it. */
function putOptional(writer: ColumnWriter, values: readonly (number | undefined)[]): void {
  writer.put(values.map((value) => (value === undefined ? 0 : 1 + unsigned(value))))
}

/** By their numbers where all are rounded as the recorder rounds them, else as they are. */
function putPhase(writer: ColumnWriter, values: readonly number[]): void {
  const codes = values.map((value) => (value === -1 ? -1 : codeOf(value)))
  const areRounded = codes.every((code) => code !== undefined)
  writer.put([areRounded ? 1 : 0])
  if (areRounded) writer.put(codes.map((code) => (code ?? -1) + 1))
  else writer.putSigned(values)
}

function takePhase(reader: ColumnReader, count: number): number[] {
  const [areRounded] = reader.take(1)
  if (areRounded === 0) return reader.takeSigned(count)
  return reader.take(count).map((code) => (code === 0 ? -1 : microsecondsOf(code - 1)))
}

function place(known: readonly string[], value: string): number {
  const index = known.indexOf(value)
  if (index < 0) throw new RangeError(`${value} has no place in a packed day.`)
  return index
}

/** The checks of one sensor in the order of the analyses. */
export function putLane(writer: ColumnWriter, lane: readonly Measured[]): void {
  writer.put(lane.map(({ result }) => place(results, result)))
  for (const index of places)
    putPhase(
      writer,
      lane.map(({ phases }) => phases[index] ?? -1),
    )
  putOptional(
    writer,
    lane.map(({ responseTime, phases }) => (responseTime === -1 ? undefined : responseTime - expected(phases))),
  )
  // All sensors start together and the slowest ends the analysis: start and response time add up to nearly the same.
  writer.putSigned(lane.map(({ timeOffset, responseTime }) => timeOffset + Math.max(0, responseTime)))
  writer.putSigned(lane.map(({ dataSize }, index) => dataSize - (lane[index - 1]?.dataSize ?? 0)))
}

/** The checks of one sensor as columns. */
export interface Lane {
  readonly results: readonly string[]
  readonly timeOffsets: readonly number[]
  readonly responseTimes: readonly number[]
  readonly dataSizes: readonly number[]
  /** Six columns. */
  readonly phases: readonly (readonly number[])[]
}

/** Lists of 24 hours wait for this: plain loops over columns, no objects. */
export function takeLane(reader: ColumnReader, count: number): Lane {
  const letters = reader.take(count)
  const phases = places.map(() => takePhase(reader, count))
  const rests = reader.take(count)
  const ends = reader.takeSigned(count)
  const growths = reader.takeSigned(count)
  const sums = sumsOf(phases, count)
  const [timeOffsets, responseTimes, dataSizes] = [
    new Array<number>(count),
    new Array<number>(count),
    new Array<number>(count),
  ]
  for (let index = 0, dataSize = 0; index < count; index++) {
    const rest = rests[index] ?? 0
    const responseTime = rest === 0 ? -1 : signed(rest - 1) + Math.round((sums[index] ?? 0) / 1000)
    dataSize += growths[index] ?? 0
    responseTimes[index] = responseTime
    dataSizes[index] = dataSize
    timeOffsets[index] = (ends[index] ?? 0) - Math.max(0, responseTime)
  }
  return { results: letters.map((letter) => results[letter] ?? ''), timeOffsets, responseTimes, dataSizes, phases }
}

/** Microseconds of the phases that were reached, for each check. */
function sumsOf(phases: readonly (readonly number[])[], count: number): number[] {
  const sums = new Array<number>(count).fill(0)
  for (const column of phases) {
    for (let index = 0; index < count; index++) sums[index] = (sums[index] ?? 0) + Math.max(0, column[index] ?? 0)
  }
  return sums
}
