import sql from 'sql-template-tag'
import { ensurePartitions } from '../../src/database/partitions.ts'
import type { FurnishedWorld } from './furnished.ts'

/** Strangers' rows in every growing table, so that an index is worth its use. Charlie shares one group with Alice. */
export async function crowd({ database, clock, people, groupIds }: FurnishedWorld): Promise<void> {
  const [now, strangers] = [sql`${new Date(clock.now())}::timestamptz`, sql`generate_series(1, 1000) number`]
  await ensurePartitions(database, clock.now(), 1)
  const made = await database.query<{ id: number }>(sql`
    insert into accounts (distribution_id, package_id, username, name)
    select distribution_id, package_id, 'stranger' || number, 'Stranger' from accounts, ${strangers}
    where id = ${people.ids.alice} returning id`)
  const first = sql`${made[0]?.id ?? 0}::int`
  const ofStrangers = sql`where owner_id >= ${first}`
  const statements = [
    sql`insert into api_keys (owner_id, name, scopes, prefix, key_hash, created_at)
      select id, 'Key', '{read}', 'lat_', sha256(id::text::bytea), ${now} from accounts where id >= ${first}`,
    sql`insert into passkeys (owner_id, name, credential_id, public_key, sign_count, user_handle, rp_id, transports, is_synced, created_at)
      select id, 'Key', sha256(id::text::bytea), '', 0, '', 'api.test', '{}', false, ${now} from accounts where id >= ${first}`,
    sql`insert into audit_log (owner_id, position, time, account_id, ip_address, source, operation, resource, object_id, hash)
      select id, 1, ${now}, id, '192.0.2.1', 'api', 'services.update', 'services', '1', '' from accounts where id >= ${first}`,
    sql`insert into assistant_confirmations (token_hash, account_id, content_hash, expires_at)
      select sha256(id::text::bytea), id, '', ${now} from accounts where id >= ${first}`,
    sql`insert into tags (owner_id, name) select id, 'web' from accounts where id >= ${first}`,
    sql`insert into wallboards (owner_id, name, created_at) select id, 'Wall', ${now} from accounts where id >= ${first}`,
    sql`insert into user_data (id) select id from accounts where id >= ${first}`,
    sql`insert into groups (owner_id, name, is_default, assigned_sensor_ids) select id, 'Group', true, '{}' from accounts where id >= ${first}`,
    sql`insert into shares (group_id, account_id) select g.id, ${first} + (g.id + 7) % 1000 from groups g ${ofStrangers}`,
    sql`insert into shares (group_id, account_id) values (${groupIds.foreign}, ${people.ids.alice})`,
    sql`insert into services (owner_id, group_id, name, type_id, address, interval, notification_channel_ids, notification_condition_ids)
      select owner_id, id, 'Service', 'http', 'a.example', 60, '{}', '{}' from groups, generate_series(1, 3) ${ofStrangers}`,
    sql`insert into service_statuses (service_id) select id from services ${ofStrangers}`,
    sql`insert into schedule (service_id, due_at) select id, ${now} from services ${ofStrangers}`,
    sql`insert into status_changes (service_id, change_id, status, start_time, end_time)
      select id, 4 - number, 'ok', ${now} - number * interval '1 day', case when number > 1 then ${now} end
      from services, generate_series(1, 3) number ${ofStrangers}`,
    sql`insert into degraded_periods (service_id, period_id, start_time, end_time)
      select id, number, ${now} - number * interval '1 day', ${now} from services, generate_series(1, 3) number ${ofStrangers}`,
    sql`insert into analyses_hot (service_id, analysis_id, verdict, error_tolerance, sensor_ids, results, time_offsets,
        response_times, data_sizes, phases)
      select id, (${clock.now()}::bigint - number) * 100, 'ok', 51, '{1}', '{o}', '{0}', '{1}', '{1}', '{}'
      from services, generate_series(1, 3) number ${ofStrangers}`,
    sql`insert into hourly_performance (service_id, hour, response_time_sum, ok_checks, error_checks, unknown_checks, timed_checks)
      select id, number, 0, 0, 0, 0, 0 from services, generate_series(1, 3) number ${ofStrangers}`,
    sql`insert into daily_performance (service_id, day, sensor_id, response_time_sum, ok_checks, error_checks, unknown_checks, timed_checks)
      select id, number, 1, 0, 0, 0, 0, 0 from services, generate_series(1, 3) number ${ofStrangers}`,
    sql`insert into suspensions (service_id, start_time, end_time) select id, ${now}, ${now} from services ${ofStrangers}`,
    sql`insert into weekly_suspensions (service_id, start_minute, end_minute) select id, 0, 1 from services ${ofStrangers}`,
    sql`insert into wide_suspensions (owner_id, start_time, end_time) select id, ${now}, ${now} from accounts where id >= ${first}`,
    sql`insert into wide_weekly_suspensions (owner_id, start_minute, end_minute) select id, 0, 1 from accounts where id >= ${first}`,
    sql`insert into corrections (service_id, start_time, end_time, status, created_at)
      select id, ${now}, ${now}, 'ok', ${now} from services ${ofStrangers}`,
    sql`insert into notification_addresses (group_id, notification_channel_id, address) select id, 'email', 'a' from groups ${ofStrangers}`,
    sql`insert into contacts (owner_id, name, language_id, time_zone_id) select id, 'Anna', 'pl', 'utc' from accounts where id >= ${first}`,
    sql`insert into contact_groups (owner_id, name) select id, 'Ops' from accounts where id >= ${first}`,
    sql`insert into contact_suspensions (contact_id, start_time, end_time) select id, ${now}, ${now} from contacts ${ofStrangers}`,
    sql`insert into contact_weekly_suspensions (contact_id, start_minute, end_minute) select id, 0, 1 from contacts ${ofStrangers}`,
    sql`insert into notification_addresses (contact_id, notification_channel_id, address)
      select id, 'email', 'a' from contacts where owner_id >= ${first} and id % 5 = 0`,
    sql`insert into rotations (owner_id, name, time_zone_id, contact_ids, shift, starts_on)
      select owner_id, 'Duty', 'utc', array[id], '{}', '2026-11-02' from contacts ${ofStrangers}`,
    sql`insert into escalations (owner_id, name, steps) select id, 'Nights', '[]' from accounts where id >= ${first}`,
    sql`insert into escalation_suspensions (escalation_id, start_time, end_time) select id, ${now}, ${now} from escalations ${ofStrangers}`,
    sql`insert into escalation_weekly_suspensions (escalation_id, start_minute, end_minute) select id, 0, 1 from escalations ${ofStrangers}`,
    sql`insert into escalation_statuses (service_id, change_id, escalation_id, owner_id, state, started_at, facts)
      select s.id, 1, e.id, s.owner_id, 'over', ${now}, '{}' from services s join escalations e on e.owner_id = s.owner_id where s.owner_id >= ${first}`,
    sql`insert into status_pages (owner_id, slug, title, language_id, time_zone_id, created_at, updated_at)
      select id, 'page-' || id, 'Page', 'pl', 'utc', ${now}, ${now} from accounts where id >= ${first}`,
    sql`insert into status_page_components (status_page_id, name, created_at, updated_at)
      select id, 'Shop', ${now}, ${now} from status_pages ${ofStrangers}`,
    sql`insert into status_page_incidents (status_page_id, name, status, impact, started_at, created_at, updated_at)
      select id, 'Slow', 'investigating', 'minor', ${now}, ${now}, ${now} from status_pages ${ofStrangers}`,
    sql`insert into status_page_incident_templates (status_page_id, name, title, status, impact, created_at, updated_at)
      select id, 'Slow', 'Slow', 'investigating', 'minor', ${now}, ${now} from status_pages ${ofStrangers}`,
    sql`insert into status_page_logos (id, owner_id, content_type, content, width, height, used_at, created_at)
      select 'logo-' || id, id, 'image/png', '', 1, 1, ${now}, ${now} from accounts where id >= ${first}`,
    sql`insert into status_page_subscribers (status_page_id, kind, address, address_digest, asked_at, created_at, confirmed_at)
      select id, 'email', number || '@example.com', decode(md5(number::text), 'hex'), ${now}, ${now}, case when number > 1 then ${now} end
      from status_pages, generate_series(1, 3) number ${ofStrangers}`,
    sql`insert into status_page_failures (status_page_id, service_id, change_id)
      select p.id, s.id, 1 from status_pages p join services s on s.owner_id = p.owner_id where s.owner_id >= ${first}`,
    sql`insert into status_page_stops (status_page_id, key, id, start_time, end_time, component_ids, status)
      select id, 'suspension-1', 'suspension-1', ${now}, ${now}, '{}', 'scheduled' from status_pages ${ofStrangers}`,
    sql`insert into templates (owner_id, name, notification_channel_id, language_id, subject, body, is_active)
      select id, 'Short', 'email', 'pl', 'a', 'a', false from accounts where id >= ${first}`,
    sql`insert into contact_templates (contact_id, notification_channel_id, template_id)
      select c.id, 'email', t.id from contacts c join templates t on t.owner_id = c.owner_id where c.owner_id >= ${first}`,
    sql`insert into heartbeats (service_id, owner_id, ping_uuid, ping_slug) select id, owner_id, gen_random_uuid(), 'backup' from services ${ofStrangers}`,
    sql`insert into pings (service_id, time, kind, ip_address, method, user_agent, body_size)
      select id, ${now}, 'success', '192.0.2.1', 'GET', 'curl', 0 from services, generate_series(1, 3) number ${ofStrangers}`,
    sql`insert into deliveries (address_id, account_id, group_id, notification_id, notification_channel_id, time, attempt, status, exchanged)
      select a.id, g.owner_id, g.id, 1, 'webhook', ${now}, 1, 'sent', '{}' from notification_addresses a join groups g on g.id = a.group_id
      where g.owner_id >= ${first}`,
    sql`insert into report_templates (owner_id, name, section_ids, requested_scope, created_at)
      select id, 'Month', '{}', '{}', ${now} from accounts where id >= ${first}`,
    sql`insert into reports (template_id, owner_id, from_time, to_time, name, description, email_addresses, section_ids, summary,
        archived_services, weekly_suspensions, requested_scope, status, created_at)
      select id, owner_id, ${now}, ${now}, name, '', '{}', '{}', 'enabled', false, '[]', '{}', 'completed', ${now} from report_templates ${ofStrangers}`,
    sql`insert into periodic_report_addresses (group_id, address, report_frequency) select id, 'a', 'daily' from groups ${ofStrangers}`,
    sql`insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
        notification_condition_id, address, facts, status)
      select id, 'a', 1, owner_id, group_id, 'email', 'failure', 'a', '{}', 'sent' from services ${ofStrangers}`,
    sql`insert into authentications (account_id, ip_address, user_agent, method, success)
      select id, '', '', 'basic', true from accounts, generate_series(1, 5) where id >= ${first}`,
    sql`insert into audit_log (owner_id, position, time, account_id, ip_address, source, operation, resource, object_id, hash)
      select id, 1000 + number, ${now}, id, '192.0.2.1', 'api', 'services.update', 'services', '1', '' from accounts, generate_series(1, 20) number
      where id >= ${first}`,
    sql`insert into sessions (id, token_hash, account_id, scope, expiration_duration, expiration_time)
      select id::text, id::text::bytea, id, 'customer', 60, ${now} + interval '1 day' from accounts where id >= ${first}`,
    sql`vacuum analyze`,
  ]
  for (const statement of statements) await database.execute(statement)
}
