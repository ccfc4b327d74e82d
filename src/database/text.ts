import sql, { raw, type Sql } from 'sql-template-tag'
import type { Executor } from './connect.ts'
import { DatabaseUnusable } from './unusable.ts'

/**
 * Collations with Unicode support, best first. ICU sorts as people do, the others by code point. The built-in ones
 * (PostgreSQL 17 and 18) fold three times as fast as ICU. The database's own collation is unreliable: a server may use
 * "C".
 */
const sorting = ['und-x-icu', 'pg_c_utf8', 'C.utf8', 'C.UTF-8'] as const
const folding = ['pg_unicode_fast', 'pg_c_utf8', 'und-x-icu', 'C.utf8', 'C.UTF-8'] as const

interface Found {
  readonly collname: string
}

async function firstOf(collations: readonly string[], executor: Executor): Promise<string> {
  const rows = await executor.query<Found>(sql`
    select collname from pg_collation
    where collnamespace = 'pg_catalog'::regnamespace and collname = any(${[...collations]})
      and collencoding in (-1, pg_char_to_encoding('UTF8'))
    order by array_position(${[...collations]}::text[], collname::text) limit 1`)
  const name = rows[0]?.collname
  if (name === undefined) {
    throw new DatabaseUnusable(
      'The database server has no collation that knows Unicode (und-x-icu, pg_c_utf8 or C.utf8): use a PostgreSQL built with ICU.',
    )
  }
  return name
}

/** `collate "…"` for ORDER BY of users' texts, so that `ż` comes after `z` on every server. */
export async function textCollation(executor: Executor): Promise<Sql> {
  return raw(`collate "${await firstOf(sorting, executor)}"`)
}

/**
 * Makes the SQL function `fold(text)`, which compares text without case: `ŻÓŁĆ` folds to `żółć`. Its body is one
 * expression, so the planner inlines it, and an index on `fold(column)` is used.
 */
export async function ensureFold(executor: Executor): Promise<void> {
  const [known] = await executor.query<{ found: boolean }>(
    sql`select to_regprocedure('fold(text)') is not null as found`,
  )
  if (known?.found !== true) {
    const collation = await firstOf(folding, executor)
    await executor.execute(
      raw(`create function fold(value text) returns text
        language sql immutable strict parallel safe
        return lower(value collate "${collation}")`),
    )
  }
  const [answer] = await executor.query<{ folded: string }>(sql`select fold('ŻÓŁĆ Ä É Ж') as folded`)
  if (answer?.folded !== 'żółć ä é ж') {
    throw new DatabaseUnusable(
      `The database folds ŻÓŁĆ to ${answer?.folded}, not to żółć: create the database with the encoding UTF8 on a server with ICU.`,
    )
  }
}
