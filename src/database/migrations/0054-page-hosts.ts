/**
 * Hosts of status pages are proven by a DNS record with the page's token. Several pages may ask for one host, and one
 * has it: the first that is proven.
 */
export const pageHosts = `
alter table status_pages drop constraint status_pages_host_key;
alter table status_pages
  add column host_token text,
  add column host_is_free boolean not null default false,
  add column host_claimed_at timestamptz,
  add column host_proven_at timestamptz,
  add column host_seen_at timestamptz,
  add column host_checked_at timestamptz,
  add column host_check_at timestamptz;
update status_pages set host_token = replace(gen_random_uuid()::text, '-', ''), host_claimed_at = updated_at,
  host_check_at = updated_at where host is not null;
create unique index status_pages_proven_host on status_pages (host) where host_proven_at is not null;
create index status_pages_host_check on status_pages (host_check_at) where host_check_at is not null;
`
