import { brotliCompressSync, brotliDecompressSync, constants, crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PackedAnalysis } from './analysis.ts'
import { ColumnReader } from './columns.ts'
import { packDay, UnreadableDay, unpackDay } from './packed-day.ts'
import { rounded } from './precision.ts'
import { openStored, unpackStored } from './stored-day.ts'

const measure = fc.oneof(fc.constant(-1), fc.integer({ min: 0, max: 2 ** 31 - 1 }))
const phase = fc.oneof(measure, fc.integer({ min: -1, max: 60_000_000 }).map(rounded))

function checksOf(length: number) {
  const lists = <Item>(item: fc.Arbitrary<Item>, count = length) =>
    fc.array(item, { minLength: count, maxLength: count })
  return fc.record({
    sensorIds: fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { minLength: length, maxLength: length }),
    results: lists(fc.constantFrom('o', 'e', 'u')),
    timeOffsets: lists(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 })),
    responseTimes: lists(measure),
    dataSizes: lists(measure),
    phases: lists(phase, length * 6),
  })
}

const analysis = fc
  .record({
    checks: fc.integer({ min: 0, max: 4 }).chain(checksOf),
    others: fc.record({
      analysisId: fc.integer({ min: 0, max: 179_999_999_999_999 }),
      verdict: fc.constantFrom('ok', 'failure', 'none'),
      errorTolerance: fc.integer({ min: 0, max: 32_767 }),
      failures: fc.option(fc.jsonValue().map((value) => JSON.stringify(value))),
      stepSetId: fc.option(fc.integer({ min: 0, max: 2 ** 48 - 1 })),
      stepTimes: fc.option(fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 9 })),
    }),
  })
  .map(({ checks, others }): PackedAnalysis => ({ ...others, ...checks }))

const day = fc
  .uniqueArray(analysis, { selector: ({ analysisId }) => analysisId, minLength: 1, maxLength: 20 })
  .map((analyses) => analyses.toSorted((a, b) => a.analysisId - b.analysisId))

/** The usual form from monitoring: three sensors, every minute. */
function usualDay(count: number): PackedAnalysis[] {
  return Array.from({ length: count }, (_none, index) => {
    const noise = (index * 7919) % 97
    const lane = [310, 12_000 + noise * 10, 14_000 + noise * 20, 60, 57_000 + noise * 100, 3000 + noise * 10]
    const phases = [...lane, ...lane, ...lane].map(rounded)
    const responseTimes = [90, 91, 92].map((time) => time + (noise % 5))
    return {
      analysisId: (1_795_219_200_000 + index * 60_000 + noise) * 100,
      verdict: 'ok',
      errorTolerance: 51,
      sensorIds: [1, 2, 3],
      results: ['o', 'o', 'o'],
      timeOffsets: responseTimes.map((time) => -time - 2),
      responseTimes,
      dataSizes: [5120, 5120, 5120],
      phases,
      failures: null,
      stepSetId: null,
      stepTimes: null,
    }
  })
}

describe('a packed day', () => {
  test('gives back every analysis exactly', async () => {
    await fc.assert(
      fc.asyncProperty(day, async (analyses) => {
        expect(unpackDay(await packDay(analyses))).toEqual(analyses)
      }),
    )
  })

  test('refuses lists that belong to different sensors, and what it has no letter for', async () => {
    const [one] = usualDay(1)
    await expect(packDay([{ ...one, results: ['o'] } as PackedAnalysis])).rejects.toThrow('differ in length')
    await expect(packDay([{ ...one, results: ['o', 'o', 'x'] } as PackedAnalysis])).rejects.toThrow('no place')
    await expect(packDay([{ ...one, verdict: 'maybe' } as PackedAnalysis])).rejects.toThrow(RangeError)
  })

  test('that is damaged anywhere is never read as another', async () => {
    const analyses = usualDay(50)
    const packed = await packDay(analyses)
    for (let place = 0; place < packed.length; place++) {
      const damaged = Buffer.from(packed)
      damaged[place] = (damaged[place] ?? 0) ^ 0x10
      let read: PackedAnalysis[] | undefined
      try {
        read = unpackDay(damaged)
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableDay)
      }
      if (read !== undefined) expect(read).toEqual(analyses)
    }
    expect(() => unpackDay(packed.subarray(0, packed.length - 1))).toThrow(UnreadableDay)
    expect(() => unpackDay(Buffer.alloc(0))).toThrow(UnreadableDay)
  })

  test('is not made of more bytes than are read again', async () => {
    const analyses = usualDay(50)
    const { length } = columnsIn(await packDay(analyses))
    expect(unpackDay(await packDay(analyses, length))).toEqual(analyses)
    await expect(packDay(analyses, length - 1)).rejects.toThrow(RangeError)
  })

  function columnsIn(packed: Buffer): Buffer {
    return brotliDecompressSync(packed.subarray(5))
  }

  /** A packed day with a correct checksum. */
  function dayOfColumns(columns: Buffer): Buffer {
    const head = Buffer.alloc(5)
    head.writeUInt8(1)
    head.writeUInt32BE(crc32(columns), 1)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 24 }
    return Buffer.concat([head, brotliCompressSync(columns, { params })])
  }

  test('of a hostile file is refused by its service and date, before it fills the memory', () => {
    // 55 kilobytes that would be 300 MB.
    const data = dayOfColumns(Buffer.alloc(300_000_000))
    const read = () => openStored({ service_id: 7, day: 20_778, data })
    expect(read).toThrow(/^The day 2026-11-21 of service 7 cannot be read\. .* more than 268435456 bytes/)
  })

  test('of which columns are missing, or wider than numbers, or whose failures are no JSON, is refused', async () => {
    const columns = columnsIn(
      await packDay([...usualDay(2), { ...usualDay(3).slice(2)[0], failures: '{}' } as PackedAnalysis]),
    )
    const read = (bytes: Buffer) => () => unpackStored({ service_id: 7, day: 20_778, data: dayOfColumns(bytes) })
    for (let length = 0; length < columns.length; length++) {
      expect(read(columns.subarray(0, length))).toThrow(UnreadableDay)
      expect(read(columns.subarray(0, length))).toThrow(/of service 7 cannot be read/)
    }
    expect(() => new ColumnReader(Buffer.of(9, ...Buffer.alloc(9))).take(1)).toThrow('wider than a number')
    const text = columns.lastIndexOf('["{}"]')
    expect(read(columns)).not.toThrow()
    expect(read(Buffer.concat([columns.subarray(0, text), Buffer.from('["{}"?')]))).toThrow(/of service 7 .* no JSON/)
  })

  test('with more analyses than a day has is refused, though they take no bytes', () => {
    // Two to the power of 25 analyses, whose columns are all zeros.
    const columns = Buffer.concat([Buffer.of(4, 0, 0, 0, 2), Buffer.alloc(100)])
    const read = () => unpackStored({ service_id: 7, day: 20_778, data: dayOfColumns(columns) })
    expect(read).toThrow(UnreadableDay)
    expect(read).toThrow(/of service 7 cannot be read/)
  })
})
