/**
 * The analyses of one service and day as a few kilobytes. Each measure of each sensor is a column of its own, written as what the
 * columns before it do not tell: the time since the analysis before, what is left of the response time beside its phases.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants, crc32 } from 'node:zlib'
import { ColumnReader, ColumnWriter } from './columns.ts'
import { type Measured, phaseCount, putLane, takeLane } from './lanes.ts'

/** One row of `analyses_hot`; of the arrays see `AnalysisRow`. */
export interface PackedAnalysis {
  readonly analysisId: number
  readonly verdict: string
  readonly errorTolerance: number
  readonly sensorIds: readonly number[]
  readonly results: readonly string[]
  readonly timeOffsets: readonly number[]
  readonly responseTimes: readonly number[]
  readonly dataSizes: readonly number[]
  readonly phases: readonly number[]
  /** JSON as the database writes it. */
  readonly failures: string | null
  readonly stepSetId: number | null
  readonly stepTimes: readonly number[] | null
}

const format = 1
const headLength = 5
const idsPerMillisecond = 100
const verdicts = ['ok', 'failure', 'none']
/** Beyond it the bytes shrink by a tenth and the work doubles. */
const quality = 6

const compress = promisify(brotliCompress)

/** A day that cannot be read: damaged, or of a later version of the program. */
export class UnreadableDay extends Error {}

function different<Value>(values: readonly Value[], keyOf: (value: Value) => string): readonly [Value[], number[]] {
  const [known, places]: [Map<string, number>, number[]] = [new Map(), []]
  const found: Value[] = []
  for (const value of values) {
    const key = keyOf(value)
    let place = known.get(key)
    if (place === undefined) {
      place = found.push(value) - 1
      known.set(key, place)
    }
    places.push(place)
  }
  return [found, places]
}

function putTimes(writer: ColumnWriter, ids: readonly number[]): void {
  const times = ids.map((id) => Math.floor(id / idsPerMillisecond))
  const [first = 0] = times
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const usual = pauses.toSorted((a, b) => a - b)[pauses.length >> 1] ?? 0
  writer.put([first, usual])
  writer.putSigned(pauses.map((pause) => pause - usual))
  writer.put(ids.map((id) => id % idsPerMillisecond))
}

function takeTimes(reader: ColumnReader, count: number): number[] {
  const [first = 0, usual = 0] = reader.take(2)
  const times = [first]
  for (const rest of reader.takeSigned(count - 1)) times.push((times.at(-1) ?? 0) + usual + rest)
  return reader.take(count).map((sequence, index) => (times[index] ?? 0) * idsPerMillisecond + sequence)
}

function putLists(writer: ColumnWriter, lists: readonly (readonly number[])[]): void {
  const [found, places] = different(lists, String)
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

interface Seat {
  readonly row: number
  readonly place: number
}

/** Where each sensor's checks stand, in the order of the analyses. */
function seatsOf(sensorLists: readonly (readonly number[])[]): Map<number, Seat[]> {
  const seats = new Map<number, Seat[]>()
  for (const [row, sensorIds] of sensorLists.entries()) {
    for (const [place, sensorId] of sensorIds.entries()) {
      const known = seats.get(sensorId)
      if (known === undefined) seats.set(sensorId, [{ row, place }])
      else known.push({ row, place })
    }
  }
  return seats
}

function measured(analysis: PackedAnalysis | undefined, place: number): Measured {
  if (analysis === undefined) throw new RangeError('A seat is in no analysis.')
  return {
    result: analysis.results[place] ?? '',
    timeOffset: analysis.timeOffsets[place] ?? 0,
    responseTime: analysis.responseTimes[place] ?? -1,
    dataSize: analysis.dataSizes[place] ?? -1,
    phases: analysis.phases.slice(place * phaseCount, (place + 1) * phaseCount),
  }
}

function putChecks(writer: ColumnWriter, analyses: readonly PackedAnalysis[]): void {
  const sensorLists = analyses.map(({ sensorIds }) => sensorIds)
  putLists(writer, sensorLists)
  for (const seats of seatsOf(sensorLists).values()) {
    putLane(
      writer,
      seats.map(({ row, place }) => measured(analyses[row], place)),
    )
  }
}

type Checks = Pick<PackedAnalysis, 'sensorIds' | 'results' | 'timeOffsets' | 'responseTimes' | 'dataSizes' | 'phases'>

interface TakenChecks {
  readonly sensorIds: readonly number[]
  readonly results: string[]
  readonly timeOffsets: number[]
  readonly responseTimes: number[]
  readonly dataSizes: number[]
  readonly phases: number[]
}

function takeChecks(reader: ColumnReader, count: number, isBrief: boolean): Checks[] {
  const analyses = takeLists(reader, count).map((sensorIds): TakenChecks => {
    return { sensorIds, results: [], timeOffsets: [], responseTimes: [], dataSizes: [], phases: [] }
  })
  for (const seats of seatsOf(analyses.map(({ sensorIds }) => sensorIds)).values()) {
    const lane = takeLane(reader, seats.length)
    for (let index = 0; index < seats.length; index++) {
      const seat = seats[index]
      const checks = seat === undefined ? undefined : analyses[seat.row]
      if (seat === undefined || checks === undefined) continue
      checks.results[seat.place] = lane.results[index] ?? ''
      checks.timeOffsets[seat.place] = lane.timeOffsets[index] ?? 0
      checks.responseTimes[seat.place] = lane.responseTimes[index] ?? -1
      checks.dataSizes[seat.place] = lane.dataSizes[index] ?? -1
      if (isBrief) continue
      for (const [part, column] of lane.phases.entries())
        checks.phases[seat.place * phaseCount + part] = column[index] ?? -1
    }
  }
  return analyses
}

/** Times of steps in columns: the same step of the same sensor of one analysis after the other. */
function putSteps(writer: ColumnWriter, analyses: readonly PackedAnalysis[]): void {
  writer.put(analyses.map(({ stepSetId }) => (stepSetId === null ? 0 : stepSetId + 1)))
  const lists = analyses.map(({ stepTimes }) => stepTimes ?? [])
  writer.put(lists.map((list) => list.length))
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let place = 0; place < longest; place++) {
    writer.putSigned(lists.filter((list) => list.length > place).map((list) => list[place] ?? 0))
  }
}

