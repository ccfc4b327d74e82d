/** The nearest end of a certificate or a domain, with the last warning that was notified (domain/expiry/expiry.ts). */
export const expiry = `
alter table services add column expires_at timestamptz;
alter table service_statuses
  add column expiry jsonb,
  add column expiry_told jsonb;
`
