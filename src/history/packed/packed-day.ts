/**
 * The analyses of one service and day in a few kilobytes. Each measure of each sensor is a column of its own. A column
 * stores only what the columns before it do not imply: the time since the previous analysis, the difference of the
 * response time from its phases.
 */

import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants, crc32 } from 'node:zlib'
import { idsPerMillisecond } from '../../domain/judging/analysis-id.ts'
import type { Detail, PackedAnalysis } from './analysis.ts'
import { type AnalysisColumns, analysesOf } from './analysis-columns.ts'
import { putChecks, takeChecks } from './checks.ts'
import { ColumnReader, ColumnWriter } from './columns.ts'
import { phaseCount } from './lanes.ts'
import { once } from './once.ts'
import { laterSteps, putSteps } from './steps.ts'

const format = 1
const headLength = 5
const verdicts = ['ok', 'failure', 'none']
/** A higher value shrinks the bytes by a hundredth for twice the work (the table is in docs/operations.md). */
const quality = 5

/** The bytes of a usual day's columns, with a margin; days that fit are decompressed in one piece. */
const usualLength = 131_072

/**
 * The limit of a day's columns in bytes: a check every second from three stations that all fail, with a kilobyte of
 * evidence each. Without it a few kilobytes of hostile data would fill the memory.
 */
const largestLength = 268_435_456

const compress = promisify(brotliCompress)

/** A day that cannot be read: damaged, of a later version of the program, or made by another program. */
export class UnreadableDay extends Error {}

function putTimes(writer: ColumnWriter, ids: readonly number[]): void {
  const times = ids.map((id) => Math.floor(id / idsPerMillisecond))
  const [first = 0] = times
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const usual = pauses.toSorted((a, b) => a - b)[pauses.length >> 1] ?? 0
  writer.put([first, usual])
  writer.putSigned(pauses.map((pause) => pause - usual))
  writer.put(ids.map((id) => id % idsPerMillisecond))
}

function laterIds(reader: ColumnReader, count: number): () => Float64Array {
  const [first = 0, usual = 0] = reader.take(2)
  const [rests, sequences] = [reader.laterSigned(count - 1), reader.later(count)]
  return once(() => {
    const [pauses, ids] = [rests(), sequences()]
    for (let index = 0, time = first; index < count; index++) {
      ids[index] = time * idsPerMillisecond + (ids[index] ?? 0)
      time += usual + (pauses[index] ?? 0)
    }
    return ids
  })
}

function putFailures(writer: ColumnWriter, analyses: readonly PackedAnalysis[]): void {
  const failed = analyses.map(({ failures }) => failures)
  writer.put(failed.map((failures) => (failures === null ? 0 : 1)))
  writer.putText(JSON.stringify(failed.filter((failures) => failures !== null)))
}

function failureTexts(json: string): readonly string[] {
  try {
    return JSON.parse(json) as string[]
  } catch (error) {
    throw new UnreadableDay('The failures of the packed day are no JSON.', { cause: error })
  }
}

function laterFailures(reader: ColumnReader, count: number): () => (string | null)[] {
  const [flags, text] = [reader.later(count), reader.laterText()]
  return once(() => {
    const texts = failureTexts(text())
    const failures = new Array<string | null>(count).fill(null)
    let next = 0
    for (const [index, isFailed] of flags().entries()) if (isFailed !== 0) failures[index] = texts[next++] ?? null
    return failures
  })
}

function ensureWhole(analysis: PackedAnalysis): void {
  const { analysisId, sensorIds, results, timeOffsets, responseTimes, dataSizes, phases } = analysis
  const { length } = sensorIds
  const areLevel = results.length === length && timeOffsets.length === length && responseTimes.length === length
  if (!areLevel || dataSizes.length !== length || phases.length !== length * phaseCount)
    throw new RangeError(`The lists of analysis ${analysisId} differ in length.`)
}

/**
 * Packs the analyses of one service in the order of their ids, at least one. Rejects with a RangeError if `unpackDay`
 * could not restore them, or if their columns exceed the limit of bytes.
 */
export async function packDay(analyses: readonly PackedAnalysis[], largest: number = largestLength): Promise<Buffer> {
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
  if (columns.length > largest) throw new RangeError(`A day of ${columns.length} bytes is more than can be packed.`)
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
  const columns = decompressed(bytes.subarray(headLength))
  if (crc32(columns) === bytes.readUInt32BE(1)) return columns
  throw new UnreadableDay('The packed day is damaged: its checksum differs.')
}

function decompressed(bytes: Buffer): Buffer {
  try {
    return brotliDecompressSync(bytes, { chunkSize: usualLength, maxOutputLength: largestLength })
  } catch (error) {
    const isLarger = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    const what = isLarger ? `holds more than ${largestLength} bytes` : 'is damaged'
    throw new UnreadableDay(`The packed day ${what}.`, { cause: error })
  }
}

function analysesIn(reader: ColumnReader): AnalysisColumns {
  const [count = 0] = reader.take(1)
  const ids = laterIds(reader, count)
  const [verdictPlaces, errorTolerances] = [reader.later(count), reader.later(count)]
  const checks = takeChecks(reader, count)
  const steps = laterSteps(reader, count)
  const failures = laterFailures(reader, count)
  const verdictsOf = once(() => Array.from(verdictPlaces(), (place) => verdicts[place] ?? ''))
  return { count, ids, verdicts: verdictsOf, errorTolerances, ...checks, steps, failures }
}

/** The columns of a packed day. Throws `UnreadableDay`. */
export function openDay(day: Uint8Array): AnalysisColumns {
  const reader = new ColumnReader(columnsOf(day))
  try {
    return analysesIn(reader)
  } catch (error) {
    throw new UnreadableDay('The columns of the packed day are none.', { cause: error })
  }
}

/** The analyses of a packed day, complete or in the requested detail. Throws `UnreadableDay`. */
export function unpackDay(day: Uint8Array, detail: Detail = 'everything'): PackedAnalysis[] {
  return analysesOf(openDay(day), detail)
}
