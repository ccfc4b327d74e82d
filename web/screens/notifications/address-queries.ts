import { useQuery } from '@tanstack/react-query'
import type { Group, NotificationAddress, Term } from '../../api/answers.ts'
import { read } from '../../api/client.ts'

export type ShownAddress = NotificationAddress & {
  readonly permissions: Readonly<Record<'update' | 'delete' | 'send_test_sms_notifications', boolean>>
}
export type ShownGroup = Pick<Group, 'id' | 'name'> & {
  readonly permissions: Readonly<Record<string, boolean>>
}

export function useAddresses() {
  return useQuery({
    queryKey: ['notification_addresses'],
    queryFn: ({ signal }) =>
      read<ShownAddress[]>('/notification_addresses?embed=permissions&sort=address&limit=1000', signal),
  })
}

export function useGroupsOfAddresses() {
  return useQuery({
    queryKey: ['groups', 'with_permissions'],
    queryFn: ({ signal }) =>
      read<ShownGroup[]>('/groups?fields=id,name&embed=permissions&sort=name&limit=1000', signal),
  })
}

export function useChannels() {
  return useQuery({
    queryKey: ['dictionaries', 'notification_channels'],
    queryFn: ({ signal }) => read<Term[]>('/dictionaries/notification_channels?limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
