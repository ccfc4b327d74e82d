import type { NotificationLog } from '../../api/answers.ts'

/** A message in one of the two logs of an account: to an address of a group, or to one of a contact. */
export interface Told
  extends Pick<
    NotificationLog,
    | 'id'
    | 'time'
    | 'service_id'
    | 'notification_channel_id'
    | 'address'
    | 'subject'
    | 'status'
    | 'attempts'
    | 'error_message'
  > {
  /** Absent for a group; null for a contact that is gone. */
  readonly contact?: { readonly name: string } | null
}

/** Both logs as one. Messages of one moment keep the order in which they were written. */
export function newestFirst(groups: readonly Told[], contacts: readonly Told[]): readonly Told[] {
  return [...groups, ...contacts].toSorted(
    (one, other) => Date.parse(other.time) - Date.parse(one.time) || other.id - one.id,
  )
}

/** `Anna Nowak, anna@example.com`, or the address alone. */
export function recipientOf({ contact, address }: Pick<Told, 'contact' | 'address'>): string {
  return contact == null ? address : `${contact.name}, ${address}`
}
