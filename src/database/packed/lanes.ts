import type { ColumnReader, ColumnWriter } from './columns.ts'
import { signed, unsigned } from './columns.ts'
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
  return Math.round(phases.reduce((sum, phase) => sum + Math.max(0, phase), 0) / 1000)
}

/** Nothing as 0, everything else beyond it. */
function putOptional(writer: ColumnWriter, values: readonly (number | undefined)[]): void {
  writer.put(values.map((value) => (value === undefined ? 0 : 1 + unsigned(value))))
}

function takeOptional(reader: ColumnReader, count: number): (number | undefined)[] {
  return reader.take(count).map((value) => (value === 0 ? undefined : signed(value - 1)))
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

export function takeLane(reader: ColumnReader, count: number): Measured[] {
  const letters = reader.take(count)
  const phases = places.map(() => takePhase(reader, count))
  const rests = takeOptional(reader, count)
  const ends = reader.takeSigned(count)
  const growths = reader.takeSigned(count)
  let dataSize = 0
  return letters.map((letter, index) => {
    const own = phases.map((column) => column[index] ?? -1)
    const rest = rests[index]
    const responseTime = rest === undefined ? -1 : rest + expected(own)
    dataSize += growths[index] ?? 0
    const timeOffset = (ends[index] ?? 0) - Math.max(0, responseTime)
    return { result: results[letter] ?? '', timeOffset, responseTime, dataSize, phases: own }
  })
}
