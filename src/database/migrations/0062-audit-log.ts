/**
 * The audit log. The records of an owner form a chain: each digest covers the record and the digest before it. The
 * chain's head tells where it ends, its anchor where it begins after older records were dropped. Records are added and
 * read; only the retention may delete, and says so for its transaction.
 */
export const auditLog = `
create table audit_chains (
  owner_id integer primary key,
  position bigint not null default 0,
  hash bytea not null default '',
  anchor_position bigint not null default 0,
  anchor_hash bytea not null default ''
) with (fillfactor = 50);

create table audit_log (
  id bigint generated always as identity primary key,
  owner_id integer not null,
  position bigint not null,
  time timestamptz not null,
  account_id integer,
  api_key_id integer,
  ip_address text not null,
  source text not null,
  operation text not null,
  resource text not null,
  object_id text,
  before jsonb,
  after jsonb,
  hash bytea not null,
  unique (owner_id, position)
);
create index audit_log_time on audit_log (owner_id, time);
create index audit_log_order on audit_log (owner_id, id);
create index audit_log_object on audit_log (owner_id, resource, object_id);
create index audit_log_age on audit_log (time);

create or replace function audit_digest(previous bytea, owner_id integer, "position" bigint, "time" timestamptz,
  account_id integer, api_key_id integer, ip_address text, source text, operation text, resource text, object_id text,
  before jsonb, after jsonb) returns bytea language sql immutable as $$
  select sha256($1 || convert_to(jsonb_build_array($2, $3, (extract(epoch from $4) * 1000)::bigint, $5, $6, $7, $8, $9,
    $10, $11, $12, $13)::text, 'UTF8'))
$$;

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('latarnik.audit_retention', true) = 'on' then return old; end if;
  raise exception 'the audit log is only added to';
end
$$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_whole before truncate on audit_log for each statement execute function refuse_audit_change();
`
