/** The rounds that were skipped, by the hour in which they were found missing: of all processes together. */
export const missedRounds = `
create table missed_rounds (
  hour timestamptz primary key,
  rounds bigint not null
);
`
