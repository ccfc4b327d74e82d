/** Badges: whoever has the token of a service may see its state as a picture. Random tokens need no constraint. */
export const badges = `
alter table services add column badge_token text;
create index services_badge on services (badge_token) where badge_token is not null;
`
