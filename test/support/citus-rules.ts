// Replaces Citus, which no test can install: its two functions move nothing, but refuse everything that the real ones
// refuse.
import { raw } from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'

/**
 * The rules of Citus' documentation ("Creating and Modifying Distributed Objects", "SQL Support and Workarounds") and
 * its issues. A statement that breaks a rule gets Citus' own sentence.
 */
const rules = `
create schema citus;
create table citus.pg_dist_partition (
  logicalrelid regclass primary key,
  partmethod "char" not null,
  distribution_column text
);
-- Tables that Citus manages on the coordinator, because a foreign key joins them to a reference table.
create table citus.managed (relation regclass primary key);

create function citus.method_of(relation regclass) returns "char" language sql stable as $$
  select partmethod from citus.pg_dist_partition where logicalrelid = relation $$;

create function citus.columns_of(relation oid, numbers smallint[]) returns text[] language sql stable as $$
  select array_agg(attname::text order by place) from unnest(numbers) with ordinality k (number, place)
  join pg_attribute on attrelid = relation and attnum = number $$;

-- What no table may have that is spread or copied.
create function citus.look_at(relation regclass) returns void language plpgsql as $$
begin
  if citus.method_of(relation) is not null then
    raise exception 'table "%" is already distributed', relation;
  end if;
  if coalesce(current_setting('citus.multi_shard_modify_mode', true), 'parallel') <> 'sequential' then
    raise exception 'cannot distribute "%" because there has been a parallel operation in the transaction', relation;
  end if;
  if exists (select from pg_trigger where tgrelid = relation and not tgisinternal) then
    raise exception 'cannot distribute relation "%" because it has triggers', relation;
  end if;
  if exists (select from citus.managed m where m.relation = look_at.relation)
    and exists (select from pg_attribute where attrelid = relation and attidentity <> '') then
    raise exception 'cannot complete operation on a table with identity column: %', relation;
  end if;
end $$;

-- Each foreign key as it stands now.
create function citus.look_at_foreign_keys() returns void language plpgsql as $$
declare
  key record;
  from_method "char"; to_method "char";
  from_column text; to_column text;
  place integer;
begin
  for key in select * from pg_constraint where contype = 'f' and conparentid = 0 loop
    from_method := citus.method_of(key.conrelid);
    to_method := citus.method_of(key.confrelid);
    if to_method = 'h' and from_method is distinct from 'h' then
      raise exception 'foreign keys from reference tables and local tables to distributed tables are not supported: %', key.conname;
    end if;
    if from_method = 'h' and to_method is null then
      raise exception 'relations are not colocated or not referencing a reference table: %', key.conname;
    end if;
    if from_method = 'h' and to_method = 'h' then
      select distribution_column into from_column from citus.pg_dist_partition where logicalrelid = key.conrelid;
      select distribution_column into to_column from citus.pg_dist_partition where logicalrelid = key.confrelid;
      place := array_position(citus.columns_of(key.conrelid, key.conkey), from_column);
      if place is null or (citus.columns_of(key.confrelid, key.confkey))[place] <> to_column then
        raise exception 'foreign keys between distributed tables must include the distribution columns: %', key.conname;
      end if;
    end if;
    if from_method is null and to_method = 'n' then
      insert into citus.managed values (key.conrelid) on conflict do nothing;
    end if;
  end loop;
end $$;

create function citus.create_reference_table(relation regclass) returns void language plpgsql as $$
begin
  perform citus.look_at(relation);
  insert into citus.pg_dist_partition values (relation, 'n', null);
  perform citus.look_at_foreign_keys();
end $$;

create function citus.create_distributed_table(relation regclass, distribution_column text, colocate_with text default 'default')
returns void language plpgsql as $$
declare
  own_type regtype; other_type regtype; breaking text;
begin
  perform citus.look_at(relation);
  select atttypid into own_type from pg_attribute
    where attrelid = relation and attname = distribution_column and not attisdropped;
  if own_type is null then
    raise exception 'column "%" of relation "%" does not exist', distribution_column, relation;
  end if;
  if colocate_with <> 'default' then
    select atttypid into other_type from citus.pg_dist_partition p
      join pg_attribute on attrelid = logicalrelid and attname = p.distribution_column
      where logicalrelid = colocate_with::regclass and partmethod = 'h';
    if own_type is distinct from other_type then
      raise exception 'cannot colocate tables % and %: distribution column types do not match', colocate_with, relation;
    end if;
  end if;
  select indexrelid::regclass::text into breaking from pg_index
    where indrelid = relation and indisunique and not distribution_column = any (citus.columns_of(indrelid, indkey::smallint[]));
  if breaking is not null then
    raise exception 'cannot create constraint on "%": % does not include the distribution column', relation, breaking;
  end if;
  insert into citus.pg_dist_partition values (relation, 'h', distribution_column);
  perform citus.look_at_foreign_keys();
end $$;

-- Foreign keys may come back after the tables were spread.
create function citus.after_ddl() returns event_trigger language plpgsql as $$ begin perform citus.look_at_foreign_keys(); end $$;
create event trigger citus_foreign_keys on ddl_command_end when tag in ('ALTER TABLE', 'CREATE TABLE')
  execute function citus.after_ddl();
`

/** Makes the database one that seems to be a coordinator, for connections from now on. */
export async function installCitusRules(database: Database): Promise<void> {
  await database.execute(raw(rules))
  await database.execute(
    raw(`do $$ begin execute format('alter database %I set search_path = public, citus', current_database()); end $$`),
  )
}
