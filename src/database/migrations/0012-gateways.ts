/**
 * Gateways known to be down, and mails about them to the administrator. Due messages are found in order, because an
 * outage makes thousands of them due at one moment.
 */
export const gateways = `
create table failing_gateways (
  id text primary key,
  failing_since timestamptz not null,
  error_message text not null
);

alter table letters add column gateway_id text;
create index letters_gateway on letters (gateway_id, address, id) where status = 'pending' and gateway_id is not null;

drop index notification_intents_due;
create index notification_intents_due on notification_intents (next_attempt_at, id) where status = 'pending';
`
