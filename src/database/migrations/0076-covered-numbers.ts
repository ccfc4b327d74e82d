/**
 * Digests of the audit log cover the number of their record, by which the interface names it. Earlier records stay as
 * they are: `covers_id` says which digests do. The flag cannot be taken back, since the other digest would differ.
 */
export const coveredNumbers = `
alter table audit_log add column covers_id boolean not null default false;

create or replace function audit_digest(previous bytea, covered_id bigint, owner_id integer, "position" bigint,
  "time" timestamptz, account_id integer, api_key_id integer, ip_address text, source text, operation text,
  resource text, object_id text, before jsonb, after jsonb) returns bytea language sql immutable as $$
  select case when $2 is null then audit_digest($1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    else sha256($1 || convert_to(jsonb_build_array($3, $4, (extract(epoch from $5) * 1000)::bigint, $6, $7, $8, $9, $10,
      $11, $12, $13, $14, $2)::text, 'UTF8')) end
$$;

create or replace function mask_audit(masked bigint, new_before jsonb, new_after jsonb) returns void
language plpgsql as $$
declare
  kept audit_log;
  head audit_chains;
  note jsonb;
  number bigint;
  moment timestamptz := date_trunc('milliseconds', now());
begin
  select chain.* into head from audit_chains chain join audit_log log on log.owner_id = chain.owner_id
  where log.id = masked for update of chain;
  if not found then return; end if;
  perform set_config('latarnik.audit_masking', 'on', true);
  update audit_log set before = new_before, after = new_after where id = masked returning * into kept;
  perform set_config('latarnik.audit_masking', 'off', true);
  note := jsonb_build_object('position', kept.position, 'digest', encode(audit_digest(kept.hash,
    case when kept.covers_id then kept.id end, kept.owner_id, kept.position, kept.time, kept.account_id,
    kept.api_key_id, kept.ip_address, kept.source, kept.operation, kept.resource, kept.object_id, kept.before,
    kept.after), 'hex'));
  number := nextval(pg_get_serial_sequence('audit_log', 'id'));
  insert into audit_log (id, covers_id, owner_id, position, time, ip_address, source, operation, resource, object_id,
    after, hash) overriding system value
  values (number, true, head.owner_id, head.position + 1, moment, '', 'cli', 'audit.mask', 'audit', masked::text, note,
    audit_digest(head.hash, number, head.owner_id, head.position + 1, moment, null, null, '', 'cli', 'audit.mask',
      'audit', masked::text, null, note))
  returning position, hash into head.position, head.hash;
  update audit_chains set position = head.position, hash = head.hash where owner_id = head.owner_id;
end
$$;
`
