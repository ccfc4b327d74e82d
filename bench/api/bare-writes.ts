/** The measured writes by hand: the same rows locked, read and written in one transaction. */
import type pg from 'pg'
import type { BareCaller } from './bare-reads.ts'

export interface NewService {
  readonly type_id: string
  readonly name: string
  readonly address: string
  readonly extended_settings: Readonly<Record<string, unknown>>
}

type Client = pg.PoolClient

async function inTransaction<T>(pool: pg.Pool, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const value = await work(client)
    await client.query('commit')
    return value
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** A prepared statement; its text names it. */
async function all(client: Client, text: string, values: readonly unknown[]) {
  const name = text.slice(0, 60)
  return (await client.query({ name, text, values: [...values] })).rows
}

export function createService(pool: pg.Pool, { accountId }: BareCaller, body: NewService): Promise<number> {
  return inTransaction(pool, async (client) => {
    const owned = [accountId]
    const [group] = await all(
      client,
      'select id, owner_id from groups where owner_id = $1 and is_default for key share',
      owned,
    )
    await all(client, 'select 1 from accounts where id = $1 for update', owned)
    const [limits] = await all(
      client,
      'select p.* from packages p join accounts a on a.package_id = p.id where a.id = $1',
      owned,
    )
    const [counts] = await all(
      client,
      `select count(*)::int as total, count(*) filter (where type_id = $2)::int as of_type
      from services where owner_id = $1 and not is_archived`,
      [accountId, body.type_id],
    )
    if (limits.maximum_services !== null && counts.total >= limits.maximum_services) throw new Error('no room')
    const [service] = await all(
      client,
      `insert into services (owner_id, group_id, name, type_id, address, interval, extended_settings,
        notification_channel_ids, notification_condition_ids) values ($1, $2, $3, $4, $5, 600, $6, $7, '{failure,recovery}') returning id`,
      [
        ...[accountId, group.id, body.name, body.type_id, body.address, JSON.stringify(body.extended_settings)],
        limits.available_notification_channel_ids,
      ],
    )
    await all(client, 'insert into service_statuses (service_id) values ($1)', [service.id])
    await all(client, `insert into schedule (service_id, due_at, reason) values ($1, $2, 'forced')`, [
      service.id,
      new Date(),
    ])
    await client.query(`select pg_notify('schedule', '')`)
    return service.id
  })
}

export function changeService(
  pool: pg.Pool,
  { accountId, changeableIds }: BareCaller,
  id: number,
  body: { readonly name: string; readonly description: string },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const [service] = await all(
      client,
      'select * from services where id = $1 and (owner_id = $2 or group_id = any ($3)) for update',
      [id, accountId, changeableIds],
    )
    if (service === undefined) return false
    await all(client, 'select id, owner_id from groups where id = $1 for key share', [service.group_id])
    await all(client, 'select p.* from packages p join accounts a on a.package_id = p.id where a.id = $1', [
      service.owner_id,
    ])
    await all(client, 'update services set name = $2, description = $3 where id = $1', [
      id,
      body.name,
      body.description,
    ])
    return true
  })
}
