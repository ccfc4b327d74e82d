import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { tellOfIncident } from '../../src/outbox/incident-notices.ts'

/** A status page of the account with confirmed subscribers by mail: `reader1@example.com` and so on. */
export async function givenSubscribedPage(
  database: Database,
  { accountId, subscribers, now }: { readonly accountId: number; readonly subscribers: number; readonly now: number },
): Promise<number> {
  const at = sql`${new Date(now)}::timestamptz`
  const [page] = await database.query<{ id: number }>(sql`
    insert into status_pages (owner_id, slug, title, language_id, time_zone_id, created_at, updated_at)
    values (${accountId}, ${`page-${accountId}-${now}`}, 'Shop status', 'en', 'utc', ${at}, ${at}) returning id`)
  const id = page?.id ?? 0
  await database.execute(sql`
    insert into status_page_subscribers (status_page_id, kind, address, address_digest, asked_at, confirmed_at, created_at)
    select ${id}, 'email', 'reader' || number || '@example.com', decode(md5(number::text), 'hex'), ${at}, ${at}, ${at}
    from generate_series(1, ${subscribers}::int) number`)
  return id
}

/** A published incident of the page, decided and told at once. */
export async function givenIncident(database: Database, pageId: number, name: string, now: number): Promise<number> {
  const at = sql`${new Date(now)}::timestamptz`
  return database.transaction(async (transaction) => {
    const [incident] = await transaction.query<{ id: number }>(sql`
      insert into status_page_incidents (status_page_id, name, status, impact, is_published, started_at, created_at, updated_at)
      values (${pageId}, ${name}, 'investigating', 'minor', true, ${at}, ${at}, ${at}) returning id`)
    const id = incident?.id ?? 0
    await tellOfIncident(transaction, id, now)
    return id
  })
}
