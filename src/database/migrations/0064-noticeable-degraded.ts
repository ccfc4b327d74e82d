/** Degraded periods that visitors can notice stand on status pages. The end of a certificate does not. */
export const noticeableDegraded = `
alter table degraded_periods add column is_noticeable boolean not null default true;
update degraded_periods set is_noticeable = false from service_statuses status
where status.service_id = degraded_periods.service_id and end_time is null
  and status.degraded_reasons <@ array['certificate', 'domain'];
`
