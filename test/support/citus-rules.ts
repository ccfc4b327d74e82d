// Replaces Citus where there is none: its function moves nothing, but refuses everything that the real one refuses.
// citus.test.ts has the real one.
import { raw } from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'

/**
 * The rules of Citus' documentation ("Creating and Modifying Distributed Objects", "SQL Support and Workarounds") and
 * its issues. A statement that breaks a rule gets Citus' own sentence.
 */
const rules = `
create schema citus;
create table citus.pg_dist_partition (logicalrelid regclass primary key, partmethod "char" not null, shards integer not null);
create table citus.pg_dist_node (noderole text not null, isactive boolean not null, shouldhaveshards boolean not null);
insert into citus.pg_dist_node values ('primary', true, false), ('primary', true, true), ('primary', true, true);

create function citus.columns_of(relation oid, numbers smallint[]) returns text[] language sql stable as $$
  select array_agg(attname::text order by place) from unnest(numbers) with ordinality k (number, place)
  join pg_attribute on attrelid = relation and attnum = number $$;

-- What no table may have that is distributed.
create function citus.look_at(relation regclass, distribution_column text) returns void language plpgsql as $$
declare
  breaking text;
begin
  if relation in (select logicalrelid from citus.pg_dist_partition) then
    raise exception 'table "%" is already distributed', relation;
  end if;
  if coalesce(current_setting('citus.multi_shard_modify_mode', true), 'parallel') <> 'sequential' then
    raise exception 'cannot distribute "%" because there has been a parallel operation in the transaction', relation;
  end if;
  if exists (select from pg_trigger where tgrelid = relation and not tgisinternal) then
    raise exception 'cannot distribute relation "%" because it has triggers', relation;
  end if;
  select indexrelid::regclass::text into breaking from pg_index
    where indrelid = relation and indisunique and not distribution_column = any (citus.columns_of(indrelid, indkey::smallint[]));
  if breaking is not null then
    raise exception 'cannot create constraint on "%": % does not include the distribution column', relation, breaking;
  end if;
  select conname into breaking from pg_constraint where contype = 'f' and confrelid = relation;
  if breaking is not null then
    raise exception 'foreign keys from reference tables and local tables to distributed tables are not supported: %', breaking;
  end if;
  select conname into breaking from pg_constraint where contype = 'f' and conrelid = relation;
  if breaking is not null then
    raise exception 'relations are not colocated or not referencing a reference table: %', breaking;
  end if;
end $$;

create function citus.create_distributed_table(
  relation regclass, distribution_column text, colocate_with text default 'default', shard_count integer default 32)
returns void language plpgsql as $$
declare
  own_type regtype; other_type regtype; shards integer := shard_count;
begin
  perform citus.look_at(relation, distribution_column);
  select atttypid into own_type from pg_attribute
    where attrelid = relation and attname = distribution_column and not attisdropped;
  if own_type is null then
    raise exception 'column "%" of relation "%" does not exist', distribution_column, relation;
  end if;
  if colocate_with not in ('default', 'none') then
    select atttypid, p.shards into other_type, shards from citus.pg_dist_partition p
      join pg_attribute on attrelid = logicalrelid and attname = distribution_column
      where logicalrelid = colocate_with::regclass;
    if own_type is distinct from other_type then
      raise exception 'cannot colocate tables % and %: distribution column types do not match', colocate_with, relation;
    end if;
  end if;
  insert into citus.pg_dist_partition values (relation, 'h', shards);
end $$;
`

/** Makes the database one that seems to be a coordinator, for connections from now on. */
export async function installCitusRules(database: Database): Promise<void> {
  await database.execute(raw(rules))
  await database.execute(
    raw(`do $$ begin execute format('alter database %I set search_path = public, citus', current_database()); end $$`),
  )
}
