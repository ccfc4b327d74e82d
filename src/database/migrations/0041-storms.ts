/**
 * Storms: `digest_at` is the latest moment for a message that waits for others, `digest_of` the log id of the digest
 * that carried it. An account without a threshold gets every message separately.
 */
export const storms = `
alter table accounts add column storm_threshold integer default 100;
alter table notification_intents add column digest_at timestamptz, add column digest_of bigint;
create index notification_intents_digests on notification_intents (address_id) where status = 'pending' and digest_at is not null;
`
