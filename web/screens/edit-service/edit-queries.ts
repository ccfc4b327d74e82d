import { skipToken, useQuery } from '@tanstack/react-query'
import type { Address, DictionaryName } from '../../api/address.ts'
import type { Sensor, Service, ServiceType, Term } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { groupNames, type NamedGroup, useToldApart } from '../../parts/group-names.ts'
import type { Formats } from './draft.ts'

const always = Number.POSITIVE_INFINITY
const minute = 60_000

export type EditedService = Service & { readonly permissions: Readonly<Record<string, boolean>> }
export type OfferedGroup = NamedGroup & {
  readonly permissions: Readonly<Record<string, boolean>>
}
export interface AvailableType {
  readonly service_type_id: string
  readonly minimum_interval: number
  readonly remaining_services: number | null
  readonly default_interval: number
  readonly default_notification_channel_ids: readonly string[]
  readonly default_notification_condition_ids: readonly string[]
  readonly default_notification_mode_id: string
  readonly default_recovery_notification_mode_id: string
}

function useRead<Body>(key: readonly unknown[], path: Address | null, staleTime: number) {
  return useQuery({
    queryKey: ['edit', ...key],
    queryFn: path === null ? skipToken : ({ signal }) => read<Body>(path, signal),
    staleTime,
  })
}

/** Read once: what somebody types is not replaced by what comes later. */
export function useEditedService(id: number | null) {
  return useQuery({
    queryKey: ['edit', 'service', id],
    queryFn: ({ signal }) => read<EditedService>(`/services/${id}?embed=permissions`, signal),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

export function useTypes() {
  return useRead<ServiceType[]>(
    ['types'],
    '/service_types?embed=extended_setting_formats&sort=position&limit=1000',
    always,
  )
}

export function formatsOf(types: readonly ServiceType[], typeId: string): Formats {
  return types.find(({ id }) => id === typeId)?.extended_setting_formats ?? []
}

export function useGroups() {
  const groups = useRead<OfferedGroup[]>(['groups'], `/groups?${groupNames},permissions&sort=name&limit=1000`, minute)
  return { data: useToldApart(groups.data), error: groups.error, refetch: groups.refetch } as const
}

/** Types that the package of the group's owner has. */
export function useAvailableTypes(groupId: number | null) {
  const path = groupId === null ? '/accounts/my_account' : (`/groups/${groupId}` as const)
  return useRead<AvailableType[]>(['available', groupId], `${path}/available_service_types?limit=1000`, minute)
}

export function usePackageChannels() {
  const fields = 'available_notification_channel_ids'
  return useRead<{ readonly [fields]: readonly string[] }>(['package'], `/packages/my_package?fields=${fields}`, minute)
}

export function useStations() {
  return useRead<Pick<Sensor, 'id' | 'name' | 'city' | 'country' | 'category_ids'>[]>(
    ['stations'],
    '/sensors?fields=id,name,city,country,category_ids&sort=name&limit=1000',
    minute,
  )
}

/** The words are those of the language that the API is asked in. */
export function useTerms(name: DictionaryName) {
  return useRead<(Term & { readonly description: string })[]>(
    ['terms', name, document.documentElement.lang],
    `/dictionaries/${name}?limit=1000`,
    always,
  )
}
