/**
 * How many status changes each service has, so that a list of millions need not count them. The database keeps the
 * numbers itself, whoever writes the changes. The trigger comes first: it waits for writers, whose changes are then
 * counted with all others.
 */
export const statusChangeCounts = `
create table status_change_counts (
  service_id integer primary key,
  changes integer not null
) with (fillfactor = 50);

create or replace function count_status_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into status_change_counts as counts (service_id, changes)
    select service_id, count(*) from written group by service_id order by service_id
    on conflict (service_id) do update set changes = counts.changes + excluded.changes;
  else
    update status_change_counts counts set changes = changes - gone.number
    from (select service_id, count(*) as number from written group by service_id) gone
    where counts.service_id = gone.service_id;
    delete from status_change_counts where changes = 0 and service_id in (select service_id from written);
  end if;
  return null;
end
$$;
create trigger status_changes_added after insert on status_changes referencing new table as written
  for each statement execute function count_status_changes();
create trigger status_changes_removed after delete on status_changes referencing old table as written
  for each statement execute function count_status_changes();

insert into status_change_counts (service_id, changes)
select service_id, count(*) from status_changes group by service_id;
`
