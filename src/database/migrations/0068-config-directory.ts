/**
 * The watched directory of configuration as code: which process applies it, and how the last run ended. One row, as
 * one directory is applied by one process at a time.
 */
export const configDirectory = `
create table config_directory (
  id int primary key check (id = 1),
  held_by text,
  leased_until timestamptz,
  directory text,
  account text,
  result text,
  mark text,
  files int not null default 0,
  changed int not null default 0,
  unchanged int not null default 0,
  failed int not null default 0,
  left_over int not null default 0,
  faults jsonb not null default '[]',
  ended_at timestamptz,
  succeeded_at timestamptz,
  failed_at timestamptz
);
insert into config_directory (id) values (1);
`
