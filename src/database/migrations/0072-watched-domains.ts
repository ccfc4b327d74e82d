/** The end of the domain of a service's host, beside that of its certificate (domain/expiry/watched-domain.ts). */
export const watchedDomains = `
alter table service_statuses
  add column domain_expiry jsonb,
  add column domain_told jsonb;
`
