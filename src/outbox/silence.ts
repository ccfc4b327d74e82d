import sql, { type Sql } from 'sql-template-tag'

/** Services whose failures reach nobody, and addresses that no service uses; the rules are those of `recipients.ts`. */

/** The address of a group is on a channel of the service, and its tags let the service through. */
function isUsedBy(target: Sql, service: Sql): Sql {
  return sql`(${target}.group_id = ${service}.group_id
    and ${target}.notification_channel_id = any(${service}.notification_channel_ids)
    and (${target}.tag_ids is null or ${target}.tag_ids && ${service}.tag_ids))`
}

function namesPeople(place: Sql): Sql {
  return sql`(${place}.contact_ids <> '{}' or ${place}.contact_group_ids <> '{}')`
}

/**
 * Holds for an active service that is to notify of failures and has nobody to notify, although its account has
 * addresses. A service without channels, or without the condition `failure`, is silent because somebody chose so.
 */
export function isUntold(service: Sql): Sql {
  return sql`(
    ${service}.is_active and not ${service}.is_archived
    and 'failure' = any(${service}.notification_condition_ids) and ${service}.notification_channel_ids <> '{}'
    and (exists (select from notification_addresses given join groups on groups.id = given.group_id
        where groups.owner_id = ${service}.owner_id)
      or exists (select from contacts where contacts.owner_id = ${service}.owner_id))
    and ${service}.escalation_id is null and not ${namesPeople(service)}
    and not exists (select from groups where groups.id = ${service}.group_id
      and (groups.escalation_id is not null or ${namesPeople(sql`groups`)}))
    and not exists (select from tags where tags.id = any(${service}.tag_ids) and ${namesPeople(sql`tags`)})
    and not exists (select from notification_addresses target
      join accounts on accounts.id = ${service}.owner_id and not accounts.disable_legacy_notifications
      where ${isUsedBy(sql`target`, service)} and target.confirmed_at is not null and target.is_enabled))`
}

/**
 * Holds for an address of a group that no active service notifies, although its account has active services. A
 * switched-off address is silent because somebody chose so.
 */
export function isUnused(target: Sql): Sql {
  const isActive = sql`services.is_active and not services.is_archived`
  return sql`(
    ${target}.is_enabled
    and exists (select from groups join services on services.owner_id = groups.owner_id
      where groups.id = ${target}.group_id and ${isActive})
    and not exists (select from services where ${isActive} and ${isUsedBy(target, sql`services`)}))`
}
