import { useQuery } from '@tanstack/react-query'
import type { DictionaryName } from '../../api/address.ts'
import type { AnswerAt, RowAt, ServiceType } from '../../api/answers.ts'
import { type Path, read } from '../../api/client.ts'
import { groupNames, useToldApart } from '../../parts/group-names.ts'
import type { Formats } from './draft.ts'

const always = Number.POSITIVE_INFINITY
const minute = 60_000

export type EditedService = AnswerAt<'GET', `/services/${number}?embed=permissions`>
export type OfferedGroup = RowAt<`/groups?${typeof groupNames},permissions`>
export type AvailableType = RowAt<`/groups/${number}/available_service_types`>

function useRead<const A extends string>(key: readonly unknown[], path: Path<'GET', A>, staleTime: number) {
  return useQuery({
    queryKey: ['edit', ...key],
    queryFn: ({ signal }) => read(path, signal),
    staleTime,
  })
}

/** Read once: what somebody types is not replaced by what comes later. */
export function useEditedService(id: number | null) {
  return useQuery({
    queryKey: ['edit', 'service', id],
    queryFn: ({ signal }) => read(`/services/${id}?embed=permissions`, signal),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

export function useTypes() {
  return useRead(['types'], '/service_types?embed=extended_setting_formats&sort=position&limit=1000', always)
}

export function formatsOf(types: readonly ServiceType[], typeId: string): Formats {
  return types.find(({ id }) => id === typeId)?.extended_setting_formats ?? []
}

export function useGroups() {
  const groups = useRead(['groups'], `/groups?${groupNames},permissions&sort=name&limit=1000`, minute)
  return { data: useToldApart(groups.data), error: groups.error, refetch: groups.refetch } as const
}

/** Types that the package of the group's owner has. */
export function useAvailableTypes(groupId: number | null) {
  const path = groupId === null ? '/accounts/my_account' : (`/groups/${groupId}` as const)
  return useRead(['available', groupId], `${path}/available_service_types?limit=1000`, minute)
}

export function usePackageChannels() {
  const fields = 'available_notification_channel_ids'
  return useRead(['package'], `/packages/my_package?fields=${fields}`, minute)
}

export function useStations() {
  return useRead(['stations'], '/sensors?fields=id,name,city,country,category_ids&sort=name&limit=1000', minute)
}

/** The words are those of the language that the API is asked in. */
export function useTerms(name: DictionaryName) {
  return useRead(['terms', name, document.documentElement.lang], `/dictionaries/${name}?limit=1000`, always)
}
