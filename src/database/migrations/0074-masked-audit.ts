/**
 * Personal values of the audit log can be masked later. The record keeps its digest, so those after it still fit; a new
 * record at the end of the chain has the digest of the masked one. The last statement masks the addresses of
 * subscribers that earlier versions wrote.
 */
export const maskedAudit = `
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('latarnik.audit_retention', true) = 'on' then return old; end if;
  if tg_op = 'UPDATE' and current_setting('latarnik.audit_masking', true) = 'on'
    and to_jsonb(new) - 'before' - 'after' = to_jsonb(old) - 'before' - 'after' then return new; end if;
  raise exception 'the audit log is only added to';
end
$$;

create or replace function mask_audit(masked bigint, new_before jsonb, new_after jsonb) returns void
language plpgsql as $$
declare
  kept audit_log;
  head audit_chains;
  note jsonb;
  moment timestamptz := date_trunc('milliseconds', now());
begin
  select chain.* into head from audit_chains chain join audit_log log on log.owner_id = chain.owner_id
  where log.id = masked for update of chain;
  if not found then return; end if;
  perform set_config('latarnik.audit_masking', 'on', true);
  update audit_log set before = new_before, after = new_after where id = masked returning * into kept;
  perform set_config('latarnik.audit_masking', 'off', true);
  note := jsonb_build_object('position', kept.position, 'digest', encode(audit_digest(kept.hash, kept.owner_id,
    kept.position, kept.time, kept.account_id, kept.api_key_id, kept.ip_address, kept.source, kept.operation,
    kept.resource, kept.object_id, kept.before, kept.after), 'hex'));
  insert into audit_log (owner_id, position, time, ip_address, source, operation, resource, object_id, after, hash)
  values (head.owner_id, head.position + 1, moment, '', 'cli', 'audit.mask', 'audit', masked::text, note,
    audit_digest(head.hash, head.owner_id, head.position + 1, moment, null, null, '', 'cli', 'audit.mask', 'audit',
      masked::text, null, note))
  returning position, hash into head.position, head.hash;
  update audit_chains set position = head.position, hash = head.hash where owner_id = head.owner_id;
end
$$;

create or replace function mask_subscribers_in_audit() returns bigint language sql as $$
  select count(mask_audit(id,
    case when before ? 'address' then jsonb_set(before, '{address}', '"***"') else before end,
    case when after ? 'address' then jsonb_set(after, '{address}', '"***"') else after end))
  from (
    select id, before, after from audit_log where resource = 'status_page_subscribers'
      and (coalesce(before ->> 'address', '***') not like '***%' or coalesce(after ->> 'address', '***') not like '***%')
    order by id
  ) old
$$;
select mask_subscribers_in_audit();
`
