/** The process that sends the metrics of services to a collector. One row, as one of them does so at a time. */
export const serviceMetricsExport = `
create table service_metrics_export (
  id int primary key check (id = 1),
  held_by text,
  leased_until timestamptz
);
insert into service_metrics_export (id) values (1);
`
