import sql from 'sql-template-tag'
import type { Executor } from '../connect.ts'

/** A picture that a status page shows. */
export interface LogoRow {
  readonly id: string
  readonly content_type: string
  readonly content: Buffer
  readonly width: number
  readonly height: number
}

/** Longer than a form stays open between the upload and its page. */
const keptUnusedMs = 86_400_000

export async function countLogos(transaction: Executor, ownerId: number): Promise<number> {
  const [found] = await transaction.query<{ count: number }>(sql`
    select count(*)::int as count from status_page_logos where owner_id = ${ownerId}`)
  return found?.count ?? 0
}

export async function insertLogo(
  transaction: Executor,
  ownerId: number,
  { id, content_type, content, width, height }: LogoRow,
  now: number,
): Promise<void> {
  const at = new Date(now)
  await transaction.execute(sql`
    insert into status_page_logos (id, owner_id, content_type, content, width, height, used_at, created_at)
    values (${id}, ${ownerId}, ${content_type}, ${content}, ${width}, ${height}, ${at}, ${at})`)
}

/** Removes the owner's logos that no page has named for a day. */
export async function removeUnusedLogos(transaction: Executor, ownerId: number, now: number): Promise<void> {
  const pages = await transaction.query<{ logo: string | null; dark: string | null }>(sql`
    select theme->>'logo_artifact' as logo, theme->>'logo_dark_artifact' as dark
    from status_pages where owner_id = ${ownerId}`)
  const named = pages.flatMap(({ logo, dark }) => [logo, dark].filter((id) => id !== null))
  await transaction.execute(sql`
    delete from status_page_logos where owner_id = ${ownerId} and used_at < ${new Date(now - keptUnusedMs)}
      and id <> all(${named}::text[])`)
}

/** Returns the ids that are logos of the owner. From now on they count as used. */
export async function useLogos(
  transaction: Executor,
  ownerId: number,
  ids: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const found = await transaction.query<{ id: string }>(sql`
    update status_page_logos set used_at = ${new Date(now)}
    where owner_id = ${ownerId} and id = any(${[...ids]}::text[]) returning id`)
  return new Set(found.map(({ id }) => id))
}

/** The logos of the owner that have these ids. */
export async function readLogos(
  executor: Executor,
  ownerId: number,
  ids: readonly string[],
): Promise<readonly LogoRow[]> {
  if (ids.length === 0) return []
  return executor.query<LogoRow>(
    sql`select id, content_type, content, width, height from status_page_logos
      where owner_id = ${ownerId} and id = any(${[...ids]}::text[])`,
    'status-page-logos',
  )
}
