import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ContactAddress, NotificationAddress, Tag } from '../../api/answers.ts'
import { change } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { type NamedGroup, useToldApart } from '../group-names.ts'

interface Permitted {
  readonly permissions: Readonly<Record<'update' | 'delete' | 'send_test_sms_notifications', boolean>>
}

/** An address of a group. */
export type GroupAddress = NotificationAddress & Permitted
/** An address of a group or of a contact. */
export type ShownAddress = GroupAddress | (ContactAddress & Permitted)

/** Where the API has the address. */
export function collectionOf(address: ShownAddress) {
  return 'group_id' in address ? '/notification_addresses' : '/contact_addresses'
}

export function pathOf(address: ShownAddress) {
  return `${collectionOf(address)}/${address.id}` as const
}

export type AddressPath = ReturnType<typeof pathOf>

/** Where the console shows what was delivered to the address. */
export function deliveriesPathOf(address: ShownAddress): string {
  return `/${'group_id' in address ? 'notifications' : 'on-call'}/addresses/${address.id}`
}

export type ShownGroup = NamedGroup & {
  readonly owner_id: number
  readonly contact_ids: readonly number[]
  readonly contact_group_ids: readonly number[]
  readonly escalation_id: number | null
  readonly permissions: Readonly<Record<string, boolean>>
}

export function useAddresses() {
  return useQuery({
    queryKey: ['notification_addresses'],
    queryFn: ({ signal }) => read('/notification_addresses?embed=permissions&sort=address&limit=1000', signal),
  })
}

export function useGroupsOfAddresses() {
  const groups = useQuery({
    queryKey: ['groups', 'with_permissions'],
    queryFn: ({ signal }) =>
      read(
        '/groups?fields=id,name,owner_id,is_default,contact_ids,contact_group_ids,escalation_id&embed=owner.name,owner.username,permissions&sort=name&limit=1000',
        signal,
      ),
  })
  return { ...groups, data: useToldApart(groups.data) }
}

export function useChannels() {
  return useQuery({
    queryKey: ['dictionaries', 'notification_channels'],
    queryFn: ({ signal }) => read('/dictionaries/notification_channels?limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function usePackageChannels() {
  const fields = 'available_notification_channel_ids'
  return useQuery({
    queryKey: ['package', fields],
    queryFn: ({ signal }) => read(`/packages/my_package?fields=${fields}`, signal),
    staleTime: 60_000,
  })
}

interface Told {
  readonly id: number
  readonly notification_channel_ids: readonly string[]
}

/** Services of the group that do not notify by the channel, though an address waits for them. */
export function useUnheard(groupId: number, channelId: string, isAsked: boolean) {
  return useQuery({
    queryKey: ['services', 'unheard', groupId, channelId],
    enabled: isAsked,
    queryFn: async ({ signal }) => {
      const path =
        `/services?group_id=${groupId}&is_archived=false&fields=id,notification_channel_ids&limit=1000` as const
      const services = await read(path, signal)
      return services.filter(({ notification_channel_ids: ids }) => !ids.some((id) => id === channelId))
    },
  })
}

/** Adds the channel to what each of the services notifies by already. */
export function useNotifyBy(channelId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (services: readonly Told[]) => {
      const lists = new Map(services.map(({ notification_channel_ids: list }) => [list.join(), list]))
      for (const [key, list] of lists) {
        const ids = services.filter((service) => service.notification_channel_ids.join() === key).map(({ id }) => id)
        const set = { notification_channel_ids: [...list, channelId] }
        await change('POST', '/services/bulk_update', { ids, set })
      }
    },
    onSettled: () => client.invalidateQueries(),
  })
}

/** The tags of the account with the people whom they name. */
export function useTagContacts() {
  return useQuery({
    queryKey: ['tags', 'told'],
    queryFn: async ({ signal }) => {
      const tags = await read('/tags?embed=permissions&limit=1000', signal)
      return tags.toSorted((one, other) => one.name.localeCompare(other.name))
    },
  })
}

export type ShownTag = Tag & { readonly permissions: { readonly update: boolean } }
