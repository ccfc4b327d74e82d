import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pagesOf } from './audit-pages.ts'
import type { Change } from './change.ts'

const start = Date.parse('2026-11-21T09:00:00Z')

/** A log that answers as the API does. */
function logOf(records: Change[]) {
  const offsets: number[] = []
  return {
    offsets,
    async read(query: URLSearchParams) {
      expect(query.get('sort')).toBe('-time,-id')
      const [end, offset] = [query.get('to'), Number(query.get('offset') ?? 0)]
      offsets.push(offset)
      const found = records
        .filter(({ time }) => end === null || Date.parse(time) < Date.parse(end))
        .toSorted((one, other) => Date.parse(other.time) - Date.parse(one.time) || other.id - one.id)
      return { rows: found.slice(offset, offset + Number(query.get('limit'))), total: found.length }
    },
  }
}

const record = (id: number, at: number): Change => ({
  ...{ id, time: new Date(at).toISOString(), account_id: 2, account: null, api_key_id: null, api_key: null },
  ...{ ip_address: '', source: 'api', operation: 'services.update', resource: 'services', object_id: '1' },
  ...{ before: null, after: null },
})

async function idsOf(read: Parameters<typeof pagesOf>[0], filters = new URLSearchParams(), size = 10) {
  const ids: number[] = []
  for await (const page of pagesOf(read, filters, size)) ids.push(...page.map(({ id }) => id))
  return ids
}

test('every record comes once and the newest first, however many fall into one moment', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 80 })
  const met = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(
      times,
      fc.integer({ min: 1, max: 7 }),
      fc.option(fc.integer({ min: 0, max: 6000 })),
      async (at, size, end) => {
        const records = at.map((offset, place) => record(place + 1, start + offset))
        const filters = new URLSearchParams(end === null ? {} : { to: new Date(start + end).toISOString() })
        const wanted = records
          .filter((_, place) => end === null || (at[place] ?? 0) < end)
          .toSorted((one, other) => Date.parse(other.time) - Date.parse(one.time) || other.id - one.id)
        met.add(wanted.length > size)
        expect(await idsOf(logOf(records).read, filters, size)).toEqual(wanted.map(({ id }) => id))
      },
    ),
    { numRuns: 300 },
  )
  expect(met).toEqual(new Set([true, false]))
})

test('records that are added while it is saved change nothing', async () => {
  const records = Array.from({ length: 45 }, (_, place) => record(place + 1, start + place * 400))
  const log = logOf(records)
  const read: typeof log.read = async (query) => {
    const page = await log.read(query)
    records.push(record(1000 + records.length, start + 60_000))
    return page
  }
  expect(await idsOf(read)).toEqual(Array.from({ length: 45 }, (_, place) => 45 - place))
})

test('a page is not found by skipping all before it', async () => {
  const log = logOf(Array.from({ length: 60_000 }, (_, place) => record(place + 1, start + place * 500)))
  expect(await idsOf(log.read, new URLSearchParams(), 5000)).toHaveLength(60_000)
  expect(log.offsets.length).toBeGreaterThan(12)
  expect(Math.max(...log.offsets)).toBeLessThanOrEqual(2)
})
