/** The digest of the link by which calendar programs read a rotation; without a digest there is no link. */
export const calendarLinks = `
alter table rotations
  add column link_digest bytea unique,
  add column link_prefix text,
  add column link_used_at timestamptz;
`
