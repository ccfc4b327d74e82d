import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textCollation } from '../../src/database/text.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

async function fold(text: string): Promise<string> {
  const [row] = await db.database.query<{ folded: string }>(sql`select fold(${text}) as folded`)
  return row?.folded ?? ''
}

describe('fold', () => {
  test.each([
    ['ŻÓŁĆ', 'żółć'],
    ['zażółć GĘŚLĄ jaźń', 'zażółć gęślą jaźń'],
    ['ÄÖÜ ÉÈ Ñ', 'äöü éè ñ'],
    ['ПРИВЕТ', 'привет'],
    ['ABC-123_%', 'abc-123_%'],
    ['', ''],
  ])('folds %j to %j', async (text, folded) => {
    expect(await fold(text)).toBe(folded)
  })

  test('agrees with the memory reader on the letters that people here write', async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aAbBzZżŻźŹłŁóÓęĘ ąĄćĆśŚńŃ0_%\\') })
    await fc.assert(
      fc.asyncProperty(letters, async (text) => {
        expect(await fold(text)).toBe(text.toLowerCase())
      }),
    )
  })

  test('is null for null', async () => {
    expect(await db.database.query(sql`select fold(null) as folded`)).toEqual([{ folded: null }])
  })

  test('is written into the query, so that an index on it is used', async () => {
    await db.database.execute(sql`create index groups_fold on groups (fold(name))`)
    const plan = await db.database.transaction(async (transaction) => {
      await transaction.execute(sql`set local enable_seqscan = off`)
      return transaction.query<Record<string, string>>(
        sql`explain select id from groups where fold(name) = fold(${'ŻABA'})`,
      )
    })
    expect(JSON.stringify(plan)).toContain('groups_fold')
  })
})

test('text sorts as a Pole expects', async () => {
  const collation = await textCollation(db.database)
  const rows = await db.database.query<{ word: string }>(sql`
    select word from unnest(${['zebra', 'Żaba', 'lato', 'łoś', 'Ala', 'ćma', 'cebula', 'żuk']}::text[]) as word
    order by word ${collation}`)
  expect(rows.map((row) => row.word)).toEqual(['Ala', 'cebula', 'ćma', 'lato', 'łoś', 'Żaba', 'zebra', 'żuk'])
})