function takeSteps(reader: ColumnReader, count: number): Pick<PackedAnalysis, 'stepSetId' | 'stepTimes'>[] {
  const setIds = reader.take(count)
  const lengths = reader.take(count)
  const lists = lengths.map((): number[] => [])
  const longest = Math.max(0, ...lengths)
  for (let place = 0; place < longest; place++) {
    const taking = lists.filter((_list, index) => (lengths[index] ?? 0) > place)
    for (const [index, time] of reader.takeSigned(taking.length).entries()) taking[index]?.push(time)
  }
  return lists.map((stepTimes, index) => {
    const setId = setIds[index] ?? 0
    return { stepSetId: setId === 0 ? null : setId - 1, stepTimes: stepTimes.length === 0 ? null : stepTimes }
  })
}

function putFailures(writer: ColumnWriter, analyses: readonly PackedAnalysis[]): void {
  const failed = analyses.map(({ failures }) => failures)
  writer.put(failed.map((failures) => (failures === null ? 0 : 1)))
  writer.putText(JSON.stringify(failed.filter((failures) => failures !== null)))
}

function takeFailures(reader: ColumnReader, count: number): (string | null)[] {
  const flags = reader.take(count)
  const texts = JSON.parse(reader.takeText()) as string[]
  let next = 0
  return flags.map((isFailed) => (isFailed === 0 ? null : (texts[next++] ?? null)))
}

function ensureWhole({ sensorIds, ...lists }: PackedAnalysis): void {
  const { length } = sensorIds
  const own = [lists.results, lists.timeOffsets, lists.responseTimes, lists.dataSizes]
  if (own.some((list) => list.length !== length) || lists.phases.length !== length * phaseCount)
    throw new RangeError(`The lists of analysis ${lists.analysisId} differ in length.`)
}

/** Analyses of one service in the order of their ids, at least one. Rejects with a RangeError what `unpackDay` could not give back. */
export async function packDay(analyses: readonly PackedAnalysis[]): Promise<Buffer> {
  for (const analysis of analyses) ensureWhole(analysis)
  const writer = new ColumnWriter()
  writer.put([analyses.length])
  putTimes(
    writer,
    analyses.map(({ analysisId }) => analysisId),
  )
  writer.put(analyses.map(({ verdict }) => verdicts.indexOf(verdict)))
  writer.put(analyses.map(({ errorTolerance }) => errorTolerance))
  putChecks(writer, analyses)
  putSteps(writer, analyses)
  putFailures(writer, analyses)
  const columns = writer.bytes()
  const head = Buffer.alloc(headLength)
  head.writeUInt8(format)
  head.writeUInt32BE(crc32(columns), 1)
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: columns.length }
  return Buffer.concat([head, await compress(columns, { params })])
}

function columnsOf(day: Uint8Array): Buffer {
  const bytes = Buffer.from(day.buffer, day.byteOffset, day.byteLength)
  if (bytes[0] !== format) throw new UnreadableDay(`The day is packed in format ${bytes[0]}, known is ${format}.`)
  try {
    const columns = brotliDecompressSync(bytes.subarray(headLength))
    if (crc32(columns) === bytes.readUInt32BE(1)) return columns
  } catch (error) {
    throw new UnreadableDay('The packed day is damaged.', { cause: error })
  }
  throw new UnreadableDay('The packed day is damaged: its checksum differs.')
}

/** Exactly what was packed; brief leaves out phases and steps, which weigh most. Throws `UnreadableDay`. */
export function unpackDay(day: Uint8Array, { isBrief = false }: { readonly isBrief?: boolean } = {}): PackedAnalysis[] {
  const reader = new ColumnReader(columnsOf(day))
  const [count = 0] = reader.take(1)
  const ids = takeTimes(reader, count)
  const verdictPlaces = reader.take(count)
  const tolerances = reader.take(count)
  const checks = takeChecks(reader, count, isBrief)
  const steps = takeSteps(reader, count)
  const failures = takeFailures(reader, count)
  return checks.map((taken, index) => ({
    analysisId: ids[index] ?? 0,
    verdict: verdicts[verdictPlaces[index] ?? -1] ?? '',
    errorTolerance: tolerances[index] ?? 0,
    ...taken,
    failures: failures[index] ?? null,
    stepSetId: isBrief ? null : (steps[index]?.stepSetId ?? null),
    stepTimes: isBrief ? null : (steps[index]?.stepTimes ?? null),
  }))
}
