/**
 * Services depend on others, their parents. `held_by_service_id` is the failed ancestor that holds a service's
 * notifications; `last_due_at` is when the last analysis with a verdict was due.
 */
export const dependencies = `
alter table services add column parent_ids integer[] not null default '{}';
alter table service_statuses add column held_by_service_id integer, add column last_due_at timestamptz;
create index service_statuses_held on service_statuses (held_by_service_id) where held_by_service_id is not null;
`
