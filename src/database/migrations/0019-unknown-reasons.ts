/**
 * Why nothing new is known about a service, since when, and when its account was notified. Also the service types that
 * a sensor's machine cannot check although it serves their category.
 */
export const unknownReasons = `
alter table service_statuses
  add column unknown_reason text,
  add column unknown_since timestamptz,
  add column unknown_told_at timestamptz;
create index service_statuses_untold on service_statuses (service_id) where unknown_reason is not null and unknown_told_at is null;
alter table sensors add column unsupported_type_ids text[] not null default '{}';
`
