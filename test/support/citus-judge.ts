// Has PostgreSQL read statements, and judges what it understood.
import pg from 'pg'
import { placement } from '../../src/database/shards.ts'
import { type Catalogue, type Place, refusalsOf } from './citus-statements.ts'
import { readTree } from './query-tree.ts'

export interface Judge {
  /** Why Citus would refuse the statement. Nothing is said of one that PostgreSQL does not understand here. */
  refusals(statement: string): Promise<readonly string[]>
  close(): Promise<void>
}

async function catalogueOf(client: pg.Client): Promise<Catalogue> {
  const { rows: tables } = await client.query<{ oid: number; name: string; columns: Record<string, number> }>(`
    select c.oid::int, coalesce(p.relname, c.relname) as name,
      (select jsonb_object_agg(attname, attnum) from pg_attribute where attrelid = c.oid and attnum > 0) as columns
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`)
  const { rows: equal } = await client.query<{ oid: number }>(`select oid::int from pg_operator where oprname = '='`)
  const { rows: functions } = await client.query<{ oid: number; is: string }>(
    'select oid::int, provolatile as is from pg_proc',
  )
  const columns: Readonly<Record<string, string>> = placement.distributed
  const placeOf = (name: string): Place => (name in columns ? 'distributed' : 'local')
  return {
    tables: new Map(
      tables.map(({ oid, name, columns: numbers }) => [
        oid,
        { name, place: placeOf(name), column: numbers[columns[name] ?? ''] ?? 0 },
      ]),
    ),
    equalities: new Set(equal.map(({ oid }) => oid)),
    volatility: new Map(functions.map(({ oid, is }) => [oid, is])),
  }
}

/** PostgreSQL's tree of the statement; null if it does not understand it, such as tables that a test has made. */
async function treeOf(client: pg.Client, text: string): Promise<string | null> {
  let tree = ''
  const listen = ({ message, detail }: { message?: string | undefined; detail?: string | undefined }) => {
    if (message === 'parse tree:') tree = detail ?? ''
  }
  client.on('notice', listen)
  try {
    await client.query(`prepare looked_at as ${text}`)
    // Every statement is printed, this one too.
    client.off('notice', listen)
    await client.query('deallocate looked_at')
    return tree === '' ? null : tree
  } catch {
    return null
  } finally {
    client.off('notice', listen)
  }
}

/** On a database with the schema; nothing is executed there. */
export async function openJudge(url: string): Promise<Judge> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const catalogue = await catalogueOf(client)
  await client.query('set client_min_messages = log; set debug_pretty_print = off')
  await client.query('set debug_print_parse = on')
  return {
    async refusals(statement) {
      const tree = await treeOf(client, statement)
      return tree === null ? [] : refusalsOf(catalogue, readTree(tree))
    },
    close: () => client.end(),
  }
}
