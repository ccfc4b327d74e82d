/** Failed log-ins of the last minute by the digest of whom they count against, for all processes. A crash may lose them. */
export const loginFailures = `
create unlogged table login_failures (
  counts_against bytea primary key,
  failures int not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
`
