/** Failed logins of the last minute for all processes, by the digest of the counter's key. A crash may lose them. */
export const loginFailures = `
create unlogged table login_failures (
  counts_against bytea primary key,
  failures int not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
`
